/// A word of Swift that decides how what follows is read, as far as types and results go.
enum SwiftKeyword: UInt8 {
  case none
  case variable, function, initializer, subscripted, type, enumerationCase, otherwise, result, setter, control

  private static let words: [(String, SwiftKeyword)] = [
    ("var", .variable), ("let", .variable), ("func", .function), ("init", .initializer), ("subscript", .subscripted),
    ("struct", .type), ("class", .type), ("enum", .type), ("extension", .type), ("protocol", .type), ("actor", .type),
    ("case", .enumerationCase), ("default", .otherwise), ("return", .result), ("set", .setter), ("willSet", .setter),
    ("didSet", .setter), ("_modify", .setter), ("if", .control), ("guard", .control), ("switch", .control),
    ("for", .control), ("while", .control), ("repeat", .control), ("do", .control), ("catch", .control),
    ("else", .control), ("defer", .control), ("get", .control),
  ]

  /// By the word's bytes as one number, the first the lowest; of nine-letter words the first eight.
  private static let byBytes: [UInt64: SwiftKeyword] = Dictionary(
    uniqueKeysWithValues: words.map { word, keyword in (bytes(Array(word.utf8).prefix(8)), keyword) })

  private static let lengths = Set(words.map(\.0.utf8.count)).reduce(UInt64(0)) { $0 | 1 << UInt64($1) }

  private static func bytes(_ word: some Sequence<UInt8>) -> UInt64 {
    word.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  init(_ word: Slice<UnsafeBufferPointer<UInt8>>) {
    // Most words are none by their length or their first letter.
    guard word.count < 10, Self.lengths >> UInt64(word.count) & 1 == 1, let first = word.first,
      first == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "w")).contains(first)
    else {
      self = .none
      return
    }
    var packed: UInt64 = 0
    for (index, byte) in word.prefix(8).enumerated() { packed |= UInt64(byte) << UInt64(index * 8) }
    guard let found = Self.byBytes[packed],
      word.count < 9 || word.last == UInt8(ascii: "t") || word.last == UInt8(ascii: "n")
    else {
      self = .none
      return
    }
    self = found
  }
}
