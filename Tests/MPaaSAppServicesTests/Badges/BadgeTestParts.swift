import MPaaSAppServices
import MPaaSLock

/// A server that is told of taps; what it keeps is encrypted by a sum with a constant.
@MainActor
final class AcknowledgingServer {
  private(set) var calls: [[String]] = []
  var answers = true
  private var unread: [[String]] = []
  private var waiter: CheckedContinuation<[String], Never>?
  private let reported = Reports()

  nonisolated init() {}

  final class Reports: Sendable {
    let words = Lock<[String]>([])
  }

  /// The identifiers of failures that were told.
  var reports: [String] { reported.words.withLock { $0 } }

  var configuration: BadgeServiceConfiguration {
    BadgeServiceConfiguration(
      encrypt: { plain in plain.map { $0 &+ 99 } }, decrypt: { plain in plain.map { $0 &- 99 } },
      report: { [reported] error in reported.words.withLock { $0.append(error.identifier) } },
      acknowledge: { [weak self] widgets in await self?.take(widgets) ?? false })
  }

  private func take(_ widgets: [String]) -> Bool {
    calls.append(widgets)
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: widgets)
    } else {
      unread.append(widgets)
    }
    return answers
  }

  /// The next report that was not asked for yet.
  func next() async -> [String] {
    if !unread.isEmpty { return unread.removeFirst() }
    return await withCheckedContinuation { waiter = $0 }
  }
}

/// A widget that keeps all that it is told.
@MainActor
final class RecordingWidget: BadgeWidget {
  var widgetID: String
  var calculation = BadgeCalculation.all
  private(set) var values: [BadgeValue] = []

  init(_ widgetID: String) { self.widgetID = widgetID }

  func show(_ value: BadgeValue) { values.append(value) }
}
