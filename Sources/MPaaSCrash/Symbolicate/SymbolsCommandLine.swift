import MPaaSCrashReport
import MPaaSToolSupport

/// The command that gives an image of a report its symbols, as a user would type it.
///
/// It has `DIR` where only the user knows the folder, and `REPORT` for the report.
struct SymbolsCommandLine {
  let text: String

  init(_ image: CrashReport.Image, _ reason: MissingSymbols.Reason, in report: CrashReport) {
    let words: [String]
    if reason == .noBuildID {
      // The store goes by build ID; a file that is named is taken by its name.
      words = ["crash", "symbolicate", "REPORT", "--symbols", "DIR/" + image.fileName]
    } else if AppleCrashWriter.isApple(report) {
      let isSystem = RuntimeCode.isSystem(image, main: report.mainImage)
      words = ["symbols", "add"] + (isSystem ? ["--system", "DIR"] : ["DIR/\(image.fileName).dSYM"])
    } else if let stem = image.windowsStem {
      words = ["symbols", "add", "DIR/\(stem).sym"]
    } else {
      words = ["symbols", "add", "DIR/" + image.fileName + (reason == .noDebugInfo ? ".debug" : "")]
    }
    text = (["mpaas"] + words.map { $0.shellWord(plain: "/._-+=:@%") }).joined(separator: " ")
  }
}

extension CrashReport.Image {
  /// The name of the file on a disk: the code that the kernel maps into every process comes from one too.
  fileprivate var fileName: String {
    if isKernelCode { return architecture == "x86_64" ? "vdso64.so" : "vdso.so" }
    let deleted = " (deleted)"
    return name.hasSuffix(deleted) ? String(name.dropLast(deleted.count)) : name
  }

  /// The name of a file of Windows without its ending; symbols of these come as Breakpad's text.
  fileprivate var windowsStem: String? {
    for ending in [".exe", ".dll", ".pdb", ".sys"] where name.lowercased().hasSuffix(ending) {
      // A path of Windows has no slashes of ours.
      let file = name.split(separator: "\\").last.map(String.init) ?? name
      return String(file.dropLast(ending.count))
    }
    return nil
  }
}
