package import MPaaSSupport

/// The name of a flag, or the number of a segment.
package enum FlagItem: Sendable, Hashable, Comparable {
  case flag(ExactName)
  case segment(Int)

  /// `flag` or `segment`.
  package var kind: String {
    switch self {
    case .flag: "flag"
    case .segment: "segment"
    }
  }

  /// The name, or the number as text.
  package var name: String {
    switch self {
    case .flag(let name): name.text
    case .segment(let id): String(id)
    }
  }

  /// Creates an item of its kind and name; nil where there is no such kind, or the number is none.
  package init?(kind: String, name: String) {
    switch kind {
    case "flag": self = .flag(ExactName(name))
    case "segment":
      guard let id = Int(name) else { return nil }
      self = .segment(id)
    default: return nil
    }
  }

  /// Orders flags by name before segments by number.
  package static func < (one: FlagItem, other: FlagItem) -> Bool {
    switch (one, other) {
    case (.flag(let one), .flag(let other)): one < other
    case (.segment(let one), .segment(let other)): one < other
    case (.flag, .segment): true
    case (.segment, .flag): false
    }
  }
}

/// The change of one flag or segment.
package struct FlagEdit: Sendable, Equatable {
  package let item: FlagItem
  /// The JSON before and after; nil where there is none.
  package let before: String?
  package let after: String?

  package init(item: FlagItem, before: String?, after: String?) {
    self.item = item
    self.before = before
    self.after = after
  }
}

/// JSON text without white space between its parts.
enum CompactJSON {
  /// The bytes of a JSON document, its strings as they stand.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var compact: [UInt8] = []
    compact.reserveCapacity(bytes.count)
    var (isInString, isEscaped) = (false, false)
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      }
      compact.append(byte)
    }
    return String(decoding: compact, as: UTF8.self)
  }
}
