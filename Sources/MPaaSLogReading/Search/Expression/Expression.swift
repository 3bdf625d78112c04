import MPaaSLogs

/// A regular expression as far as bytes can tell what it matches.
///
/// It matches at least all that the expression matches. Where it may match more, `isApproximate` says so, and what it
/// finds is looked at once more by the engine of regular expressions.
struct Expression {
  indirect enum Node {
    /// Matches everywhere.
    case empty
    /// One scalar of a set.
    case scalar(ScalarSet)
    case sequence([Node])
    case choice([Node])
    case repeated(Node, least: Int, most: Int?)
    /// The beginning of a line, and the end of one.
    case lineStart, lineEnd
    /// A place where a word begins or ends, or where neither does.
    case boundary(Bool)
    /// Any text, line feeds too: what bytes cannot tell.
    case anything
  }

  var node: Node
  /// Tells whether it may match what the expression does not.
  var isApproximate = false
  /// The same, for text with scalars beyond ASCII only.
  var isApproximateBeyondASCII = false
  /// Tells whether it asks where words begin and end.
  var hasBoundaries = false
}

/// Scalars, those of ASCII one by one.
struct ScalarSet: Equatable {
  enum Others: Equatable {
    case none
    case some([Unicode.Scalar])
    case any
  }

  /// A bit for each of 0…127.
  private(set) var low: (UInt64, UInt64) = (0, 0)
  var others = Others.none

  static func == (one: ScalarSet, other: ScalarSet) -> Bool {
    one.low == other.low && one.others == other.others
  }

  static let all = ScalarSet(low: (.max, .max), others: .any)

  private init(low: (UInt64, UInt64), others: Others) {
    self.low = low
    self.others = others
  }

  init() {}

  init(_ ascii: some Sequence<UInt8>) { for byte in ascii { insert(byte) } }

  init(_ scalar: Unicode.Scalar) {
    if scalar.isASCII { insert(UInt8(scalar.value)) } else { others = .some([scalar]) }
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low.0 >> UInt64(byte) & 1 == 1 : byte < 128 && low.1 >> UInt64(byte - 64) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    if byte < 64 { low.0 |= 1 << UInt64(byte) } else if byte < 128 { low.1 |= 1 << UInt64(byte - 64) }
  }

  mutating func formUnion(_ other: ScalarSet) {
    low = (low.0 | other.low.0, low.1 | other.low.1)
    switch (others, other.others) {
    case (.any, _), (_, .any): others = .any
    case (.some(let mine), .some(let theirs)): others = .some(mine + theirs)
    case (.none, let theirs): others = theirs
    case (_, .none): break
    }
  }

  /// All others; of those beyond ASCII at least all others.
  var inverted: ScalarSet { ScalarSet(low: (~low.0, ~low.1), others: .any) }

  /// Adds the other case of ASCII letters.
  mutating func foldASCII() {
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") where contains(byte) || contains(byte - 32) {
      insert(byte)
      insert(byte - 32)
    }
  }

  /// The one byte sequence that it stands for, in lower case; nil where it stands for more.
  ///
  /// - Returns: The bytes, and whether either case of a letter is meant.
  var single: (bytes: [UInt8], folds: Bool)? {
    let count = low.0.nonzeroBitCount + low.1.nonzeroBitCount
    if count == 0, case .some(let scalars) = others, scalars.count == 1 {
      return (Array(String(scalars[0]).utf8), false)
    }
    guard others == .none, count == 1 || count == 2 else { return nil }
    let first = low.0 != 0 ? UInt8(low.0.trailingZeroBitCount) : UInt8(64 + low.1.trailingZeroBitCount)
    if count == 1 { return ([first], false) }
    guard (0x41...0x5a).contains(first), contains(first + 32) else { return nil }
    return ([first + 32], true)
  }

  static let digits = ScalarSet(low: ScalarSet(UInt8(ascii: "0")...UInt8(ascii: "9")).low, others: .any)
  static let words: ScalarSet = {
    var set = digits
    set.formUnion(ScalarSet(UInt8(ascii: "A")...UInt8(ascii: "Z")))
    set.formUnion(ScalarSet("_".utf8))
    set.foldASCII()
    return set
  }()
  static let spaces = ScalarSet(low: ScalarSet([9, 10, 11, 12, 13, 32] as [UInt8]).low, others: .any)
  static let blanks = ScalarSet(low: ScalarSet([9, 32] as [UInt8]).low, others: .any)
  static let breaks = ScalarSet(low: ScalarSet([10, 11, 12, 13] as [UInt8]).low, others: .any)
  /// All that a dot may match: whether a carriage return is among it the engine says.
  static let dot: ScalarSet = {
    var set = ScalarSet([10] as [UInt8]).inverted
    set.others = .any
    return set
  }()
}
