import CLogRing
import MPaaSAge
import MPaaSSupport

/// Writes entries to `.mplog` files in a folder, so that neither a killed process nor a full disk gets in the app's
/// way.
///
/// A record stands in memory that outlives the process, encrypted, when `append` returns; from there another thread
/// puts it into compressed blocks of `TYPE/YYYY-MM-DD/HH.mplog`. The next start finds what a killed process left. Any
/// number of threads may append; several processes may use the same folder.
///
///     let log = try LogWriter(folder: path, options: LogWriterOptions(recipients: [AgeRecipient("age1…")]))
///     log.append(LogEntry(.info, "Cart", "3 items"))
public final class LogWriter: LogSink {
  private let core: LogWriterCore

  /// Opens the folder, which is made where it is not there, and puts what was left behind into files.
  ///
  /// - Throws: `LogWriterError` where the folder cannot be written to, or a recipient is none.
  public convenience init(folder: String, options: LogWriterOptions = LogWriterOptions()) throws(LogWriterError) {
    do {
      try self.init(opening: folder, options)
    } catch {
      throw LogWriterError(error)
    }
  }

  package init(opening folder: String, _ options: LogWriterOptions) throws {
    core = try LogWriterCore(LogFolder(folder), options)
    core.start()
  }

  deinit {
    core.close()
  }

  /// Appends an entry: when this returns, the end of the process no longer loses it.
  public func append(_ entry: LogEntry) {
    core.append(entry)
  }

  /// Returns when all that was appended survives loss of power.
  public func flush() {
    core.flush()
  }

  /// Puts all that is staged into files now.
  ///
  /// - Returns: Whether the disk had room for it.
  @discardableResult public func seal() -> Bool { core.seal() }

  /// Seals and ends all files; what is appended later is lost.
  public func close() {
    core.close()
  }

  /// Tells writers of the same folder apart: 0 for the first one.
  package var lane: Int { core.lane }
}

/// The reason why a folder cannot be written to.
public struct LogWriterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable word, which `mpaas explain` knows.
  public let code: String
  /// The values that the texts name.
  public let values: [String: String]

  init(_ error: any Error) {
    let diagnostic = (error as? any DiagnosticConvertible)?.diagnostic
    code = diagnostic.map { "\($0.id)" } ?? "internal"
    values = diagnostic?.values ?? ["reason": "\(error)"]
  }

  /// The code, then the values that the texts name: `CODE name=value`.
  public var description: String {
    let values = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ([code] + values).joined(separator: " ")
  }
}
