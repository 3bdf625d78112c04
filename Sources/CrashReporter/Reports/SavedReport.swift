extension CrashReporter {
  /// A report of a crash of an earlier run, as a file.
  public struct SavedReport: Sendable, Hashable {
    /// The .ips file.
    public let path: String
    /// The number of times that handing it over has failed so far.
    public let attempts: Int
  }

  /// Takes reports over, by sending them to a server for instance.
  public protocol Uploader: Sendable {
    /// Hands one report over.
    ///
    /// - Throws: Anything where it did not get through; the report is kept and offered again at the next start.
    func upload(_ report: SavedReport) async throws
  }

  /// The fate of the reports of earlier runs.
  public struct ProcessedReports: Sendable {
    /// Records that were turned into reports now.
    public var made: [SavedReport] = []
    /// Reports that the uploader took.
    public var uploaded: [SavedReport] = []
    /// Reports that were offered and not taken.
    public var kept: [SavedReport] = []
  }
}
