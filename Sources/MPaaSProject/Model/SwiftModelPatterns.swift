/// The part of the support that knows regular expressions.
enum SwiftModelPatterns {
  static let source = #"""
    /// A regular expression, made once: plain sequences of characters are matched outright, all others by `Regex`.
    ///
    /// Its members never change, and a `Regex` made of a text has no closures that could.
    struct JSONPattern: @unchecked Sendable {
      /// As the schema has it.
      let shown: String
      private let sequence: JSONCharacterSequence?
      private let regex: Regex<AnyRegexOutput>?

      init(_ pattern: String, shown: String? = nil) {
        self.shown = shown ?? pattern
        sequence = JSONCharacterSequence(pattern)
        regex =
          sequence != nil
          ? nil
          : (try? Regex(pattern))?.asciiOnlyDigits().asciiOnlyWordCharacters()
            .wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
      }

      /// A pattern for the whole of a text.
      init(whole pattern: String) {
        self.init("^(?:" + pattern + ")$")
      }

      /// Tells whether it is found anywhere in a text.
      func isFound(in text: String) -> Bool {
        if let sequence { return sequence.isFound(in: text) }
        guard let regex else { return false }
        return text.contains(regex)
      }
    }

    /// A regular expression without groups and choices: sets of ASCII characters, each repeated some times.
    private struct JSONCharacterSequence {
      private struct Item {
        /// A bit for each character.
        var low: UInt64 = 0
        var high: UInt64 = 0
        var least = 1
        var most = 1

        mutating func insert(_ bytes: ClosedRange<UInt8>) {
          for byte in bytes {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
          }
        }

        func contains(_ byte: UInt8) -> Bool {
          switch byte {
          case ..<64: low >> UInt64(byte) & 1 == 1
          case ..<128: high >> UInt64(byte - 64) & 1 == 1
          default: false
          }
        }
      }

      private var items: [Item] = []
      private let isAtStart: Bool
      private let isAtEnd: Bool

      /// - Returns: nil for what is no such sequence.
      init?(_ pattern: String) {
        var rest = pattern.utf8[...]
        if rest.starts(with: "^(?:".utf8), rest.last == UInt8(ascii: "$"),
          rest.dropLast().last == UInt8(ascii: ")")
        {
          // A bracket inside would make another sign of the pattern fail.
          rest = rest.dropFirst(4).dropLast(2)
          (isAtStart, isAtEnd) = (true, true)
        } else {
          isAtStart = rest.first == UInt8(ascii: "^")
          rest = rest.dropFirst(isAtStart ? 1 : 0)
          isAtEnd =
            rest.last == UInt8(ascii: "$") && rest.dropLast().last != UInt8(ascii: "\\")
          rest = rest.dropLast(isAtEnd ? 1 : 0)
        }
        while let byte = rest.popFirst() {
          guard var item = Self.item(byte, &rest), Self.repetition(&item, &rest) else { return nil }
          items.append(item)
        }
      }

      private static func item(_ byte: UInt8, _ rest: inout Substring.UTF8View) -> Item? {
        var item = Item()
        switch byte {
        case UInt8(ascii: "\\"):
          guard let next = rest.popFirst(), escaped(next, &item) else { return nil }
        case UInt8(ascii: "["):
          guard set(&rest, &item) else { return nil }
        case let byte where isPlain(byte) || " #:@,/-_=!%&~;'\"<>".utf8.contains(byte):
          item.insert(byte...byte)
        default: return nil
        }
        return item
      }

      private static func isPlain(_ byte: UInt8) -> Bool {
        48...57 ~= byte || 97...122 ~= byte | 0x20
      }

      /// Reads what follows a backslash: a sign that stands for itself, digits, or what words are made of.
      private static func escaped(_ byte: UInt8, _ item: inout Item) -> Bool {
        switch byte {
        case UInt8(ascii: "d"): item.insert(48...57)
        case UInt8(ascii: "w"):
          for bytes in [48...57, 65...90, 95...95, 97...122] as [ClosedRange<UInt8>] {
            item.insert(bytes)
          }
        case 33...126 where !isPlain(byte): item.insert(byte...byte)
        default: return false
        }
        return true
      }

      /// The inside of brackets, up to the closing one.
      private static func set(_ rest: inout Substring.UTF8View, _ item: inout Item) -> Bool {
        guard rest.first != UInt8(ascii: "^"), rest.first != UInt8(ascii: "]") else { return false }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
          guard !"[&".utf8.contains(byte), byte < 127 else { return false }
          if byte == UInt8(ascii: "\\") {
            guard let next = rest.popFirst(), escaped(next, &item), rest.first != UInt8(ascii: "-")
            else { return false }
          } else if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") {
            guard let last = rest.dropFirst().first, isPlain(byte), isPlain(last), byte <= last else {
              return false
            }
            item.insert(byte...last)
            rest = rest.dropFirst(2)
          } else {
            guard byte != UInt8(ascii: "-") || rest.first == UInt8(ascii: "]"),
              byte != UInt8(ascii: "~"), byte >= 32
            else { return false }
            item.insert(byte...byte)
          }
          if rest.isEmpty { return false }
        }
        return true
      }

      private static func repetition(_ item: inout Item, _ rest: inout Substring.UTF8View) -> Bool {
        switch rest.first {
        case UInt8(ascii: "*"): (item.least, item.most) = (0, .max)
        case UInt8(ascii: "+"): (item.least, item.most) = (1, .max)
        case UInt8(ascii: "?"): (item.least, item.most) = (0, 1)
        case UInt8(ascii: "{"): return counted(&item, &rest)
        default: return true
        }
        rest.removeFirst()
        return !"*+?{".utf8.contains(rest.first ?? 0)
      }

      /// `{2}`, `{2,}` or `{2,3}`.
      private static func counted(_ item: inout Item, _ rest: inout Substring.UTF8View) -> Bool {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
        let parts = rest[..<end].dropFirst().split(separator: 44, omittingEmptySubsequences: false)
        rest = rest[rest.index(after: end)...]
        guard 1...2 ~= parts.count, let least = Int(Substring(parts[0])) else { return false }
        let last = parts.count == 1 ? least : parts[1].isEmpty ? Int.max : Int(Substring(parts[1]))
        guard let last, 0...last ~= least else { return false }
        (item.least, item.most) = (least, last)
        return !"*+?{".utf8.contains(rest.first ?? 0)
      }

      func isFound(in text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { isFound(in: $0) }
        return found ?? Array(text.utf8).withUnsafeBufferPointer { isFound(in: $0) }
      }

      private func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if matches(bytes, at: 0, 0) { return true }
        return !isAtStart && bytes.count > 0 && (1...bytes.count).contains { matches(bytes, at: $0, 0) }
      }

      /// Tells whether the items from `index` on are at a place: as many of each as can be, fewer where that fails.
      private func matches(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ index: Int) -> Bool {
        var (place, index) = (start, index)
        while index < items.count {
          let item = items[index]
          var end = place
          while end < bytes.count, end - place < item.most, item.contains(bytes[end]) { end += 1 }
          guard end - place >= item.least else { return false }
          index += 1
          if item.least < item.most, index < items.count {
            let least = place + item.least
            while end > least {
              if matches(bytes, at: end, index) { return true }
              end -= 1
            }
          }
          place = end
        }
        return !isAtEnd || place == bytes.count
      }
    }

    """#
}
