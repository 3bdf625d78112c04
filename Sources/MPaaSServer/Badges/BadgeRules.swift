import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// The bounds of what operators push, and of what apps ask.
enum BadgeRules {
  /// Badges of targets in one push.
  static let mostBadges = 100_000
  /// Segments that an app may name.
  static let mostSegments = 50
  /// Widgets that one request acknowledges.
  static let mostWidgets = 10_000
  /// Bytes of such a request.
  static let largestTaps: Int64 = 4 << 20
  /// Widgets of one path, as apps read them.
  static let deepest = 100
  /// Taps of an app that are kept, the newest: anyone who has the key may name users that there are none of.
  static let mostTaps = 1_000_000
  private static let largestNumber = Int(Int32.max)

  /// The push with its paths as apps read them: without blanks around widgets, and without empty ones.
  ///
  /// - Throws: `server-bad-request` with the field that cannot be so.
  static func checked(_ push: BadgePush) throws(ServerError) -> BadgePush {
    var push = push
    let (count, overflow) = push.targets.count.multipliedReportingOverflow(by: push.badges.count)
    guard !push.targets.isEmpty, !push.badges.isEmpty, !overflow, count <= mostBadges else {
      throw ServerError(.badRequest, ["reason": "targets, badges: 1…\(mostBadges)"])
    }
    guard push.targets.allSatisfy(isGood) else { throw ServerError(.badRequest, ["reason": "targets"]) }
    for index in push.badges.indices {
      push.badges[index].badgeID = normal(push.badges[index].badgeID)
      guard isGood(push.badges[index]) else { throw ServerError(.badRequest, ["reason": "badges[\(index)]"]) }
    }
    return push
  }

  static func isGood(_ target: BadgeTarget) -> Bool {
    target.kind == .all ? target.name.isEmpty : isName(target.name)
  }

  /// Tells whether a word can name a user or a segment.
  static func isName(_ word: String) -> Bool { (1...300).contains(word.utf8.count) }

  static func isGood(_ badge: BadgeItem) -> Bool {
    (1...500).contains(badge.badgeID.utf8.count) && badge.badgeID.utf8.count { $0 == 0x2c } < deepest
      && (1...100).contains(badge.style.utf8.count) && (0...largestNumber).contains(badge.temporary)
      && (0...largestNumber).contains(badge.persistent)
      && badge.business.map { (1...200).contains($0.utf8.count) } ?? true
  }

  static func normal(_ path: String) -> String {
    path.split(separator: ",").map { widget in
      var widget = widget
      while widget.first == " " { widget.removeFirst() }
      while widget.last == " " { widget.removeLast() }
      return widget
    }.filter { !$0.isEmpty }.joined(separator: ",")
  }
}

/// The receiver of badges: a user, and the segments that the app says the user is in.
struct BadgeReader: Sendable, Equatable {
  let user: String
  let segments: [String]

  init(user: String, segments: [String]) {
    self.user = user
    self.segments = Set(segments.map { ExactName($0) }).sorted().map(\.text)
  }

  /// The word by which the reader asks for what came behind a version: a version of other badges is no beginning.
  func word(_ version: Int64) -> String { "\(version).\(mark)" }

  /// The version of a word of this reader; nil where it is another's.
  func version(of word: String) -> Int64? {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1] == mark, let version = Int64(parts[0]), version >= 0 else { return nil }
    return version
  }

  private var mark: String {
    let text = ([user] + segments).map { "\($0.utf8.count):\($0)" }.joined()
    return text.utf8.sha256.prefix(6).hexadecimal
  }
}
