/// A badge as payloads have it.
package struct BadgeItem: Codable, Sendable, Equatable {
  /// Widgets from the outermost to the badge's own, joined by commas.
  package var badgeID: String
  /// `.`, `new`, `num`, `惠` or any text.
  package var style: String
  /// The number that a tap clears, and the one that stays.
  package var temporary: Int
  package var persistent: Int
  package var business: String?

  package init(
    _ badgeID: String, style: String = ".", temporary: Int = 0, persistent: Int = 0, business: String? = nil
  ) {
    self.badgeID = badgeID
    self.style = style
    self.temporary = temporary
    self.persistent = persistent
    self.business = business
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    badgeID = try container.decode(String.self, forKey: .badgeID)
    style = try container.decodeIfPresent(String.self, forKey: .style) ?? "."
    temporary = try container.decodeIfPresent(Int.self, forKey: .temporary) ?? 0
    persistent = try container.decodeIfPresent(Int.self, forKey: .persistent) ?? 0
    business = try container.decodeIfPresent(String.self, forKey: .business)
  }

  /// The widget that shows the badge itself.
  package var widget: String { badgeID.split(separator: ",").last.map(String.init) ?? "" }

  private enum CodingKeys: String, CodingKey {
    case badgeID = "badgeId"
    case style
    case temporary = "temporaryBadgeNumber"
    case persistent = "persistentBadgeNumber"
    case business = "bizId"
  }
}

/// The receivers of a badge: users, a segment of them, or all.
package struct BadgeTarget: Codable, Sendable, Hashable {
  package enum Kind: String, Codable, Sendable, CaseIterable {
    case all, segment, user

    /// The weight of a target against others: the narrower one decides.
    package var weight: Int {
      switch self {
      case .all: 0
      case .segment: 1
      case .user: 2
      }
    }
  }

  package var kind: Kind
  /// The user or the segment; empty for all.
  package var name: String

  package init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  package static let all = BadgeTarget(.all, "")
  package static func segment(_ name: String) -> BadgeTarget { BadgeTarget(.segment, name) }
  package static func user(_ name: String) -> BadgeTarget { BadgeTarget(.user, name) }
}

/// Badges that an operator sends to targets.
package struct BadgePush: Codable, Sendable, Equatable {
  /// The key or the name of the app; nil is the server's first.
  package var app: String?
  package var targets: [BadgeTarget]
  package var badges: [BadgeItem]

  package init(app: String? = nil, targets: [BadgeTarget], badges: [BadgeItem]) {
    self.app = app
    self.targets = targets
    self.badges = badges
  }
}

/// The outcome of a push, or of taking badges away.
package struct BadgeChange: Codable, Sendable, Equatable {
  /// The number of the app's badges after it.
  package var version: Int64
  /// Badges of targets that were changed.
  package var count: Int

  package init(version: Int64, count: Int) {
    self.version = version
    self.count = count
  }
}

/// The badges of a user for an app: all of them, or those that changed since a version.
package struct BadgeUpdate: Codable, Sendable, Equatable {
  /// The word to ask with the next time; what it says is the server's affair.
  package var version: String
  /// Tells whether these are all badges, and not changes.
  package var full: Bool
  package var badges: [BadgeItem]
  /// The paths of badges that are gone.
  package var removed: [String]

  package init(version: String, full: Bool, badges: [BadgeItem], removed: [String]) {
    self.version = version
    self.full = full
    self.badges = badges
    self.removed = removed
  }
}

/// The widgets whose badges a user has tapped.
package struct BadgeAcknowledgement: Codable, Sendable, Equatable {
  package var user: String
  package var widgets: [String]
  /// The version that the user saw; what came later is not cleared.
  package var version: String?

  package init(user: String, widgets: [String], version: String? = nil) {
    self.user = user
    self.widgets = widgets
    self.version = version
  }
}

/// A badge with its target, as operators see it.
package struct BadgeEntry: Codable, Sendable, Equatable {
  package var app: String
  package var target: BadgeTarget
  package var badge: BadgeItem
  package var version: Int64
  /// Seconds since 1970.
  package var updated: Double

  package init(app: String, target: BadgeTarget, badge: BadgeItem, version: Int64, updated: Double) {
    self.app = app
    self.target = target
    self.badge = badge
    self.version = version
    self.updated = updated
  }
}

/// A part of the list of badges, those changed last first; the next one is asked for with `before` and the last one's
/// version.
package struct BadgePage: Codable, Sendable, Equatable {
  package var badges: [BadgeEntry]

  package init(badges: [BadgeEntry]) { self.badges = badges }
}
