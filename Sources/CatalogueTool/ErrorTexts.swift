/// The texts of errors that a source of the framework declares, which apps have from there:
/// `Code("…", en: "…", enHelp: "…", zh: "…", zhHelp: "…")`, each text one literal or several joined by `+`.
struct ErrorTexts {
  /// The languages of a declaration's labels, and what the key of their texts ends with.
  private static let labels = [
    "en": ("en", ""), "enHelp": ("en", ".help"), "zh": ("zh-Hans", ""), "zhHelp": ("zh-Hans", ".help"),
  ]

  /// By language and key.
  private(set) var texts: [String: [String: String]] = [:]
  private var rest: Substring

  init(in source: String) {
    rest = source[...]
    while let place = rest.firstRange(of: "Code(") {
      rest = rest[place.upperBound...]
      readDeclaration()
    }
  }

  private mutating func readDeclaration() {
    guard let identifier = readText() else { return }
    while readSign(","), let label = readLabel(), let (language, ending) = Self.labels[label] {
      guard let text = readText() else { return }
      texts[language, default: [:]]["diagnostic." + identifier + ending] = text
    }
  }

  /// A literal, or several that are joined.
  private mutating func readText() -> String? {
    guard var text = readLiteral() else { return nil }
    while readSign("+"), let more = readLiteral() { text += more }
    return text
  }

  /// A literal without escapes but those of quotes and backslashes.
  private mutating func readLiteral() -> String? {
    guard readSign("\"") else { return nil }
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), "\"\\".contains(escaped) else { return nil }
      text.append(escaped)
    }
    return text
  }

  private mutating func readLabel() -> String? {
    rest = rest.drop(while: \.isWhitespace)
    let label = rest.prefix(while: \.isLetter)
    rest = rest[label.endIndex...]
    return readSign(":") ? String(label) : nil
  }

  /// Takes a sign, behind white space, where it comes next.
  private mutating func readSign(_ sign: Character) -> Bool {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }
}
