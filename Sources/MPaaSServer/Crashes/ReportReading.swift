import Crypto
import MPaaSCrash
import MPaaSSupport
import Synchronization

/// Reads reports as they come in: checks them, groups them, and says what lists show of them.
final class ReportReading: Sendable {
  /// What classifiers remember makes the next report cheap; each is one thread's at a time.
  private let classifiers = Mutex<[FrameClassifier]>([])
  /// Calls and images that a classifier remembers.
  private static let remembered = 8000

  init() {}

  /// A report of any format that the kit reads.
  ///
  /// - Throws: `ServerError` `crash-report-unknown`, or the diagnostic of what is wrong with it.
  func summary(_ bytes: UnsafeRawBufferPointer) throws(ServerError) -> CrashSummary {
    guard let format = ReportFile.format(of: bytes) else { throw ServerError(.reportUnknown) }
    if format == "sentry" { return try event(bytes, id: nil) }
    let report: CrashReport
    do throws(ReportError) {
      report = try ReportFile.read(bytes)
    } catch {
      throw ServerError(error)
    }
    return summary(report, format, SentryEnvelope.eventID(report.incident) ?? Self.digest(bytes))
  }

  /// The payload of a Sentry event.
  ///
  /// - Parameter id: The event's name by the envelope.
  func event(_ bytes: UnsafeRawBufferPointer, id: String?) throws(ServerError) -> CrashSummary {
    let report: CrashReport
    if let glance = ReportGlance.readSentryEvent(bytes) {
      report = glance
    } else {
      guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), JSONSkim.isDocument(bytes) else {
        throw ServerError(.eventMalformed)
      }
      do throws(ReportError) {
        report = try ReportFile.readSentryEvent(bytes)
      } catch {
        throw ServerError(error)
      }
    }
    return summary(report, "sentry", id ?? SentryEnvelope.eventID(report.incident) ?? Self.digest(bytes))
  }

  private func summary(_ report: CrashReport, _ format: String, _ event: String) -> CrashSummary {
    var classifier =
      classifiers.withLock { $0.popLast() } ?? FrameClassifier(most: Self.remembered)
    defer { classifiers.withLock { $0.append(classifier) } }
    return CrashSummary(report, format: format, event: event, &classifier)
  }

  /// Names what has no name of its own by its content.
  static func digest(_ bytes: UnsafeRawBufferPointer) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: SHA256.hash(data: bytes).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }
}
