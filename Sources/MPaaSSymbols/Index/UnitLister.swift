/// Lists what a unit says about its addresses into a part of an index, as `AddressLookup` would answer for each.
struct UnitLister {
  private let unit: DWARFUnit
  private let body: DWARFUnit
  private let functions: FunctionTable
  private let lines: LineTable?
  private let lineRuns: LineRuns
  private let part: IndexPart
  private let symbols: SymbolRuns
  private var symbolNodes: SymbolNodes

  /// The node of each function and call, and of which symbol its outermost function is.
  private var nodes: [IndexPart.Node]
  private var symbolOfNode: [Int]
  /// Names by the entry that they stand at.
  private var names: [UInt32: UInt32] = [:]
  private var files: [UInt32: UInt32] = [:]
  private var lastFile: (number: UInt32, file: UInt32)?

  init(
    _ unit: DWARFUnit, body: DWARFUnit, lines: LineTable?, code: CodeRanges, _ symbols: SymbolRuns, _ part: IndexPart
  ) {
    self.unit = unit
    self.body = body
    self.lines = lines
    self.part = part
    self.symbols = symbols
    functions = FunctionTable(body, code: code)
    lineRuns = LineRuns(lines)
    symbolNodes = SymbolNodes(symbols, part)
    nodes = [IndexPart.Node](repeating: .none, count: functions.nodes.count)
    symbolOfNode = [Int](repeating: -1, count: functions.nodes.count)
  }

  /// Lists a run of addresses that the unit answers for, and the gap behind it.
  mutating func write(_ run: UnitRuns.Run) {
    part.begin()
    var address = run.low
    var function = functions.starts.firstIndex(above: address)
    var line = lineRuns.starts.firstIndex(above: address)
    var symbol = symbols.bounds.firstIndex(above: address)
    while !part.isTooLarge {
      add(address, function, line, symbol)
      var next = run.high
      if function < functions.starts.count { next = min(next, functions.starts[function]) }
      if line < lineRuns.starts.count { next = min(next, lineRuns.starts[line]) }
      if symbol < symbols.bounds.count { next = min(next, symbols.bounds[symbol]) }
      guard next < run.high else { break }
      address = next
      if function < functions.starts.count, functions.starts[function] == next { function += 1 }
      if line < lineRuns.starts.count, lineRuns.starts[line] == next { line += 1 }
      if symbol < symbols.bounds.count, symbols.bounds[symbol] == next { symbol += 1 }
    }
    symbolNodes.write(run.high, run.end)
    part.end(run.end)
  }

  private mutating func add(_ address: UInt64, _ function: Int, _ line: Int, _ symbol: Int) {
    var position = IndexPosition()
    if line > 0, lineRuns.rows[line - 1] >= 0, let lines {
      let row = lines.positions[Int(lineRuns.rows[line - 1])]
      position = IndexPosition(
        file: file(row.file), line: row.line, column: UInt32(row.column), discriminator: row.discriminator)
    }
    if function > 0, functions.owners[function - 1] >= 0 {
      part.row(address, node(Int(functions.owners[function - 1]), address, symbol), position)
    } else {
      part.row(address, symbolNodes.node(at: address, next: symbol), position)
    }
  }

  /// The file of the part for one of the line table.
  private mutating func file(_ number: UInt32) -> UInt32 {
    if let lastFile, lastFile.number == number { return lastFile.file }
    let file: UInt32
    if let known = files[number] {
      file = known
    } else {
      file = part.file(lines?.joinedPath(number, of: unit), digest: lines?.digest(of: number))
      files[number] = file
    }
    lastFile = (number, file)
    return file
  }

  /// The node of a function or call, made with those that it is inlined into.
  private mutating func node(_ index: Int, _ address: UInt64, _ symbol: Int) -> IndexPart.Node {
    if symbolOfNode[index] == symbol { return nodes[index] }
    // From the outermost inwards; parents stand before their children.
    var chain: [Int] = []
    var current = index
    while symbolOfNode[current] != symbol {
      chain.append(current)
      let parent = Int(functions.nodes[current].parent)
      guard parent >= 0 else { break }
      current = parent
    }
    for index in chain.reversed() {
      let entry = functions.nodes[index]
      nodes[index] = entry.parent < 0 ? outer(entry, address) : call(entry)
      symbolOfNode[index] = symbol
    }
    return nodes[index]
  }

  private mutating func call(_ entry: FunctionNode) -> IndexPart.Node {
    let position = IndexPosition(
      file: file(entry.callFile), line: entry.callLine, column: UInt32(UInt16(clamping: entry.callColumn)))
    return part.call(name: name(of: entry), in: nodes[Int(entry.parent)], at: position)
  }

  private func outer(_ entry: FunctionNode, _ address: UInt64) -> IndexPart.Node {
    let place = UInt64(body.header.offset) + UInt64(entry.entry)
    let match = symbols.match(address)
    let name: String?
    if let match, match.isInside, match.isOwn {
      name = match.name
    } else {
      name = AddressLookup.name(body.functionName(at: place), match)
    }
    return part.function(name: part.name(name))
  }

  private mutating func name(of entry: FunctionNode) -> UInt32 {
    let isOwn = entry.origin == 0
    let place = isOwn ? entry.entry : entry.origin
    if let known = names[place] { return known }
    let bytes = body.functionNameBytes(at: UInt64(body.header.offset) + UInt64(place), followed: isOwn ? 0 : 1)
    let name = bytes.map { part.name(bytes: $0) } ?? 0
    names[place] = name
    return name
  }
}

/// The row of a line table that counts at each address.
struct LineRuns {
  /// Rising addresses, and the row from each to the next; negative where there is none.
  private(set) var starts: [UInt64] = []
  private(set) var rows: [Int32] = []

  init(_ table: LineTable?) {
    guard let table, table.positions.count < Int(Int32.max) else { return }
    var isOrdered = true
    for (previous, sequence) in zip(table.sequences, table.sequences.dropFirst()) {
      if sequence.low < previous.high { isOrdered = false }
    }
    starts.reserveCapacity(table.addresses.count + table.sequences.count)
    rows.reserveCapacity(table.addresses.count + table.sequences.count)
    isOrdered ? addInOrder(table) : addByAsking(table)
  }

  private mutating func addInOrder(_ table: LineTable) {
    for sequence in table.sequences {
      if starts.last == sequence.low {
        starts.removeLast()
        rows.removeLast()
      }
      for row in sequence.rows where table.addresses[row] < sequence.high {
        starts.append(table.addresses[row])
        rows.append(Int32(row))
      }
      starts.append(sequence.high)
      rows.append(-1)
    }
  }

  /// Adds rows by asking the table, whose answer counts where sequences overlap.
  private mutating func addByAsking(_ table: LineTable) {
    var bounds = table.addresses + table.sequences.map(\.high)
    bounds.sort()
    for bound in bounds where starts.last != bound {
      starts.append(bound)
      rows.append(table.row(at: bound).map { Int32($0) } ?? -1)
    }
  }
}
