import MPaaSLock

/// The way back from those who hear an event to whoever waits for their answer: a completion handler of the system.
///
/// Exactly one answer is given. A handler that needs time keeps the reply and answers later, from any thread; without
/// an answer, the default is given as soon as the last reference to the reply is gone.
/// ```swift
/// case .watchRequest(let values, let reply):
///   Task { reply.send(["total": .integer(try await cart.total())]) }
/// ```
public final class EventReply<Value: Sendable>: Sendable {
  private struct State {
    var answer: Value?
    var isGiven = false
  }

  private let state = Lock(State())
  private let fallback: Value
  private let joining: (@Sendable (Value, Value) -> Value)?
  private let give: @Sendable (Value) -> Void

  /// Makes a reply.
  ///
  /// - Parameters:
  ///   - fallback: The answer where no handler gives one.
  ///   - joining: Makes one answer of two, so that all are waited for; nil where the first one counts.
  ///   - give: Gets the one answer.
  public init(
    default fallback: Value, joining: (@Sendable (Value, Value) -> Value)? = nil,
    _ give: @escaping @Sendable (Value) -> Void
  ) {
    self.fallback = fallback
    self.joining = joining
    self.give = give
  }

  /// The answer until now.
  public var answer: Value? { state.withLock(\.answer) }

  /// Answers.
  ///
  /// - Returns: False where somebody else had answered before and only the first answer counts.
  @discardableResult
  public func send(_ value: Value) -> Bool {
    guard let joining else {
      let isFirst = state.withLock { state in
        guard !state.isGiven else { return false }
        (state.answer, state.isGiven) = (value, true)
        return true
      }
      if isFirst { give(value) }
      return isFirst
    }
    state.withLock { $0.answer = $0.answer.map { joining($0, value) } ?? value }
    return true
  }

  deinit {
    let (answer, isGiven) = state.withLock { ($0.answer, $0.isGiven) }
    if !isGiven { give(answer ?? fallback) }
  }
}

/// The result of a notification that woke the app: the system wakes it more often where there is something new.
public enum FetchResult: String, Sendable, Hashable, CaseIterable {
  /// There was something new.
  case newData
  /// There was nothing new.
  case noData
  /// Looking for something new failed.
  case failed

  /// The answer of two: new data before a failure, a failure before nothing.
  public func joined(with other: FetchResult) -> FetchResult {
    let both = [self, other]
    return both.contains(.newData) ? .newData : both.contains(.failed) ? .failed : .noData
  }
}

/// The ways in which a notification is shown while the app is in front; none of them for not at all.
public struct NotificationPresentation: OptionSet, Sendable, Hashable {
  /// The bits of the options: 1 badge, 2 sound, 4 banner, 8 list.
  public let rawValue: Int
  /// Makes a set of options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Sets the number on the app's icon.
  public static let badge = NotificationPresentation(rawValue: 1)
  /// Plays the notification's sound.
  public static let sound = NotificationPresentation(rawValue: 2)
  /// Shows the notification as a banner.
  public static let banner = NotificationPresentation(rawValue: 4)
  /// Adds the notification to the list of notifications.
  public static let list = NotificationPresentation(rawValue: 8)
}
