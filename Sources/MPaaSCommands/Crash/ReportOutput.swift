import ArgumentParser
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// The formats that reports are written in.
enum ReportOutput: String, CaseIterable, ExpressibleByArgument {
  case ips, json, apple, md, sarif, html

  var fileEnding: String {
    switch self {
    case .apple: "crash"
    default: rawValue
    }
  }

  /// The whole file.
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
    case .apple: return AppleText(report).lines.map { $0.text + "\n" }.joined()
    case .md: return MarkdownReport(Self.digest(report, catalogue)).text
    case .sarif:
      let log = SARIFLog(sourceRoot: sourceRoot, toolVersion: KitVersion.current.version)
      return log.document([Self.digest(report, catalogue)]).line + "\n"
    case .html:
      let roots = sources + (sourceRoot.map { [$0] } ?? [])
      return HTMLReport(
        Self.digest(report, catalogue), language: catalogue.language.rawValue, source: SourceFinder(roots: roots).find
      ).text
    }
  }

  /// What `--json` prints of it: JSON as it is, other formats as `text`.
  func json(_ text: String) -> JSONValue {
    switch self {
    case .json, .sarif:
      return (try? Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }) ?? .null
    case .ips, .apple, .md, .html: return ["text": .string(text)]
    }
  }

  static func digest(_ report: CrashReport, _ catalogue: Catalogue) -> ReportDigest {
    ReportDigest(report) { catalogue.text("text.digest-\($0)") }
  }
}
