import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// What the capture commands have in common: where the report goes, and whether it gets symbols at once.
struct CaptureOptions: ParsableArguments {
  @Option(name: [.short, .long], help: .text("command.crash.capture.output"), completion: .file(extensions: ["ips"]))
  var output: String?

  @Flag(name: .customLong("no-symbolicate"), help: .text("command.crash.capture.no-symbolicate"))
  var leavesSymbols = false

  @Option(name: .long, help: .text("command.crash.capture.symbols"), completion: .file())
  var symbols: [String] = []

  /// The report with symbols, and what is missing; the report as it is where symbols are not wanted.
  func symbolicated(
    _ report: CrashReport, in context: Context
  ) async -> (report: CrashReport, missing: [MissingSymbols]?) {
    guard !leavesSymbols else { return (report, nil) }
    let search = context.debugFileSearch(symbols)
    let result = await context.timed("symbolicate \(report.process.name) [\(report.process.pid)]") {
      ReportSymbolicator.live(search).symbolicate(report)
    }
    return (result.report, result.missing)
  }
}

/// Gives reports of captured crashes their places: the file that was asked for, or names in the reports' folder.
struct ReportPlaces {
  private let output: String?
  private let folder: String

  /// Makes the folder, so that a place that cannot be written to is found before anything is captured.
  ///
  /// - Throws: `FileError` where it cannot be made or written to.
  init(output: String?, in context: Context) throws(FileError) {
    self.output = output
    if let output {
      folder = output.contains("/") ? String(output[..<(output.lastIndex(of: "/") ?? output.startIndex)]) : "."
      try Self.probe(folder.isEmpty ? "/" : folder)
    } else {
      folder = context.directories.crashes
      try Directories.create(folder)
      try Self.probe(folder)
    }
  }

  private static func probe(_ folder: String) throws(FileError) {
    guard let refusal = FileError.ofWriting(in: folder) else { return }
    throw refusal
  }

  /// Where the next report goes; a second one with a given name gets its process' number as well.
  func path(of report: CrashReport, isFirst: Bool) -> String {
    let process = report.process
    guard let output else {
      let digits = report.captured.text(digits: 3).prefix(23).filter(\.isNumber)
      let name = process.name.isEmpty ? "process" : process.name.map { $0 == "/" ? "_" : String($0) }.joined()
      return "\(folder)/\(name)-\(digits)-\(process.pid).ips"
    }
    if isFirst { return output }
    let suffix = output.hasSuffix(".ips") ? ".ips" : ""
    return "\(output.dropLast(suffix.count))-\(process.pid)\(suffix)"
  }
}
