/// Names of types and properties from whatever stands in JSON.
package enum ModelName {
  /// Upper camel case: `user_id` → `UserId`; never empty, never a digit first.
  package static func type(_ text: String) -> String {
    let joined = words(text).map(capitalised).joined()
    return startsWell(joined) ? joined : "T" + joined
  }

  /// Lower camel case: `user_id` → `userId`, `URL` → `url`, `1st` → `_1st`.
  package static func property(_ text: String) -> String {
    let words = words(text)
    let joined = (words.first.map { $0.lowercased() } ?? "") + words.dropFirst().map(capitalised).joined()
    return startsWell(joined) ? joined : "_" + joined
  }

  /// The name, with the smallest number behind it that makes it new.
  package static func unique(_ name: String, among taken: Set<String>) -> String {
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains(name + "\(number)") { number += 1 }
    return name + "\(number)"
  }

  private static func startsWell(_ name: String) -> Bool {
    name.unicodeScalars.first.map { $0.properties.isXIDStart || $0 == "_" } ?? false
  }

  private static func capitalised(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The words of a name: at what is no letter or digit, and where capitals begin.
  static func words(_ text: String) -> [String] {
    if let words = plainWords(text), !words.isEmpty { return words }
    let spelled = spelledOut(text)
    var words: [[Unicode.Scalar]] = []
    var word: [Unicode.Scalar] = []
    let scalars = Array(spelled.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isXIDContinue, scalar != "_", scalar.value != 0xb7 else {
        if !word.isEmpty { words.append(word) }
        word = []
        continue
      }
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if let last = word.last, scalar.properties.isUppercase,
        !last.properties.isUppercase || next?.properties.isLowercase == true
      {
        words.append(word)
        word = []
      }
      word.append(scalar)
    }
    if !word.isEmpty { words.append(word) }
    let result = words.map { scalars in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let word = String(text)
      return word.count > 1 && word == word.uppercased() ? word.lowercased() : word
    }
    return result.isEmpty ? ["empty"] : result
  }

  /// The words of a name without signs that are read out, in the letters and digits that most names have; nil for others.
  private static func plainWords(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }), let first = bytes.first, first != UInt8(ascii: "+"),
      first != UInt8(ascii: "-")
    else { return nil }
    var words: [String] = []
    var start = 0
    func end(_ place: Int) {
      guard start < place else { return }
      let word = bytes[start..<place]
      let isCapitals = word.count > 1 && !word.contains(where: isSmall)
      words.append(
        String(decoding: isCapitals ? ArraySlice(word.map { isCapital($0) ? $0 + 0x20 : $0 }) : word, as: UTF8.self))
    }
    for (place, byte) in bytes.enumerated() {
      guard isSmall(byte) || isCapital(byte) || byte &- 0x30 < 10 else {
        end(place)
        start = place + 1
        continue
      }
      guard place > start, isCapital(byte) else { continue }
      if !isCapital(bytes[place - 1]) || (place + 1 < bytes.count && isSmall(bytes[place + 1])) {
        end(place)
        start = place
      }
    }
    end(bytes.count)
    return words
  }

  private static func isSmall(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
  private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

  private static let signs: [Character: String] = [
    "+": "plus", "-": "minus", "$": "dollar", "@": "at", "#": "number", "%": "percent", "*": "star", "/": "slash",
    "&": "and", ".": "dot", "_": "underscore", "<": "less", ">": "greater", "=": "equal", "!": "not", "?": "question",
    "~": "tilde", ":": "colon", " ": "space", "|": "or", "^": "caret", ",": "comma",
  ]

  /// Signs are read out where there is nothing else to read, or where they say what a number is.
  private static func spelledOut(_ text: String) -> String {
    let hasWord = text.unicodeScalars.contains { $0.properties.isXIDContinue && $0 != "_" }
    if !hasWord { return text.map { signs[$0] ?? " " }.joined(separator: " ") }
    if let first = text.first, first == "+" || first == "-", text.dropFirst().first?.isNumber == true {
      return (signs[first] ?? "") + " " + text.dropFirst()
    }
    return text
  }
}
