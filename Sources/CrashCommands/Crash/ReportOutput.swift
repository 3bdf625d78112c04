import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// The formats that reports are written in.
enum ReportOutput: String, CaseIterable, ExpressibleByArgument {
  case ips, json, apple, plcrash, md, sarif, html

  var fileEnding: String {
    switch self {
    case .apple: "crash"
    default: rawValue
    }
  }

  /// The format that a file's ending asks for; nil where it asks for none.
  init?(fileEnding path: String) {
    let name = FileSystem.name(of: path)
    guard let dot = name.lastIndex(of: "."),
      let format = Self.allCases.first(where: { $0.fileEnding == name[name.index(after: dot)...] })
    else { return nil }
    self = format
  }

  /// Whether it is the format that a report was read from, by `ReportFile`'s name of it.
  func isFormat(_ name: String?) -> Bool {
    switch self {
    case .ips, .plcrash: name == rawValue
    case .apple: name == "apple-text"
    case .json: name == "kscrash"
    case .md, .sarif, .html: false
    }
  }

  /// The whole file as bytes; of a text, `text(of:in:sourceRoot:sources:)`.
  func bytes(
    of report: CrashReport, in context: Context, sourceRoot: String? = nil, sources: [String] = []
  ) throws -> [UInt8] {
    if self == .plcrash { return PLCrashWriter.bytes(of: report) }
    return Array(try text(of: report, in: context, sourceRoot: sourceRoot, sources: sources).utf8)
  }

  /// The whole file; of a binary format, in base64.
  ///
  /// - Parameters:
  ///   - sourceRoot: The folder that SARIF tells paths relative to.
  ///   - sources: Folders with sources, for the lines around the crash.
  func text(
    of report: CrashReport, in context: Context, sourceRoot: String? = nil, sources: [String] = []
  ) throws -> String {
    let catalogue = context.catalogue
    switch self {
    case .ips: return String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)
    case .json: return JSONValue.object(IPSWriter.document(of: report)).line + "\n"
    // A report of PLCrashReporter's keeps the layout that its users know.
    case .apple: return PLCrashText.text(of: report) ?? AppleCrashWriter.text(of: report)
    case .plcrash: return JSONValue.base64(PLCrashWriter.bytes(of: report)).string ?? ""
    case .md: return MarkdownReport(Self.digest(report, catalogue)).text
    case .sarif:
      let log = SARIFLog(sourceRoot: sourceRoot, toolVersion: KitVersion.current.version)
      let digest = Self.digest(report, catalogue)
      if !SARIFLog.hasPlace(digest) { context.terminal.warning(Diagnostic("sarif-no-place", exit: .done)) }
      return log.document([digest]).line + "\n"
    case .html:
      let roots = sources + (sourceRoot.map { [$0] } ?? [])
      return HTMLReport(
        Self.digest(report, catalogue), language: catalogue.language.rawValue, source: SourceFinder(roots: roots).find
      ).text
    }
  }

  /// Prints the whole file to standard output, byte for byte; a terminal gets a last newline where there is none.
  ///
  /// - Throws: `convert-binary-terminal` for a binary format, which a terminal would take for commands.
  func print(
    _ report: CrashReport, in context: Context, sourceRoot: String? = nil, sources: [String] = []
  ) throws {
    let output = context.terminal.data
    guard self == .plcrash else {
      let text = try text(of: report, in: context, sourceRoot: sourceRoot, sources: sources)
      return output.write(output.isTerminal && !text.hasSuffix("\n") ? text + "\n" : text)
    }
    if output.isTerminal { throw Diagnostic("convert-binary-terminal", exit: .usage) }
    try bytes(of: report, in: context).withUnsafeBytes(output.writeBytes)
  }

  /// What `--json` prints of it: JSON as it is, other formats as `text`.
  func json(_ text: String) -> JSONValue {
    switch self {
    case .json, .sarif:
      return (try? Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }) ?? .null
    case .plcrash: return ["plcrash": .string(text)]
    case .ips, .apple, .md, .html: return ["text": .string(text)]
    }
  }

  static func digest(_ report: CrashReport, _ catalogue: Catalogue) -> ReportDigest {
    ReportDigest(report) { catalogue.text("text.digest-\($0)") }
  }
}
