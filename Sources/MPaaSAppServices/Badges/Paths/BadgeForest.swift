/// All badges of a user, by their paths, with the sums of the widgets above them.
///
/// A value without effects: `BadgeTree` keeps one. Badges lie in the order in which they came; a widget has sums as
/// soon as another stands below it on some path.
package struct BadgeForest: Sendable {
  /// The most badges that are held; further ones are left out.
  package static let capacity = 1_000_000

  /// The badges as they came; those without a path, and those whose path came again later, are not `isLive`.
  var badges: [BadgeInfo]
  /// The branch that counts the badge; -1 for none, `dead` for badges that do not count.
  var parents: [Int32] = []
  package internal(set) var branches: [BadgeBranch] = []
  /// By the digests of their paths.
  var branchByPath: [UInt64: Int32] = [:]
  var branchesByWidget: [String: [Int32]] = [:]
  var slotByPath = SlotTable(capacity: 0)
  /// The hashes of the badges' own widgets; 0 for badges without a path.
  var widgetHashes: [UInt32] = []
  /// The hashes of widgets that have others below them, and may have badges of their own on other paths, too.
  var mixedWidgets: Set<UInt32> = []
  /// Made when widgets of badges have been asked for some times.
  var slotsByWidget: WidgetSlots?
  /// The number of times that all badges were gone through for a widget's.
  var searches = 0
  /// The badges that name a business themselves, or did so.
  var businessSlots: [Int32] = []
  /// The sums by business, made when one is first asked for.
  var businesses: [String: BadgeTotals]?

  static let dead: Int32 = -2

  /// Creates a forest of badges; of those with the same path the last counts.
  package init(_ badges: [BadgeInfo] = []) {
    self.badges = badges.count > Self.capacity ? Array(badges.prefix(Self.capacity)) : badges
    plant()
  }

  /// True for a badge that counts.
  func isLive(_ slot: Int) -> Bool { parents[slot] != Self.dead }

  /// The badges that count, in their order.
  package var liveBadges: [BadgeInfo] { badges.indices.lazy.filter(isLive).map { badges[$0] } }

  /// The place of a badge by its path; nil where there is none.
  func slot(of badgeID: String) -> Int? {
    let badge = BadgeInfo(badgeID)
    return badge.badgeID.isEmpty ? nil : slot(badge.path.full)
  }

  /// The badge of a path; nil where there is none.
  package func badge(_ badgeID: String) -> BadgeInfo? { slot(of: badgeID).map { badges[$0] } }

  /// True where badges stand below a widget, so that it shows their sum and taps do not change it.
  package func isBranch(_ widgetID: String) -> Bool { branchesByWidget[widgetID] != nil }
}
