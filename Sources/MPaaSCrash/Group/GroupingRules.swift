package import MPaaSSupport

/// A project's own rules of grouping: a text file with a rule a line.
///
/// See `Documentation/CrashGroups.md` for the language. The order of the rules matters: of several that match a frame
/// the last one decides.
package struct GroupingRules: Sendable, Equatable {
  package enum Action: String, Sendable, Equatable {
    /// The frame is the program's own.
    case app = "+app"
    /// The frame is not the program's.
    case notApp = "-app"
    /// The frame is left out.
    case ignore
    /// The frame counts, and its caller too: it says too little by itself.
    case prefix
    /// The stack begins here: what was called from this frame is left out.
    case sentinel
  }

  package struct Rule: Sendable, Equatable {
    package let matchers: [Matcher]
    package let action: Action
    /// From 1.
    package let line: Int
  }

  package struct Matcher: Sendable, Equatable {
    package enum Subject: String, Sendable, CaseIterable {
      case function, module, path, file, family, exception
    }

    package let subject: Subject
    package let pattern: Glob
    package let isNegated: Bool
  }

  package struct Split: Sendable, Equatable {
    package enum Key: Sendable, Equatable {
      /// The n-th frame of the program's own, from 1, innermost first, also past those that count.
      case frame(Int)
      case version, system, device
    }

    package let group: GroupID
    package let key: Key
    package let line: Int
  }

  package var rules: [Rule] = []
  /// Groups that are one: the first of each line stands for the others.
  package var merges: [GroupID: GroupID] = [:]
  package var splits: [Split] = []

  package init() {}

  /// The group that `id` was merged into; itself where it was not.
  package func merged(_ id: GroupID) -> GroupID {
    var id = id
    // A chain of merges, or a ring made by hand, ends.
    for _ in 0..<64 {
      guard let next = merges[id], next != id else { break }
      id = next
    }
    return id
  }
}

/// The name of a group: `2:` and 16 hexadecimal digits, the number being the version of the way to group.
///
/// Names of former versions are read too: rules may stand for groups under the names that trackers know.
package struct GroupID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  package static let version = 2
  package let version: Int
  package let hash: UInt64

  package init(hash: UInt64) {
    version = Self.version
    self.hash = hash
  }

  /// Reads the whole name; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let digits = text.dropFirst(2)
    guard let version = (1...Self.version).first(where: { text.hasPrefix("\($0):") }), digits.utf8.count == 16,
      digits.utf8.allSatisfy({ Self.isHex($0) }),
      let hash = UInt64(digits, radix: 16)
    else { return nil }
    self.version = version
    self.hash = hash
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }

  package var description: String { "\(version):" + hash.padded(to: 16, radix: 16) }

  package static func < (left: GroupID, right: GroupID) -> Bool {
    (left.version, left.hash) < (right.version, right.hash)
  }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = GroupID(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
