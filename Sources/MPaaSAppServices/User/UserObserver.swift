/// The parts of an app that are told of users, in the order in which they are told.
///
/// Storage comes first, so that whoever is told later finds the new user's files.
public enum UserStage: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// The key-value stores: `DataCenter.switchUser(to:)`.
  case storage
  /// Logs and monitor points, which name the user.
  case logs
  /// Switches and their cache.
  case flags
  /// Badges and their cache.
  case badges
  /// The binding of the push token.
  case push
  /// The app's own parts.
  case app

  /// Compares the places in the order.
  public static func < (left: UserStage, right: UserStage) -> Bool { left.rawValue < right.rawValue }
}

/// A part of an app that follows the user.
public protocol UserObserver: AnyObject, Sendable {
  /// Goes over to a user, or with nil in the session to none; the next part is told when this returns.
  ///
  /// It is called for a renewed session of the same user, too.
  func userChanged(to session: UserSession) async
}

/// The place of an observer in a `UserState`, which takes it out again.
public struct UserObservation: Sendable {
  let number: Int
  weak var state: UserState?

  /// Tells the observer nothing any more; a switch that is under way still does.
  public func cancel() { state?.remove(number) }
}
