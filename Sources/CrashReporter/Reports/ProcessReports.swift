import MPaaSBase
import MPaaSCrashReport
import MPaaSLock

extension CrashReporter {
  /// The reason why the reports of earlier runs could not be processed: a file could not be written.
  public struct ReportsError: Error, Sendable, CustomStringConvertible {
    let cause: FileError

    /// The path of the file and the reason for which it could not be written.
    public var description: String {
      "\(cause.path): \(cause.code)"
    }
  }

  /// Turns what earlier runs left into reports and offers each to `uploader`, oldest first.
  ///
  /// A report that is not taken stays, is marked, and is offered again at the next start. While another process works
  /// on the same directory nothing is done.
  /// - Parameters:
  ///   - directory: nil for the one that was installed with, else the default one.
  ///   - uploader: Takes each report over; nil, and the reports stay.
  public static func processPendingReports(
    in directory: String? = nil, uploader: (any Uploader)? = nil
  ) async throws(ReportsError) -> ProcessedReports {
    let configuration = installed.withLock { $0 } ?? Configuration(directory: directory)
    let folder = ReportDirectory(path: directory ?? configuration.directory)
    guard let lock = folder.lock() else { return ProcessedReports() }
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await process(folder, limit: configuration.reportLimit, uploader: uploader)
    } catch {
      throw ReportsError(cause: error)
    }
  }

  /// The same with a closure for an uploader.
  @discardableResult
  public static func processPendingReports(
    in directory: String? = nil, upload: @escaping @Sendable (SavedReport) async throws -> Void
  ) async throws(ReportsError) -> ProcessedReports {
    try await processPendingReports(in: directory, uploader: ClosureUploader(take: upload))
  }

  private static func process(
    _ folder: ReportDirectory, limit: Int, uploader: (any Uploader)?
  ) async throws(FileError) -> ProcessedReports {
    var result = ProcessedReports()
    let made = try folder.convertRecords()
    folder.trim(to: limit)
    let waiting = folder.waiting()
    result.made = waiting.filter { made.contains($0.path) }
    guard let uploader else { return result }
    for report in waiting {
      do {
        try await uploader.upload(report)
      } catch {
        folder.markFailed(report, because: error)
        result.kept.append(folder.saved(report.path))
        continue
      }
      try folder.markUploaded(report)
      result.uploaded.append(report)
    }
    folder.trim(to: limit)
    return result
  }

  private struct ClosureUploader: Uploader {
    let take: @Sendable (SavedReport) async throws -> Void

    func upload(_ report: SavedReport) async throws {
      try await take(report)
    }
  }
}
