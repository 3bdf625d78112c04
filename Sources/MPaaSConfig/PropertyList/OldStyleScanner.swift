import MPaaSSupport

/// A byte that cannot stand where it does; the text is looked at only when somebody wants to know the line.
struct OldStyleFault: Error {
  let code: ConfigError.Code
  let offset: Int
  var values: [String: String] = [:]
  /// The place where the unclosed piece began.
  var opening: Int?

  func error(in bytes: [UInt8], file: String) -> ConfigError {
    let lines = TextLines(bytes)
    let (line, column) = lines.position(of: offset)
    var values = values
    values["file"] = file
    if let opening { values["line"] = "\(lines.position(of: opening).line)" }
    if values["found"] == nil { values["found"] = Self.found(bytes, offset) }
    return ConfigError(code, values, at: .text(file: file, line: line, column: column))
  }

  /// The first characters found there.
  private static func found(_ bytes: [UInt8], _ offset: Int) -> String {
    guard offset < bytes.count else { return "" }
    let word = bytes[offset...].prefix(40).prefix { $0 != 0x0a && $0 != 0x0d }
    let scalars = String(decoding: word, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 && $0 != "\u{fffd}" }
    return String(String.UnicodeScalarView(scalars.prefix(20)))
  }
}

/// Reads the old-style syntax onto a tape.
///
/// Source: the grammar that Apple's "Property List Programming Guide" calls old-style ASCII, and GNUstep's additions.
struct OldStyleScanner {
  /// The greatest depth of arrays and dictionaries.
  static let deepest = 512

  private(set) var nodes = ContiguousArray<OldStyleTape.Node>()
  private(set) var isPairs = false
  private let canBeEmpty: Bool
  private let classes: [UInt8]
  /// The containers whose end has not come, by their places on the tape.
  private var open: [Int] = []
  private var offset = 0

  init(count: Int, words: OldStyleTape.Words, canBeEmpty: Bool) {
    self.canBeEmpty = canBeEmpty
    classes = OldStyleCharacters.table(words)
    nodes.reserveCapacity(count / 24 + 8)
  }

  mutating func scan(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    if text.count >= 3, text[0] == 0xef, text[1] == 0xbb, text[2] == 0xbf { offset = 3 }
    try skip(text)
    guard offset < text.count else {
      guard canBeEmpty else { throw OldStyleFault(code: .oldStyleEmpty, offset: offset) }
      isPairs = true
      append(.dictionary, 0, offset)
      return
    }
    if text[offset] == 0x7b || text[offset] == 0x28 || text[offset] == 0x3c {
      try value(text)
    } else {
      try pairsOrString(text)
    }
    try skip(text)
    guard offset == text.count else { throw OldStyleFault(code: .oldStyleSecondValue, offset: offset) }
  }

  /// A string alone, or what `.strings` files have: pairs without braces.
  private mutating func pairsOrString(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    let start = offset
    try leaf(text)
    try skip(text)
    guard offset < text.count else { return }
    nodes.removeAll(keepingCapacity: true)
    offset = start
    isPairs = true
    append(.dictionary, 0, text.count)
    open.append(0)
    try entries(text)
  }

  /// A value and all that it holds.
  private mutating func value(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    if try begin(text) { try entries(text) }
  }

  /// Begins a value; true where a container was opened.
  private mutating func begin(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) -> Bool {
    let byte = text[offset]
    guard byte == 0x7b || byte == 0x28 else {
      try leaf(text)
      return false
    }
    guard open.count < Self.deepest else {
      throw OldStyleFault(code: .oldStyleTooDeep, offset: offset, values: ["limit": "\(Self.deepest)"])
    }
    open.append(nodes.count)
    append(byte == 0x7b ? .dictionary : .array, offset, offset + 1)
    offset += 1
    return true
  }

  /// Reads on until the containers that are open are closed.
  private mutating func entries(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    while let container = open.last {
      try skip(text)
      if nodes[container].kind == .dictionary {
        try member(text, container)
      } else if try !closes(text, 0x29, container), try !begin(text) {
        try endElement(text, container)
      }
    }
  }

