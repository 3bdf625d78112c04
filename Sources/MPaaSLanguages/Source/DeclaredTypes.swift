/// What the declarations of a Swift source say about the specifiers that names become.
///
/// `let count: Int` and `var price = 9.5` say it; a name that is declared differently elsewhere in the file says nothing.
final class DeclaredTypes {
  private let text: UnsafeBufferPointer<UInt8>
  /// Read when the first name is asked for, in one go over the file.
  private lazy var specifiers = read()

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  func specifier(of name: String) -> String? { specifiers[name] ?? nil }

  private static let types: [String: String] = [
    "Int": "%lld", "Int64": "%lld", "UInt": "%llu", "UInt64": "%llu", "Int32": "%d", "Int16": "%d", "Int8": "%d",
    "UInt32": "%u", "UInt16": "%u", "UInt8": "%u", "Double": "%lf", "CGFloat": "%lf", "TimeInterval": "%lf",
    "Float": "%f", "String": "%@", "Substring": "%@",
  ]

  private func read() -> [String: String?] {
    var found: [String: String?] = [:]
    var offset = 0
    while offset < text.count {
      guard SourceBytes.isWord(text[offset]) else {
        offset += 1
        continue
      }
      let name = word(at: offset)
      offset = name.upperBound
      guard let specifier = declared(behind: offset) else { continue }
      let key = string(name)
      if let other = found[key] {
        if other != specifier { found[key] = .some(nil) }
      } else {
        found[key] = specifier
      }
    }
    return found
  }

  private func declared(behind end: Int) -> String? {
    let mark = skipBlank(end)
    guard mark < text.count, text[mark] == UInt8(ascii: ":") || text[mark] == UInt8(ascii: "=") else { return nil }
    let start = skipBlank(mark + 1)
    guard start < text.count else { return nil }
    if text[mark] == UInt8(ascii: "="), text[start] == UInt8(ascii: "\"") { return "%@" }
    let value = word(at: start)
    guard !value.isEmpty else { return nil }
    if text[mark] == UInt8(ascii: ":") {
      let next = value.upperBound < text.count ? text[value.upperBound] : 0
      // `Int.Type`, `Int?`, `Int...` and `Double<…>` are something else.
      guard ![0x2e, 0x3f, 0x3c].contains(next), value.count < 16 else { return nil }
      return Self.types[string(value)]
    }
    guard (0x30...0x39).contains(text[start]), value.count < 20 else { return nil }
    let isFraction =
      value.upperBound + 1 < text.count && text[value.upperBound] == UInt8(ascii: ".")
      && (0x30...0x39).contains(text[value.upperBound + 1])
    return isFraction ? "%lf" : Int(string(value).replacing("_", with: "")) == nil ? nil : "%lld"
  }

  private func word(at start: Int) -> Range<Int> {
    var end = start
    while end < text.count, SourceBytes.isWord(text[end]) { end += 1 }
    return start..<end
  }

  private func skipBlank(_ start: Int) -> Int {
    var offset = start
    while offset < text.count, text[offset] == 0x20 || text[offset] == 0x09 { offset += 1 }
    return offset
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }
}
