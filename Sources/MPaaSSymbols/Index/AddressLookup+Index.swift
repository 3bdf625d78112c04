import MPaaSSupport
import Synchronization

extension AddressLookup: IndexableLookup {
  package func indexSource() -> IndexSource? {
    guard let symbolBounds else { return nil }
    let symbols = SymbolRuns(symbolBounds(), code: code, symbol: symbol)
    let symbolSize = symbols.bounds.count * 64
    guard let file, !file.isEmpty else { return gaps([0..<UInt64.max], symbols, symbolSize) }
    let runs = UnitRuns(units: file.headers.count, first: rootIndex(file), second: contentIndex(file))
    let rest = gaps(runs.gaps, symbols, symbolSize)
    let units = file.headers.indices.filter { !runs.ofUnits[$0].isEmpty }
    let budget = LineBudget(file)
    return IndexSource(
      costs: units.map { file.headers[$0].end - file.headers[$0].offset } + rest.costs,
      size: file.info.count + file.lines.count + symbolSize
    ) { number, part in
      if number < units.count {
        self.write(units[number], runs.ofUnits[units[number]], symbols, budget, part)
      } else {
        rest.write(number - units.count, part)
      }
    } finish: {
      // Mapped pages come again when somebody reads them; until then they only count as ours.
      for bytes in [file.info, file.lines, file.ranges, file.rangeLists] { bytes.release(bytes.count) }
    }
  }

  /// Addresses that no unit answers for, a part for some thousand symbols each.
  private func gaps(_ gaps: [Range<UInt64>], _ symbols: SymbolRuns, _ size: Int) -> IndexSource {
    let perPart = 4096
    var pieces: [[Range<UInt64>]] = []
    var count = perPart
    for gap in gaps {
      var low = gap.lowerBound
      while low < gap.upperBound {
        if count >= perPart {
          pieces.append([])
          count = 0
        }
        let next = symbols.bounds.firstIndex(above: low) + (perPart - count)
        let high = next < symbols.bounds.count ? min(symbols.bounds[next], gap.upperBound) : gap.upperBound
        count += symbols.bounds.firstIndex(above: high) - (next - (perPart - count)) + 1
        pieces[pieces.count - 1].append(low..<high)
        low = high
      }
    }
    let all = pieces
    return IndexSource(costs: [Int](repeating: perPart * 16, count: all.count), size: size) { number, part in
      var nodes = SymbolNodes(symbols, part)
      for range in all[number] {
        part.begin()
        nodes.write(range.lowerBound, range.upperBound)
        // The last run has no end.
        if range.upperBound < .max { part.end(range.upperBound) }
      }
    }
  }

  private func write(
    _ number: Int, _ runs: [UnitRuns.Run], _ symbols: SymbolRuns, _ budget: LineBudget, _ part: IndexPart
  ) {
    guard let file, let unit = file.unit(number) else { return }
    let body = body(of: unit)
    if body === unit, unit.root.splitName.isPresent { part.isIncomplete = true }
    let lines = unit.root.statementList.offset.flatMap { offset in
      budget.take(unit, at: offset) { LineTable(unit, at: offset, code: code) }
    }
    var lister = UnitLister(unit, body: body, lines: lines, code: code, symbols, part)
    for run in runs { lister.write(run) }
  }
}

/// Bytes of line tables that may still be read: units may name one another's, or all the same one.
private final class LineBudget: Sendable {
  private let left: Mutex<Int>

  init(_ file: DWARFFile) {
    left = Mutex(4 * file.lines.count + 4096)
  }

  func take(_ unit: DWARFUnit, at offset: UInt64, _ read: () -> LineTable?) -> LineTable? {
    guard left.withLock({ $0 > 0 }), let table = read() else { return nil }
    left.withLock { $0 -= table.header.program.count }
    return table
  }
}