  /// Tells whether the container ends here; if so it is closed, and what follows is checked.
  private mutating func closes(
    _ text: UnsafeBufferPointer<UInt8>, _ bracket: UInt8, _ container: Int
  ) throws(OldStyleFault) -> Bool {
    let isRoot = isPairs && container == 0
    guard offset < text.count else {
      guard isRoot else { throw unclosed(bracket == 0x7d ? "{" : "(", container, offset) }
      open.removeLast()
      nodes[container].next = UInt32(nodes.count)
      return true
    }
    guard text[offset] == bracket, !isRoot else { return false }
    offset += 1
    open.removeLast()
    nodes[container].end = UInt32(offset)
    nodes[container].next = UInt32(nodes.count)
    if let outer = open.last { try endEntry(text, outer) }
    return true
  }

  private mutating func member(_ text: UnsafeBufferPointer<UInt8>, _ container: Int) throws(OldStyleFault) {
    if try closes(text, 0x7d, container) { return }
    let key = nodes.count
    guard classes[Int(text[offset])] & OldStyleCharacters.string != 0 else {
      throw expected(nodes.count == container + 1 ? "key }" : "key", offset)
    }
    try leaf(text)
    try skip(text)
    guard offset < text.count else { throw unclosed("{", container, offset) }
    if text[offset] == 0x3b {
      // `key;` says that the value is the key.
      nodes.append(nodes[key])
      nodes[key + 1].next = UInt32(nodes.count)
      offset += 1
      return
    }
    guard text[offset] == 0x3d else { throw expected("=", offset) }
    offset += 1
    try skip(text)
    guard offset < text.count else { throw unclosed("{", container, offset) }
    if try !begin(text) { try endMember(text, container) }
  }

  private mutating func endEntry(_ text: UnsafeBufferPointer<UInt8>, _ container: Int) throws(OldStyleFault) {
    if nodes[container].kind == .dictionary { try endMember(text, container) } else { try endElement(text, container) }
  }

  private mutating func endMember(_ text: UnsafeBufferPointer<UInt8>, _ container: Int) throws(OldStyleFault) {
    try skip(text)
    guard offset < text.count else { throw unclosed("{", container, offset) }
    guard text[offset] == 0x3b else { throw expected(";", offset) }
    offset += 1
  }

  private mutating func endElement(_ text: UnsafeBufferPointer<UInt8>, _ container: Int) throws(OldStyleFault) {
    try skip(text)
    guard offset < text.count else { throw unclosed("(", container, offset) }
    if text[offset] == 0x2c {
      offset += 1
    } else if text[offset] != 0x29 {
      throw expected(", )", offset)
    }
  }

  /// A string, data, or a typed value of GNUstep's.
  private mutating func leaf(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    let start = offset
    let byte = text[offset]
    let kind = classes[Int(byte)]
    if kind & OldStyleCharacters.word != 0 {
      word(text)
    } else if byte == 0x22 || byte == 0x27 {
      try quoted(text, byte)
    } else if byte == 0x3c {
      try angled(text)
    } else if kind & OldStyleCharacters.sign != 0 {
      throw expected("value", start)
    } else {
      throw OldStyleFault(code: .oldStyleCharacter, offset: start)
    }
  }

