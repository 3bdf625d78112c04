/// The answers of the symbol table, address by address, for parts of an index.
struct SymbolRuns: Sendable {
  /// Rising addresses at which something else is said.
  let bounds: [UInt64]
  private let code: CodeRanges
  private let symbol: @Sendable (UInt64) -> SymbolMatch?

  init(_ unsorted: [UInt64], code: CodeRanges, symbol: @escaping @Sendable (UInt64) -> SymbolMatch?) {
    var bounds = unsorted
    for range in code.ranges {
      bounds.append(range.lowerBound)
      bounds.append(range.upperBound)
    }
    bounds.sort()
    var kept = 0
    for place in bounds.indices where kept == 0 || bounds[kept - 1] != bounds[place] {
      bounds[kept] = bounds[place]
      kept += 1
    }
    bounds.removeSubrange(kept...)
    self.bounds = bounds
    self.code = code
    self.symbol = symbol
  }

  /// The table's answer about any address.
  func match(_ address: UInt64) -> SymbolMatch? { symbol(address) }

  /// The table's answer about an address of code that nothing else is known of.
  func codeMatch(_ address: UInt64) -> SymbolMatch? {
    code.mayHold(address) ? symbol(address) : nil
  }
}

/// The symbols of one part, each made a node once in a row.
struct SymbolNodes {
  let runs: SymbolRuns
  let part: IndexPart
  /// The place in `bounds` that the node is of.
  private var known = -1
  private var node = IndexPart.Node.none

  init(_ runs: SymbolRuns, _ part: IndexPart) {
    self.runs = runs
    self.part = part
  }

  /// The node of the symbol at `address`, which lies before `bounds[next]` and not before the one ahead of that.
  mutating func node(at address: UInt64, next: Int) -> IndexPart.Node {
    if known == next { return node }
    known = next
    node = .none
    guard let match = runs.codeMatch(address) else { return node }
    node = part.symbol(name: part.name(match.name), start: address &- match.offset)
    return node
  }

  /// Lists a run of addresses of which only the symbol table knows something; begun and ended by the caller.
  mutating func write(_ low: UInt64, _ high: UInt64) {
    var next = runs.bounds.firstIndex(above: low)
    var address = low
    while address < high, !part.isTooLarge {
      part.row(address, node(at: address, next: next), IndexPosition())
      guard next < runs.bounds.count else { return }
      address = runs.bounds[next]
      next += 1
    }
  }
}
