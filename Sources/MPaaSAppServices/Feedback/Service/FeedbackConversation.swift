import MPaaSProtocol

/// A piece of feedback with what became of it, as an app shows it.
public struct FeedbackConversation: Sendable, Hashable, Identifiable {
  /// The stage of feedback.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It is on this device, and goes out when the server can be reached.
    case waiting
    /// The server will not take it as it is; `reason` says why.
    case refused
    /// The server has it.
    case open
    /// An operator has answered.
    case answered
    /// An operator has closed it.
    case closed

    init(_ state: FeedbackState) {
      switch state {
      case .open: self = .open
      case .answered: self = .answered
      case .closed: self = .closed
      }
    }
  }

  /// A reply of an operator.
  public struct Reply: Sendable, Hashable, Identifiable {
    /// The number of the reply; later ones have higher numbers.
    public let id: Int64
    /// The operator's words; nil where only the state changed.
    public let text: String?
    /// The stage after it.
    public let state: State
    /// Seconds since 1970.
    public let time: Double
  }

  /// The ID that this device gave it.
  public let id: String
  /// The user who wrote it; nil where none was signed in.
  public let userID: String?
  /// The ID of its category.
  public let category: String
  /// The user's words.
  public let text: String
  /// The number of its pictures.
  public let pictures: Int
  /// Seconds since 1970.
  public let created: Double
  /// The stage that it has reached.
  public internal(set) var state: State
  /// The server's reason where it was refused.
  public internal(set) var reason: String?
  /// The replies of operators, the oldest first.
  public internal(set) var replies: [Reply] = []
  /// The number of the last reply that the user has seen.
  var readUpTo: Int64 = 0

  /// The number of replies with words that the user has not seen.
  public var unread: Int { replies.count { $0.id > readUpTo && $0.text != nil } }
}

extension FeedbackConversation {
  init(_ report: FeedbackReport, _ state: State, reason: String? = nil) {
    (id, userID, category, text) = (report.id, report.user, report.category, report.text)
    (pictures, created) = (report.pictures.count, report.created)
    (self.state, self.reason) = (state, reason)
  }

  /// Takes a reply in; one that is there changes nothing.
  ///
  /// - Returns: Whether it is new.
  mutating func take(_ message: FeedbackMessage) -> Bool {
    guard !replies.contains(where: { $0.id == message.number }) else { return false }
    let state = State(message.state)
    replies.append(Reply(id: message.number, text: message.text, state: state, time: message.time))
    replies.sort { $0.id < $1.id }
    self.state = replies.last?.state ?? state
    return true
  }
}
