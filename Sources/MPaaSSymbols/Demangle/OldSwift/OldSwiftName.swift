/// Reads names as Swift up to 3 mangled them (`_TFC3app4View4tapsfT_T_`), which the runtime on Linux does not.
///
/// Apps of those years still crash, and their dSYMs have such names. The text comes out as today's demangler writes it.
/// The text's length is bounded, since names can repeat earlier parts.
///
/// Source: swift/docs/ABI/OldMangling.rst.
struct OldSwiftName {
  /// A place that declarations stand in, or a type that has a name.
  struct Context: Sendable {
    var text: String
    /// Tells whether what stands in it is written before it (`x in f()`), not behind (`Module.x`).
    var isBehind = false
    /// Tells whether it is a type with a name, and what is left of it without its parent.
    var ownName: String?
    var isClass = false
    /// The type that it stands in, which may be generic too.
    var parent: [Context] = []
  }

  let bytes: [UInt8]
  var position = 0
  var substitutions: [Context] = []
  private var depth = 0
  private var budget = 1 << 18

  /// More than any real name nests.
  private static let deepest = 100
  private static let longest = 1 << 14

  /// The reason why a name is not read further: it is no such name, or it grows without end.
  struct Failure: Error {}

  /// The programmer's name; nil where the symbol is none of these.
  static func demangle(_ symbol: UnsafeRawBufferPointer) -> String? {
    guard let read = read(Array(symbol), depth: 0) else { return nil }
    return read.rest.isEmpty ? read.name : read.name + " [clone \(read.rest)]"
  }

  /// Tells whether a symbol begins as these names do.
  static func matches(_ symbol: UnsafeRawBufferPointer) -> Bool {
    guard symbol.count > 2, symbol.begins(with: "_T") else { return false }
    return "tTFMWwPIvi".utf8.contains(symbol[2])
  }

  private static func read(_ bytes: [UInt8], depth: Int) -> (name: String, rest: String)? {
    guard bytes.count <= longest, bytes.starts(with: "_T".utf8) else { return nil }
    var name = OldSwiftName(bytes: bytes, position: 2, depth: depth)
    guard let text = try? name.global() else { return nil }
    return (SwiftSugar.apply(text), String(decoding: bytes[name.position...], as: UTF8.self))
  }

  private init(bytes: [UInt8], position: Int, depth: Int) {
    self.bytes = bytes
    self.position = position
    self.depth = depth
  }

  /// A name inside another one's arguments; what it is not comes back as it stands.
  func nested(_ text: String) -> String {
    guard let read = Self.read(Array(text.utf8), depth: depth + 5), read.rest.isEmpty else { return text }
    return read.name
  }
}

// MARK: - Letters and numbers

extension OldSwiftName {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func next() throws(Failure) -> UInt8 {
    guard position < bytes.count else { throw Failure() }
    position += 1
    return bytes[position - 1]
  }

  /// Steps over `text` where it comes next.
  mutating func skip(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  mutating func expect(_ text: StaticString) throws(Failure) {
    guard skip(text) else { throw Failure() }
  }

  /// Runs `body` one level deeper.
  mutating func nesting<Value>(
    _ body: (inout OldSwiftName) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard depth < Self.deepest else { throw Failure() }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  /// Counts what was put together; refuses names that grow without end.
  mutating func bounded(_ text: String) throws(Failure) -> String {
    budget -= text.utf8.count
    guard budget > 0 else { throw Failure() }
    return text
  }

  mutating func number() throws(Failure) -> Int {
    var value: Int?
    while let byte = peek, RustName.isDigit(byte) {
      value = min((value ?? 0) * 10 + Int(byte - UInt8(ascii: "0")), 1 << 24)
      position += 1
    }
    guard let value else { throw Failure() }
    return value
  }

  /// `_` for 0, `0_` for 1 and so on.
  mutating func index() throws(Failure) -> Int {
    if skip("_") { return 0 }
    let value = try number()
    try expect("_")
    return value + 1
  }

  /// The characters behind a length.
  mutating func characters() throws(Failure) -> ArraySlice<UInt8> {
    let count = try number()
    guard count > 0, count <= bytes.count - position else { throw Failure() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  var isIdentifierNext: Bool {
    peek.map { RustName.isDigit($0) || $0 == UInt8(ascii: "X") || $0 == UInt8(ascii: "o") } ?? false
  }

  /// A name: a length and characters, `X` before what is not ASCII, `o` before an operator's.
  mutating func identifier() throws(Failure) -> String {
    let isPunycode = skip("X")
    var fixity = ""
    if skip("o") {
      switch try next() {
      case UInt8(ascii: "p"): fixity = " prefix"
      case UInt8(ascii: "P"): fixity = " postfix"
      case UInt8(ascii: "i"): fixity = " infix"
      default: throw Failure()
      }
    }
    var name = String(decoding: try characters(), as: UTF8.self)
    if isPunycode { name = try Self.punycode(name) }
    return fixity.isEmpty ? name : try Self.operatorName(name) + fixity
  }

  /// Swift writes the digits 26 to 35 as `A` to `J`.
  private static func punycode(_ name: String) throws(Failure) -> String {
    var bytes = Array(name.utf8)
    let start = bytes.lastIndex(of: UInt8(ascii: "_")).map { $0 + 1 } ?? 0
    for place in start..<bytes.count where (UInt8(ascii: "A")...UInt8(ascii: "J")).contains(bytes[place]) {
      bytes[place] = bytes[place] - UInt8(ascii: "A") + UInt8(ascii: "0")
    }
    guard let text = Punycode.decode(bytes[...]) else { throw Failure() }
    return text
  }

  /// The letters `a` to `z` stand for characters; a space where a letter stands for none.
  private static let operators = Array("& @/= >    <*!|+?%-~   ^ .".unicodeScalars)

  private static func operatorName(_ letters: String) throws(Failure) -> String {
    var name = ""
    for scalar in letters.unicodeScalars {
      guard scalar.isASCII else {
        name.unicodeScalars.append(scalar)
        continue
      }
      let index = Int(scalar.value) - 97
      guard operators.indices.contains(index), operators[index] != " " else { throw Failure() }
      name.unicodeScalars.append(operators[index])
    }
    return name
  }
}
