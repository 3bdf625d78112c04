/// Decides whether the runtime may be asked to demangle a Swift name: it must not be trusted with every name.
///
/// - Each back reference (`A…`) prints again what it names, which may hold references itself: a hundred bytes can be
///   made to demangle to gigabytes. A part that is named n times stands at most n + 1 times in each part around it, so
///   the product of these bounds the growth. Of half a million names of the Swift toolchain one exceeds it.
/// - The runtime of Swift 6.3 dereferences null on malformed macro expansions (`fM`) and ends the process on markers
///   of parameter packs and values (`Rv`, `RV`) outside a generic signature. Names with these operators are refused;
///   of half a million names of the toolchain that are ten.
/// - It takes all the memory there is for a specialization (`Tf`) that breaks off behind a `p`. No name of the toolchain
///   has the one and ends in the other.
///
/// Source: swift/docs/ABI/Mangling.rst, "Substitutions" and "Identifiers".
struct SwiftNameCheck {
  private let name: UnsafeRawBufferPointer
  private var position: Int
  private let beginsWithModule: Bool
  /// The times that each of the first substitutions is named; empty where none is.
  private var references: [Int] = []
  /// The same of the others, which few names have.
  private var lateReferences: [Int: Int] = [:]
  private var isRefused = false

  /// Bytes; the longest names of the toolchain are a third of this.
  private static let longest = 4096
  /// The number of times that the name's smallest part may be printed.
  private static let most = 1 << 22
  /// Substitutions that have a letter, and the one behind them.
  private static let firstCount = 27

  /// - Parameter name: Up to the dot before a suffix of the compiler's.
  static func isSafe(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count <= longest, !breaksOff(name) else { return false }
    var check = SwiftNameCheck(name)
    check.scan()
    return !check.isRefused && check.isBounded
  }

  private static func breaksOff(_ name: UnsafeRawBufferPointer) -> Bool {
    name.last == UInt8(ascii: "p") && name.indices.contains { name.begins(with: "Tf", at: $0) }
  }

  private init(_ name: UnsafeRawBufferPointer) {
    self.name = name
    // The name goes on behind the prefix `$s`, `_$s` or `_T0`.
    let mark = name.firstIndex { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "T") } ?? 0
    position = min(mark + 2, name.count)
    beginsWithModule = position < name.count && RustName.isDigit(name[position])
  }

  private var isBounded: Bool {
    var product = 1
    func add(_ count: Int) -> Bool {
      guard count < Self.most, product * (count + 1) <= Self.most else { return false }
      product *= count + 1
      return true
    }
    // The first two are the module and the first declaration's own name, unless a type comes first.
    return references.dropFirst(beginsWithModule ? 2 : 0).allSatisfy(add) && lateReferences.values.allSatisfy(add)
  }

  private mutating func count(_ substitution: Int, times: Int = 1) {
    guard substitution < Self.firstCount else { return lateReferences[substitution, default: 0] += times }
    if references.isEmpty { references = [Int](repeating: 0, count: Self.firstCount) }
    references[substitution] += times
  }

  private mutating func scan() {
    while position < name.count, !isRefused {
      switch name[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): identifier()
      case UInt8(ascii: "A"):
        position += 1
        substitutions()
      case UInt8(ascii: "S"): standardType()
      case UInt8(ascii: "f") where peek(1) == UInt8(ascii: "M"): isRefused = true
      case UInt8(ascii: "R") where (peek(1) ?? 0) | 0x20 == UInt8(ascii: "v"): isRefused = true
      case UInt8(ascii: "T"):
        // Specialisations have numbers that are no lengths.
        refuseDoubtful()
        position += 1
      default: position += 1
      }
    }
  }

  /// From where the reading is in doubt, the refused operators must not stand even where they look like parts of words.
  private mutating func refuseDoubtful() {
    for place in position..<max(position, name.count - 1) {
      let isMacro = name[place] == UInt8(ascii: "f") && name[place + 1] == UInt8(ascii: "M")
      let isMarker = name[place] == UInt8(ascii: "R") && name[place + 1] | 0x20 == UInt8(ascii: "v")
      if isMacro || isMarker { isRefused = true }
    }
  }

  /// A length and that many characters; after `0` words of earlier identifiers, by letter, the last in upper case.
  private mutating func identifier() {
    var hasWords = false
    if name[position] == UInt8(ascii: "0") {
      position += 1
      if peek(0) == UInt8(ascii: "0") {
        position += 1
      } else {
        hasWords = true
      }
    }
    repeat {
      while hasWords, let byte = peek(0), CxxName.isLetter(byte) {
        position += 1
        hasWords = byte >= UInt8(ascii: "a")
      }
      guard let digit = peek(0), RustName.isDigit(digit) else { return }
      let length = number()
      guard length > 0 else { return }
      // An operator's index ends with an underscore, and looks like a length up to there.
      if peek(0) == UInt8(ascii: "_") { refuseDoubtful() }
      position = min(position + length, name.count)
    } while hasWords
  }

  /// `S`, for some `c`, perhaps a count, and a letter.
  private mutating func standardType() {
    position += 1
    if peek(0) == UInt8(ascii: "c") { position += 1 }
    if let digit = peek(0), RustName.isDigit(digit) { _ = number() }
    if let letter = peek(0), CxxName.isLetter(letter) { position += 1 }
  }

  /// Letters after `A`, lower case but the last, each with the number of times that it is meant; or an index and `_`.
  private mutating func substitutions() {
    while let byte = peek(0) {
      var count = 1
      var isNumbered = false
      if RustName.isDigit(byte) {
        count = number()
        isNumbered = true
      }
      guard let letter = peek(0) else { return }
      if letter == UInt8(ascii: "_") {
        position += 1
        self.count(isNumbered ? count + 27 : 26)
        return
      }
      guard CxxName.isLetter(letter) else { return }
      position += 1
      self.count(Int(letter | 0x20) - Int(UInt8(ascii: "a")), times: max(count, 1))
      if letter < UInt8(ascii: "a") { return }
    }
  }

  private func peek(_ offset: Int) -> UInt8? { position + offset < name.count ? name[position + offset] : nil }

  private mutating func number() -> Int {
    var value = 0
    while let digit = peek(0), RustName.isDigit(digit) {
      value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1 << 20)
      position += 1
    }
    return value
  }
}
