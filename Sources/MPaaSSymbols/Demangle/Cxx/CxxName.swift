/// Reads a C++ name of the Itanium ABI (`_Z…`) into its parts.
///
/// Unlike the C++ library's own function it bounds what a name can grow to (a hundred bytes can be made to demangle
/// to gigabytes), and it reads names of more than 1024 bytes. It prints what that function does.
/// Source: Itanium C++ ABI, chapter 5.1 "External Names (a.k.a. Mangling)".
struct CxxName {
  struct Malformed: Error {}

  let input: [UInt8]
  var position = 0
  var nodes: [CxxNode] = []
  var substitutions: [CxxNode.Index] = []
  /// Inside the type of a conversion operator, whose own template arguments follow.
  var isConversion = false
  /// Only trying whether something can be read; then no further trial is made.
  var isLookingAhead = false
  private var depth = 0

  private init(_ input: [UInt8]) {
    self.input = input
  }

  /// The readable name; nil where it is not a mangled name, or one that grows past all bounds.
  ///
  /// - Parameter isShort: Leaves out parameters, results and template arguments.
  static func demangle(_ symbol: String, isShort: Bool = false) -> String? {
    var name = CxxName(Array(symbol.utf8))
    guard name.take("_Z"), let root = try? name.encoding(isTop: true) else { return nil }
    let suffix = name.input[name.position...]
    guard suffix.isEmpty || Self.isCloneSuffix(suffix) else { return nil }
    var printer = CxxPrinter(nodes: name.nodes, isShort: isShort)
    guard (try? printer.print(root)) != nil else { return nil }
    let text = String(decoding: printer.output, as: UTF8.self)
    return isShort ? text : text + Demangler.clone(String(decoding: suffix, as: UTF8.self))
  }

  /// Suffixes as `.part.0`, `.cold`, `.llvm.123`.
  private static func isCloneSuffix(_ suffix: ArraySlice<UInt8>) -> Bool {
    suffix.first == UInt8(ascii: ".") && suffix.count > 1
      && suffix.allSatisfy {
        isLetter($0) || RustName.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
      }
  }

  // MARK: Reading

  var peek: UInt8? { position < input.count ? input[position] : nil }

  func peek(_ offset: Int) -> UInt8? { position + offset < input.count ? input[position + offset] : nil }

  func isNext(_ text: StaticString) -> Bool {
    guard input.count - position >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      (0..<wanted.count).allSatisfy { input[position + $0] == wanted[$0] }
    }
  }

  mutating func take(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  mutating func expect(_ text: StaticString) throws(Malformed) {
    guard take(text) else { throw Malformed() }
  }

  mutating func next() throws(Malformed) -> UInt8 {
    guard position < input.count else { throw Malformed() }
    defer { position += 1 }
    return input[position]
  }

  mutating func decimal() throws(Malformed) -> Int {
    guard let first = peek, RustName.isDigit(first) else { throw Malformed() }
    var value = 0
    while let digit = peek, RustName.isDigit(digit) {
      guard value < 1 << 24 else { throw Malformed() }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  /// `_` is 0, `<number>_` is the number plus one.
  mutating func sequenceNumber() throws(Malformed) -> Int {
    if take("_") { return 0 }
    let value = try decimal()
    try expect("_")
    return value + 1
  }

  /// A substitution's number in base 36.
  mutating func seqID() throws(Malformed) -> Int {
    if take("_") { return 0 }
    var value = 0
    while !take("_") {
      let digit = try next()
      guard value < 1 << 24 else { throw Malformed() }
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value * 36 + Int(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = value * 36 + Int(digit - UInt8(ascii: "A")) + 10
      default: throw Malformed()
      }
    }
    return value + 1
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: Nodes

  mutating func add(_ node: CxxNode) -> CxxNode.Index {
    nodes.append(node)
    return nodes.count - 1
  }

  mutating func text(_ text: String) -> CxxNode.Index { add(.text(text)) }

  mutating func substitutable(_ node: CxxNode.Index) -> CxxNode.Index {
    substitutions.append(node)
    return node
  }

  /// Guards against nesting that no compiler makes.
  mutating func nested<Value>(_ body: (inout CxxName) throws(Malformed) -> Value) throws(Malformed) -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth < 256, nodes.count < 1 << 17 else { throw Malformed() }
    return try body(&self)
  }
}
