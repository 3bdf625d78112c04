package import MPaaSCrashReport
package import MPaaSSupport

/// Writes reports in each of the formats, with what those for people and for code hosts take from outside.
package struct ReportWriter: Sendable {
  private let words: ReportDigest.Words
  private let language: String
  private let toolVersion: String
  private let sourceRoot: String?
  private let sources: [String]
  private let warn: @Sendable (Diagnostic) -> Void

  /// - Parameters:
  ///   - words: Those of a digest, in the reader's language.
  ///   - language: The tag of that language, as HTML has it.
  ///   - toolVersion: The version of this kit, which SARIF names.
  ///   - sourceRoot: The folder that SARIF tells paths relative to.
  ///   - sources: Folders with sources, for the lines around the crash.
  ///   - warn: Hears what a format cannot tell of a report.
  package init(
    words: @escaping ReportDigest.Words, language: String, toolVersion: String, sourceRoot: String? = nil,
    sources: [String] = [], warn: @escaping @Sendable (Diagnostic) -> Void
  ) {
    self.words = words
    self.language = language
    self.toolVersion = toolVersion
    self.sourceRoot = sourceRoot
    self.sources = sources
    self.warn = warn
  }

  /// The whole file as bytes; of a text, that of `text(of:as:)`.
  package func bytes(of report: CrashReport, as format: ReportOutput) -> [UInt8] {
    format == .plcrash ? PLCrashWriter.bytes(of: report) : Array(text(of: report, as: format).utf8)
  }

  /// The whole file; of a binary format, in base64.
  package func text(of report: CrashReport, as format: ReportOutput) -> String {
    switch format {
    case .ips: return String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)
    case .json: return JSONValue.object(IPSWriter.document(of: report)).line + "\n"
    // A report of PLCrashReporter's keeps the layout that its users know.
    case .apple: return PLCrashText.text(of: report) ?? AppleCrashWriter.text(of: report)
    case .plcrash: return JSONValue.base64(PLCrashWriter.bytes(of: report)).string ?? ""
    case .md: return MarkdownReport(ReportDigest(report, words: words)).text
    case .sarif:
      let log = SARIFLog(sourceRoot: sourceRoot, toolVersion: toolVersion)
      let digest = ReportDigest(report, words: words)
      if !SARIFLog.hasPlace(digest) { warn(Diagnostic("sarif-no-place", exit: .done)) }
      return log.document([digest]).line + "\n"
    case .html:
      let roots = sources + (sourceRoot.map { [$0] } ?? [])
      return HTMLReport(
        ReportDigest(report, words: words), language: language, source: SourceFinder(roots: roots).find
      ).text
    }
  }
}
