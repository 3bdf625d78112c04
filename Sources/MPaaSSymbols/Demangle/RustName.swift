/// Reads a Rust v0 name (`_R…`) and prints it.
///
/// Printed as rustc's own demangler does in its short form: without crate hashes and constants' types.
/// Source: RFC 2603 and "v0 Symbol Format" of the rustc book.
struct RustName {
  private let input: [UInt8]
  var position = 0
  var output: [UInt8] = []
  /// Above 0 nothing is printed: the part is only passed over.
  private var muted = 0
  private var depth = 0
  private var steps = 0
  private var boundLifetimes: UInt64 = 0

  struct Malformed: Error {}

  /// The readable name; nil where it is not one.
  static func demangle(_ symbol: String) -> String? {
    var bytes = Array(symbol.utf8)
    guard bytes.starts(with: "_R".utf8) else { return nil }
    // The part behind a dot is the vendor's, as `.llvm.123`.
    var suffix: ArraySlice<UInt8> = []
    if let dot = bytes.firstIndex(of: UInt8(ascii: ".")) {
      suffix = bytes[dot...]
      bytes.removeSubrange(dot...)
    }
    var reader = RustName(input: Array(bytes.dropFirst(2)))
    guard (try? reader.symbol()) != nil else { return nil }
    return String(decoding: reader.output, as: UTF8.self) + Demangler.clone(String(decoding: suffix, as: UTF8.self))
  }

  init(input: [UInt8]) {
    self.input = input
  }

  private mutating func symbol() throws(Malformed) {
    guard let first = peek, Self.isUpper(first) else { throw Malformed() }
    try path(inValue: true)
    if let next = peek, Self.isUpper(next) {
      muted += 1
      try path(inValue: false)
      muted -= 1
    }
    guard position == input.count || peek == UInt8(ascii: "$") else { throw Malformed() }
  }
}

// MARK: - Reading

extension RustName {
  var peek: UInt8? { position < input.count ? input[position] : nil }

  mutating func next() throws(Malformed) -> UInt8 {
    guard position < input.count else { throw Malformed() }
    defer { position += 1 }
    return input[position]
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// A number in base 62 that ends with `_`; nothing but `_` is 0.
  mutating func base62() throws(Malformed) -> UInt64 {
    if take("_") { return 0 }
    var value: UInt64 = 0
    while !take("_") {
      let digit = try next()
      let number: UInt64
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): number = UInt64(digit - UInt8(ascii: "a")) + 10
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): number = UInt64(digit - UInt8(ascii: "A")) + 36
      default: throw Malformed()
      }
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 62)
      let (sum, carried) = product.addingReportingOverflow(number)
      guard !tooLarge, !carried else { throw Malformed() }
      value = sum
    }
    guard value < .max else { throw Malformed() }
    return value + 1
  }

  /// A base-62 number after a letter, plus one; 0 where the letter is not there.
  mutating func optional(_ letter: Unicode.Scalar) throws(Malformed) -> UInt64 {
    guard take(letter) else { return 0 }
    let value = try base62()
    guard value < .max else { throw Malformed() }
    return value + 1
  }

  mutating func decimal() throws(Malformed) -> Int {
    guard let first = peek, Self.isDigit(first) else { throw Malformed() }
    position += 1
    var value = Int(first - UInt8(ascii: "0"))
    guard value > 0 else { return 0 }
    while let digit = peek, Self.isDigit(digit), value < 1 << 20 {
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  /// An identifier without its disambiguator; `u` before the length says that it is Punycode.
  mutating func identifier() throws(Malformed) -> [UInt8] {
    let isPunycode = take("u")
    let length = try decimal()
    _ = take("_")
    guard length <= input.count - position else { throw Malformed() }
    let bytes = input[position..<position + length]
    position += length
    guard isPunycode else { return Array(bytes) }
    guard let decoded = Punycode.decode(bytes) else { throw Malformed() }
    return Array(decoded.utf8)
  }

  /// The hexadecimal digits of a constant, up to `_`.
  mutating func hexDigits() throws(Malformed) -> ArraySlice<UInt8> {
    let start = position
    while true {
      switch try next() {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): continue
      case UInt8(ascii: "_"): return input[start..<position - 1]
      default: throw Malformed()
      }
    }
  }

  static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Reads at the place that a back reference names, then goes on after it.
  mutating func backReference(_ body: (inout RustName) throws(Malformed) -> Void) throws(Malformed) {
    let start = position - 1
    guard let target = Int(exactly: try base62()), target < start else { throw Malformed() }
    // References in a part that is passed over need not be followed.
    guard muted == 0 else { return }
    let after = position
    position = target
    try body(&self)
    position = after
  }

  /// Guards against nesting and repetition that no compiler makes.
  mutating func nested(_ body: (inout RustName) throws(Malformed) -> Void) throws(Malformed) {
    depth += 1
    steps += 1
    guard depth < 200, steps < 1 << 15, output.count < 1 << 16 else { throw Malformed() }
    try body(&self)
    depth -= 1
  }

  mutating func silently(_ body: (inout RustName) throws(Malformed) -> Void) throws(Malformed) {
    muted += 1
    try body(&self)
    muted -= 1
  }

  /// Runs `body` with the lifetimes that a `for<…>` binds, if one stands here.
  mutating func binding(_ body: (inout RustName) throws(Malformed) -> Void) throws(Malformed) {
    let count = try optional("G")
    guard count <= 256 else { throw Malformed() }
    boundLifetimes += count
    if count > 0 {
      print("for<")
      for index in (0..<count).reversed() {
        try lifetime(index + 1)
        if index > 0 { print(", ") }
      }
      print("> ")
    }
    try body(&self)
    boundLifetimes -= count
  }
}

// MARK: - Printing

extension RustName {
  mutating func print(_ text: String) {
    guard muted == 0 else { return }
    output += text.utf8
  }

  mutating func print(_ bytes: [UInt8]) {
    guard muted == 0 else { return }
    output += bytes
  }

  /// A lifetime by its distance from the innermost binder; 0 is the erased one.
  mutating func lifetime(_ index: UInt64) throws(Malformed) {
    guard index > 0 else { return print("'_") }
    guard index <= boundLifetimes else {
      // Binders are not counted where nothing is printed.
      guard muted > 0 else { throw Malformed() }
      return
    }
    let depth = boundLifetimes - index
    if depth < 26 {
      print([UInt8(ascii: "'"), UInt8(ascii: "a") + UInt8(depth)])
    } else {
      print("'_\(depth)")
    }
  }

  /// A list up to `E`, with commas between.
  @discardableResult
  mutating func list(_ element: (inout RustName) throws(Malformed) -> Void) throws(Malformed) -> Int {
    var count = 0
    while !take("E") {
      if count > 0 { print(", ") }
      try element(&self)
      count += 1
    }
    return count
  }
}
