/// The state of an issue.
enum IssueState: String, Sendable, CaseIterable, Codable {
  case unresolved
  case resolved
  case ignored
  /// Came back after it had been resolved.
  case regressed
  /// Its events were removed by age.
  case archived
}

/// The end of an issue's state.
struct IssueRule: Sendable, Equatable, Codable {
  /// The release that it is resolved in, whose successors reopen it; with `next`, the newest one when it was resolved.
  var release: String?
  var next: Bool?
  /// Seconds since 1970 until which it is ignored.
  var time: Double?
  /// Events and users at which it is not ignored any more.
  var count: Int64?
  var users: Int64?
  /// Events in one hour of the clock.
  var perHour: Int64?
  /// The hour in which it was said, since 1970, and the events that it had had before; those do not count.
  var hour: Int64?
  var before: Int64?

  enum CodingKeys: String, CodingKey {
    case release, next, time, count, users, hour, before
    case perHour = "per_hour"
  }
}

/// The figures of an issue by which its state may end.
struct IssueMoment: Sendable {
  var count: Int64
  var users: Int64
  /// Events of this hour.
  var hour: Int64
  var time: Double
}

extension IssueRule {
  /// Tells whether an ignored issue is to be looked at again.
  func endsIgnoring(_ moment: IssueMoment) -> Bool {
    if let time, moment.time >= time { return true }
    if let count, moment.count >= count { return true }
    if let users, moment.users >= users { return true }
    let earlier = hour == Int64(clamping: Int(moment.time / 3600)) ? before ?? 0 : 0
    if let perHour, moment.hour - earlier >= perHour { return true }
    return false
  }

  /// Tells whether an event reopens a resolved issue.
  ///
  /// - Parameters:
  ///   - release: The event's; nil where it names none, and then what is resolved in a release stays so.
  ///   - seen: The time at which a release was first seen.
  func reopens(_ event: String?, seen: (String) throws -> Double?) rethrows -> Bool {
    guard let release else { return true }
    guard let event else { return false }
    let (one, other) = (ReleaseName(event), ReleaseName(release))
    if let verdict = one.isNewer(than: other) { return verdict }
    return one.isNewer(than: other, seen: try seen(event), other: try seen(release))
  }
}
