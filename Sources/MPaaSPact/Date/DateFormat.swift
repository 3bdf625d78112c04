import MPaaSSupport

/// A format of dates and times as Java has them: `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`.
///
/// - Source: java.time.format.DateTimeFormatter, "Patterns for Formatting and Parsing". Names of months and days are
///   English.
package struct DateFormat: Sendable, Equatable {
  indirect enum Item: Sendable, Equatable {
    case literal(String)
    /// A letter, and how often it stands.
    case field(Character, Int)
    /// A part that may be missing: `[.SSS]`.
    case optional([Item])
  }

  let items: [Item]

  /// The most bytes of a format.
  package static let longest = 256
  private static let letters = Set("GyuMLdDEeaHkKhmsSAnNzZXxVwW")

  /// Reads a format; nil where it has letters that mean nothing, or quotation marks without an end.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var rest = Array(text)[...]
    guard let items = Self.items(&rest, depth: 0), rest.isEmpty else { return nil }
    self.items = items
  }

  private static func items(_ rest: inout ArraySlice<Character>, depth: Int) -> [Item]? {
    var items: [Item] = []
    while let first = rest.first {
      if first == "]" { return depth > 0 ? items : nil }
      rest.removeFirst()
      if first == "'" {
        guard let text = quoted(&rest) else { return nil }
        items.append(.literal(text))
      } else if first == "[" {
        guard depth < 4, let inner = Self.items(&rest, depth: depth + 1), rest.popFirst() == "]" else { return nil }
        items.append(.optional(inner))
      } else if first.isASCII, first.isLetter {
        guard letters.contains(first) else { return nil }
        let more = rest.prefix { $0 == first }.count
        rest = rest.dropFirst(more)
        items.append(.field(first, more + 1))
      } else {
        items.append(.literal(String(first)))
      }
    }
    return depth == 0 ? items : nil
  }

  /// The text between quotation marks; two of them are one.
  private static func quoted(_ rest: inout ArraySlice<Character>) -> String? {
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var text = ""
    while let next = rest.popFirst() {
      guard next == "'" else {
        text.append(next)
        continue
      }
      guard rest.first == "'" else { return text }
      text.append("'")
      rest.removeFirst()
    }
    return nil
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}
