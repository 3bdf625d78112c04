import MPaaSDeclarations
package import MPaaSFlags
import MPaaSSupport

/// A Swift enumeration of the flags of a state, so that the compiler knows their names.
package struct FlagKeysSource {
  /// The code that may use the enumeration.
  package enum Access: String, Sendable, CaseIterable { case `public`, package, `internal` }

  /// The source, with a line feed at its end.
  package let text: String
  /// The number of flags in it.
  package let count: Int

  /// Writes the enumeration of a state's flags, in the order of their names.
  ///
  /// - Parameters:
  ///   - type: The name of the enumeration.
  ///   - access: The code that may use it.
  package init(_ state: FlagState, type: String = "FlagKey", access: Access = .internal) {
    let flags = Dictionary(state.flags.map { (ExactName($0.name), $0) }, uniquingKeysWith: { $1 })
      .sorted { $0.key < $1.key }.map(\.value)
    let word = access == .internal ? "" : access.rawValue + " "
    var names = CaseNames()
    var lines = [
      "// Written by `mpaas flags generate`, which replaces it.", "", "/// The flags of the app, by their keys.",
      // An enumeration with raw values has one case at least.
      flags.isEmpty
        ? "\(word)enum \(type): CaseIterable, Sendable {" : "\(word)enum \(type): String, CaseIterable, Sendable {",
    ]
    for flag in flags {
      lines += Self.comment(flag).map { $0.isEmpty ? "  ///" : "  /// " + $0 }
      lines.append("  case \(names.name(for: flag.name)) = \(Self.literal(flag.name))")
    }
    lines.append("}")
    text = lines.joined(separator: "\n") + "\n"
    count = flags.count
  }

  /// Tells whether a text can be the name of the enumeration: ASCII letters, digits and underscores, no digit first,
  /// and no word that Swift keeps for itself.
  package static func isTypeName(_ text: String) -> Bool {
    let isName = text.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 == 0x5f || $0 &- 0x30 < 10 }
    let isFree = !SwiftKeywords.reserved.contains(text) && !["Any", "Self", "Type", "Protocol", "_"].contains(text)
    return isName && isFree && text.utf8.first.map { $0 &- 0x30 >= 10 } ?? false
  }

  private static func comment(_ flag: FlagDefinition) -> [String] {
    let summary = (flag.summary ?? "").split(whereSeparator: \.isNewline).map { line in
      String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
    let first = summary.isEmpty ? ["The flag `\(visible(flag.name))`."] : summary
    guard !flag.variants.isEmpty else { return first }
    return first + ["", "Variants: " + flag.variants.map { "`\(visible($0.name))`" }.joined(separator: ", ") + "."]
  }

  private static func visible(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value >= 0x20 && $0 != "`" && $0.value != 0x7f }))
  }

  /// The text as a literal of Swift.
  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f || scalar.properties.generalCategory == .format:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

/// Names of cases for flags that are called by any text, none twice.
struct CaseNames {
  private var taken: Set<String> = []

  mutating func name(for flag: String) -> String {
    let words = flag.unicodeScalars.split { scalar in
      !(scalar.properties.isXIDContinue && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)))
    }.map { String(String.UnicodeScalarView($0)) }
    let first = words.first ?? "flag"
    let start = first.first?.isNumber == true ? "_" + first : Self.lowered(first)
    let base = start + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    var (name, number) = (base, 2)
    while !taken.insert(name).inserted {
      name = base + "_\(number)"
      number += 1
    }
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  /// `URLBar` as `urlBar`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    let head = capitals.count > 1 && capitals.count < word.count ? capitals.dropLast() : capitals
    return head.lowercased() + word.dropFirst(head.count)
  }

  private static let keywords = SwiftKeywords.reserved.union(["allCases", "rawValue", "hash", "hashValue", "none"])
}
