import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// Reports as users name them: by a path, or by a name in the folder of captured reports.
extension Context {
  var reports: ReportFolder { ReportFolder(directories.crashes) }

  /// Reads the report that `name` stands for, and says where it lies.
  ///
  /// - Throws: `report-not-found` where neither a file nor a captured report has this name.
  func report(_ name: String) throws -> (path: String, report: CrashReport) {
    let path = try path(ofReport: name)
    return (path, try ReportFile.read(path))
  }

  /// The place of the report that `name` stands for; a folder's or an archive's path stands for itself, `-` for what
  /// comes on standard input.
  ///
  /// - Throws: `report-not-found` where neither a file nor a captured report has this name.
  func path(ofReport name: String) throws -> String {
    if name == "-" { return "/dev/stdin" }
    guard let path = reports.find(name) else {
      let near = closestMatch(
        to: name, among: reports.names.map { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) })
      throw Diagnostic(
        near == nil ? "report-not-found" : "report-not-found-near",
        ["name": name, "folder": reports.path, "suggestion": near ?? ""], exit: .inputMissing)
    }
    return path
  }
}
