import MPaaSBuckets
import MPaaSPattern
import MPaaSSupport

/// All flags at one time, made for being evaluated: it never changes, and threads share it without a lock.
///
/// An evaluation allocates nothing.
public final class FlagSnapshot: Sendable {
  let flags: [CompiledFlag]
  let strategies: [CompiledStrategy]
  let constraints: [CompiledConstraint]
  let segmentNumbers: [Int32]
  /// The constraints of each segment.
  let segments: [Run]
  let variants: [CompiledVariant]
  let variantTexts: [FlagVariant]
  let overrides: [CompiledOverride]
  let parents: [CompiledParent]
  let networks: [NetworkRange]
  let patterns: [Pattern]
  let propertyNames: [String]
  /// Texts of lists, each a run of `bytes`.
  let texts: [Run]
  let bytes: [UInt8]
  /// Tables of texts by their hash: numbers of texts, -1 where there is none.
  let tables: [Int32]
  /// The names of the flags.
  let names: TextList
  /// The number of the first text of `names`.
  private let firstName: Int
  let seed: UInt32
  /// Things in the state that have no meaning, each with the flag that is off for it.
  package let problems: [FlagProblem]

  /// Makes a snapshot of a state.
  package init(_ state: FlagState) {
    var compiler = FlagCompiler(state)
    compiler.compile()
    (flags, strategies, constraints) = (compiler.flags, compiler.strategies, compiler.constraints)
    (segmentNumbers, segments) = (compiler.segmentNumbers, compiler.segments)
    (variants, variantTexts, overrides) = (compiler.variants, compiler.variantTexts, compiler.overrides)
    (parents, networks, patterns) = (compiler.parents, compiler.networks, compiler.patterns)
    propertyNames = compiler.fields.names
    (texts, bytes, tables, seed) = (
      compiler.store.texts, compiler.store.bytes, compiler.store.tables, compiler.store.seed
    )
    names = compiler.names
    firstName = Int(compiler.names.texts.start)
    problems = compiler.problems
  }

  /// Makes a snapshot without flags: all are off.
  public convenience init() { self.init(FlagState()) }

  /// Reads a state of Unleash's client API and makes a snapshot of it.
  ///
  /// - Throws: `FlagError` where the bytes are no state, or pass a limit.
  public convenience init(json bytes: UnsafeRawBufferPointer) throws(FlagError) {
    self.init(try FlagState(json: bytes))
  }

  /// The number of flags.
  public var count: Int { flags.count }

  /// Tells whether there is a flag of a name.
  public func contains(_ name: String) -> Bool { number(of: name) != nil }

  /// The number of a flag; nil where there is none of that name.
  func number(of name: String) -> Int? {
    name.withBytes { find($0, in: names) }.map { $0 - firstName }
  }

  // MARK: - Texts

  /// The bytes of a text.
  @inline(__always)
  func withText<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[texts[number].range])) }
  }

  private func isText(_ number: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    texts[number].count == wanted.count && withText(number) { $0.elementsEqual(wanted) }
  }

  /// The number of a text in a list; nil where it is not there.
  func find(_ wanted: UnsafeBufferPointer<UInt8>, in list: TextList) -> Int? {
    guard list.table.count > 0 else { return list.texts.range.first { isText($0, wanted) } }
    let mask = Int(list.table.count) - 1
    var hash = MurmurHash3(seed: seed)
    hash.append(wanted)
    var place = Int(hash.value) & mask
    while case let number = Int(tables[Int(list.table.start) + place]), number >= 0 {
      if isText(number, wanted) { return number }
      place = (place + 1) & mask
    }
    return nil
  }

  func contains(_ wanted: String, in list: TextList) -> Bool {
    wanted.withBytes { find($0, in: list) != nil }
  }
}
