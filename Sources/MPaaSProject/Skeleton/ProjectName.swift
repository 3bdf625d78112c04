import MPaaSPinyin
import MPaaSSupport

/// The name of a project or of a part of one, and what is made of it.
package struct ProjectName: Sendable, Hashable {
  /// As given.
  package let text: String
  /// A Swift type's and module's name: ASCII letters and digits, an upper-case letter first.
  package let identifier: String
  /// A part of a bundle identifier: ASCII letters, digits and hyphens, a letter first.
  package let bundlePart: String

  /// - Throws: `TemplateError` `project-name-…` where no folder can or should have the name.
  package init(_ text: String) throws(TemplateError) {
    try Self.check(text)
    self.text = text
    identifier = Self.typeName(text)
    bundlePart = Self.bundlePart(text)
  }

  private init(text: String, identifier: String, bundlePart: String) {
    self.text = text
    self.identifier = identifier
    self.bundlePart = bundlePart
  }

  /// The same name with another identifier.
  ///
  /// - Throws: `TemplateError` `project-identifier-wrong`.
  package func named(_ identifier: String) throws(TemplateError) -> ProjectName {
    guard SwiftWords.isTypeName(identifier) else {
      let shown = String(identifier.prefix(80))
      throw TemplateError(
        .identifierWrong, ["value": shown.isPlainText ? shown : "?", "suggestion": Self.typeName(identifier)])
    }
    return ProjectName(text: text, identifier: identifier, bundlePart: bundlePart)
  }

  /// Bytes; a folder's name may have 255, and file names are made of it.
  static let longest = 100

  private static func check(_ text: String) throws(TemplateError) {
    guard !text.trimmed.isEmpty else { throw TemplateError(.nameEmpty) }
    func refused(_ code: TemplateError.Code, _ character: String = "") -> TemplateError {
      let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60).map { isSeen($0) ? $0 : "?" }))
      return TemplateError(code, ["name": shown, "character": character])
    }
    guard text.unicodeScalars.allSatisfy(isSeen), text.trimmed == text else { throw refused(.nameControl) }
    if let separator = text.first(where: { "/\\:".contains($0) }) { throw refused(.nameSeparator, String(separator)) }
    guard !text.hasPrefix("."), !text.hasPrefix("-") else { throw refused(.nameDot, String(text.prefix(1))) }
    if let wrong = text.first(where: { "\"'`<>|?*$%{}\u{0}".contains($0) }) {
      throw refused(.nameCharacter, String(wrong))
    }
    guard text.utf8.count <= longest else { throw refused(.nameLong) }
  }

  /// Neither a control nor a character that only changes how others look, but what joins emoji; nor the one that stands
  /// for bytes that are no text.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
    if scalar == "\u{fffd}" { return false }
    switch scalar.properties.generalCategory {
    case .format: return scalar == "\u{200d}"
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return false
    default: return true
    }
  }

  // MARK: - Identifiers

  /// `my-app 2` is `MyApp2`, `2048` is `App2048`, `café` is `Cafe`, `string` is `StringApp`, `购物` is `Gouwu`,
  /// `购物中心 Pro` is `GouwuZhongxinPro`, `アプリ` is `MyApp`.
  package static func typeName(_ text: String) -> String {
    let name = String(joinedWords(text).prefix(60))
    guard !name.isEmpty else { return fallback }
    return SwiftWords.isTypeName(name) ? name : name + "App"
  }

  /// The words with upper-case letters first, a letter before a digit at the start; empty where there are none.
  static func joinedWords(_ text: String) -> String {
    let name = words(of: text).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.utf8.first else { return "" }
    return first &- UInt8(ascii: "0") < 10 ? "App" + name : name
  }

  static func bundlePart(_ text: String) -> String {
    let part = words(of: text).joined(separator: "-")
    guard let first = part.utf8.first else { return fallback.lowercased() }
    let whole = (first &- UInt8(ascii: "0") < 10 ? "app-" + part : part).prefix(60)
    return String(whole.last == "-" ? whole.dropLast() : whole)
  }

  /// For names that have no letter that ASCII knows.
  private static let fallback = "MyApp"

  /// The runs of ASCII letters and digits, letters of other alphabets that are one with a mark taken as that one.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var isInside = false
    for character in ChineseWords.spelled(text) {
      let plain = plain(character)
      if !plain.isEmpty {
        if isInside { words[words.count - 1] += plain } else { words.append(plain) }
      }
      // An apostrophe does not end a word; other letters do, as nothing stands for them.
      isInside = !plain.isEmpty
    }
    return words
  }

  private static func plain(_ character: Character) -> String {
    if let byte = character.asciiValue {
      return (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 ? String(character) : ""
    }
    return LatinLetters.plain[character] ?? ""
  }
}

/// Chinese words as they are read.
private enum ChineseWords {
  private static let converter: PinyinConverter = {
    var options = PinyinOptions(.plain, engine: .dictionary)
    options.joinsWords = true
    return PinyinConverter(options)
  }()

  /// The text with its Chinese words in pinyin without tones and apostrophes, ü as v.
  ///
  /// A text with kana is Japanese: its characters are not read as Chinese ones are.
  static func spelled(_ text: String) -> String {
    guard !text.unicodeScalars.contains(where: { (0x3040...0x30ff).contains($0.value) }) else { return text }
    var spelled = ""
    var run = ""
    func endRun() {
      guard !run.isEmpty else { return }
      spelled += " " + converter.pinyin(run).replacing("'", with: "") + " "
      run = ""
    }
    for character in text {
      if character.unicodeScalars.allSatisfy(\.properties.isIdeographic) {
        run.append(character)
      } else {
        endRun()
        spelled.append(character)
      }
    }
    endRun()
    return spelled
  }
}

/// Latin letters with marks.
private enum LatinLetters {
  /// By canonical equivalence, on which a character's equality rests.
  static let plain: [Character: String] = {
    var plain: [Character: String] = [
      "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d",
      "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i",
    ]
    let marks: [Unicode.Scalar] = (0x300...0x32f).compactMap { Unicode.Scalar($0) }
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
      for mark in marks { plain[Character("\(letter)\(mark)")] = String(letter) }
    }
    return plain
  }()
}
