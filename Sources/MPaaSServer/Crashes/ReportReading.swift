import MPaaSCrash
import MPaaSCrashReport
import MPaaSDigests
import MPaaSSupport
import Synchronization

/// Reads reports as they come in: checks them, groups them, and says what lists show of them.
final class ReportReading: Sendable {
  /// The classifiers, whose memory makes the next report cheap; each is one thread's at a time, and follows one edition
  /// of the rules.
  private let classifiers = Mutex<[(edition: Int, classifier: FrameClassifier)]>([])
  private let rules: GroupingRuleBook
  /// Calls and images that a classifier remembers.
  private static let remembered = 8000

  init(_ rules: GroupingRuleBook = GroupingRuleBook()) { self.rules = rules }

  /// A report of any format that the kit reads.
  ///
  /// - Parameter event: A Sentry event that came beside it, which knows the release, the user, and the like.
  /// - Throws: `ServerError` `crash-report-unknown`, or the diagnostic of what is wrong with it.
  func summary(
    _ bytes: UnsafeRawBufferPointer, beside event: UnsafeRawBufferPointer? = nil
  ) throws(ServerError) -> CrashSummary {
    guard let format = ReportFile.format(of: bytes) else { throw ServerError(.reportUnknown) }
    if format.name == "sentry" { return try self.event(bytes, id: nil) }
    var report: CrashReport
    do throws(ReportError) {
      report = try format.report(of: bytes)
    } catch {
      throw ServerError(error)
    }
    if let event, let told = try? ReportFile.readSentryEvent(event) { Self.complete(&report, with: told) }
    return summary(report, format.name, SentryEnvelope.eventID(report.incident) ?? Self.digest(bytes))
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
    let current = rules.current
    let idle = classifiers.withLock { classifiers in
      if classifiers.last?.edition != current.edition { classifiers.removeAll() }
      return classifiers.popLast()?.classifier
    }
    var classifier = idle ?? FrameClassifier(rules: current.rules, most: Self.remembered)
    defer { classifiers.withLock { $0.append((current.edition, classifier)) } }
    return CrashSummary(report, format: format, event: event, &classifier)
  }

  /// Adds to a report what only the event beside it knows.
  private static func complete(_ report: inout CrashReport, with told: CrashReport) {
    report.extra["sentry"] = told.extra["sentry"]
    // The release is what its makers call it; a dump has at best the version of a file.
    if let release = told.extra["sentry"]?.object?["release"]?.string, !release.isEmpty {
      (report.application.version, report.application.build) = (release, nil)
    } else if report.application.versionText.isEmpty {
      (report.application.version, report.application.build) = (told.application.version, told.application.build)
    }
    report.system.model = report.system.model ?? told.system.model
  }

  /// Names what has no name of its own by its content.
  static func digest(_ bytes: UnsafeRawBufferPointer) -> String {
    bytes.sha256.prefix(16).hexadecimal
  }
}