  private mutating func word(_ text: UnsafeBufferPointer<UInt8>) {
    let start = offset
    classes.withUnsafeBufferPointer { classes in
      while offset < text.count, classes[Int(text[offset])] & OldStyleCharacters.word != 0 {
        // A comment ends a word; two slashes do not: `http://…` is one.
        if text[offset] == 0x2f, offset + 1 < text.count, text[offset + 1] == 0x2a, offset > start { break }
        offset += 1
      }
    }
    append(.word, start, offset)
  }

  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, _ quote: UInt8) throws(OldStyleFault) {
    let start = offset
    var hasEscapes = false
    var position = start + 1
    while position < text.count, text[position] != quote {
      if text[position] == 0x5c {
        hasEscapes = true
        position += 1
      }
      position += 1
    }
    guard position < text.count else { throw unclosed(quote == 0x22 ? "\"" : "'", start) }
    if hasEscapes, let wrong = OldStyleEscapes.fault(text, start + 1..<position) {
      throw OldStyleFault(code: .oldStyleEscape, offset: wrong)
    }
    offset = position + 1
    append(hasEscapes ? .escaped : .quoted, start, offset)
  }

  private mutating func angled(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    let start = offset
    guard let end = text[start...].firstIndex(of: 0x3e) else { throw unclosed("<", start) }
    let inside = Array(text[start + 1..<end])
    offset = end + 1
    if let first = inside.first, first == 0x2a || first == 0x5b {
      guard OldStyleTyped.content(inside) != nil else { throw OldStyleFault(code: .oldStyleTyped, offset: start) }
      append(.typed, start, offset)
    } else {
      if let wrong = OldStyleTyped.dataFault(inside) {
        throw OldStyleFault(code: .oldStyleData, offset: start + 1 + wrong)
      }
      append(.data, start, offset)
    }
  }

  private mutating func append(_ kind: OldStyleTape.Kind, _ start: Int, _ end: Int) {
    nodes.append(
      OldStyleTape.Node(kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(nodes.count + 1)))
  }

  private func expected(_ what: String, _ offset: Int) -> OldStyleFault {
    OldStyleFault(code: .oldStyleExpected, offset: offset, values: ["expected": what])
  }

  private func unclosed(_ what: String, _ start: Int) -> OldStyleFault {
    OldStyleFault(code: .oldStyleUnclosed, offset: start, values: ["sign": what], opening: start)
  }

  /// A container whose end did not come: the place is its bracket.
  private func unclosed(_ what: String, _ container: Int, _ offset: Int) -> OldStyleFault {
    guard isPairs, container == 0 else { return unclosed(what, Int(nodes[container].start)) }
    return expected(";", offset)
  }

  /// Skips blanks and comments.
  private mutating func skip(_ text: UnsafeBufferPointer<UInt8>) throws(OldStyleFault) {
    let count = text.count
    var position = offset
    while position < count {
      let byte = text[position]
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        position += 1
      } else if byte == 0x2f, position + 1 < count, text[position + 1] == 0x2f {
        while position < count, text[position] != 0x0a, text[position] != 0x0d { position += 1 }
      } else if byte == 0x2f, position + 1 < count, text[position + 1] == 0x2a {
        let start = position
        position += 2
        while position + 1 < count, text[position] != 0x2a || text[position + 1] != 0x2f { position += 1 }
        guard position + 1 < count else { throw unclosed("/*", start) }
        position += 2
      } else if byte == 0xe2, position + 2 < count, text[position + 1] == 0x80, text[position + 2] & 0xfe == 0xa8 {
        position += 3
      } else {
        break
      }
    }
    offset = position
  }
}

/// The classes of bytes.
enum OldStyleCharacters {
  /// It may stand in a string without quotes.
  static let word: UInt8 = 1
  /// A string begins with it.
  static let string: UInt8 = 2
  /// It belongs to the syntax.
  static let sign: UInt8 = 4

  static func table(_ words: OldStyleTape.Words) -> [UInt8] {
    var table = [UInt8](repeating: 0, count: 256)
    for byte in 0x80...0xff { table[byte] = word | string }
    let letters = Array(0x30...0x39) + Array(0x41...0x5a) + Array(0x61...0x7a)
    let signs = Array("_$/:.-".utf8) + (words == .gnustep ? Array("!#%&*+?@|~^".utf8) : [])
    for byte in letters + signs.map(Int.init) { table[byte] = word | string }
    for byte in "\"'".utf8 { table[Int(byte)] = string }
    for byte in "{}()<>=;,".utf8 { table[Int(byte)] = sign }
    return table
  }
}
