import MPaaSSupport

extension BreakpadLookup: IndexableLookup {
  func indexSource() -> IndexSource? {
    let others: SymbolRuns?
    if let other {
      // A program whose lines come from Breakpad's file has only a symbol table of its own.
      guard let other = other as? AddressLookup, other.file == nil, let bounds = other.symbolBounds else { return nil }
      others = SymbolRuns(bounds(), code: other.code, symbol: other.symbol)
    } else {
      others = nil
    }
    let parts = parts()
    let otherSize = (others?.bounds.count ?? 0) * 64
    return IndexSource(costs: parts.map(\.cost), size: image.bytes.count + otherSize) { number, target in
      var lister = BreakpadLister(self, others, target)
      lister.write(parts[number].functions, from: parts[number].low, to: parts[number].high)
    }
  }

  /// Functions that are listed together, with the gap behind each.
  private struct Part {
    var functions: Range<Int>
    /// Addresses of the file.
    var low: UInt64
    var high: UInt64
    var cost: Int
  }

  private static let bytesPerPart = 1 << 18

  private func parts() -> [Part] {
    var parts = [Part(functions: 0..<0, low: 0, high: .max, cost: 1)]
    for (index, function) in table.functions.enumerated() {
      var part = parts[parts.count - 1]
      if part.cost > Self.bytesPerPart, function.address > part.low {
        parts[parts.count - 1].high = function.address
        part = Part(functions: index..<index, low: function.address, high: .max, cost: 1)
        parts.append(part)
      }
      part.functions = part.functions.lowerBound..<index + 1
      part.cost += function.contents.count + 64
      parts[parts.count - 1] = part
    }
    return parts
  }
}

/// Lists what a Breakpad symbol file says about its addresses into a part of an index, as `BreakpadLookup` would answer
/// for each.
private struct BreakpadLister {
  private let lookup: BreakpadLookup
  private let part: IndexPart
  private var otherNodes: SymbolNodes?
  /// Numbers of the part by those of the file.
  private var files: [UInt32: UInt32] = [:]
  private var names: [UInt32: UInt32] = [:]

  init(_ lookup: BreakpadLookup, _ others: SymbolRuns?, _ part: IndexPart) {
    self.lookup = lookup
    self.part = part
    otherNodes = others.map { SymbolNodes($0, part) }
  }

  /// Lists the addresses from `low` to `high`, which the functions lie in; the first begins at `low`, or there is a gap.
  mutating func write(_ indices: Range<Int>, from low: UInt64, to high: UInt64) {
    let functions = lookup.table.functions
    part.begin()
    // The addresses in front of the module.
    if low == 0, lookup.base > 0 { writeOthers(0, lookup.base) }
    var address = low
    var end: UInt64 = 0
    for index in indices where !part.isTooLarge {
      let function = functions[index]
      let next = index + 1 < functions.count ? functions[index + 1].address : .max
      // The last of several functions at one address counts.
      if next == function.address { continue }
      writeGap(address, function.address, behind: end)
      let stop = max(min(function.end, next), function.address)
      write(function, to: stop)
      address = stop
      end = function.end
    }
    writeGap(address, high, behind: end)
    if let last = moved(high) { part.end(last) }
  }

  /// An address of the file as it is asked for; nil for one that is never.
  private func moved(_ address: UInt64) -> UInt64? {
    let (sum, overflow) = address.addingReportingOverflow(lookup.base)
    return overflow || address == .max ? nil : sum
  }

  // MARK: Between functions

  /// Public symbols, else what another table knows.
  private mutating func writeGap(_ low: UInt64, _ high: UInt64, behind end: UInt64) {
    var address = low
    while address < high, !part.isTooLarge, let start = moved(address) {
      let stop = min(lookup.symbolBound(behind: address) ?? high, high)
      if let symbol = lookup.symbol(at: address, behind: end) {
        let node = part.symbol(name: name(symbol.name), start: symbol.address &+ lookup.base)
        part.row(start, node, IndexPosition())
      } else {
        writeOthers(start, moved(stop) ?? .max)
      }
      address = stop
    }
  }

  private mutating func writeOthers(_ low: UInt64, _ high: UInt64) {
    if otherNodes == nil { part.row(low, .none, IndexPosition()) }
    otherNodes?.write(low, high)
  }

  // MARK: Functions

  private mutating func write(_ function: BreakpadTable.Function, to stop: UInt64) {
    let body = BreakpadLookup.Body(lookup.image.bytes.buffer, function.contents)
    var chain = Chain()
    var active = ActiveCalls(body)
    let name = self.name(function.name)
    let start = function.address &+ lookup.base
    for address in body.bounds(from: function.address, to: stop) where !part.isTooLarge {
      guard let place = moved(address) else { return }
      guard let calls = active.calls(at: address) else {
        part.isIncomplete = true
        return
      }
      let next = body.lines.position(behind: address) { $0.address }
      var position = IndexPosition()
      if next > 0, address - body.lines[next - 1].address < body.lines[next - 1].size {
        position = self.position(body.lines[next - 1].file, body.lines[next - 1].line)
      }
      let outer = calls.last.map { self.position(body.calls[$0].file, body.calls[$0].line).file } ?? position.file
      part.row(
        place,
        node(calls, body, isPlaced: outer != 0, &chain) { part, isPlaced in
          // Only without a line the distance from the function's start says something.
          isPlaced ? part.function(name: name) : part.symbol(name: name, start: start)
        }, position)
    }
  }

  /// The nodes of the calls around the last address, the outermost first.
  private struct Chain {
    var placed: IndexPart.Node?
    var unplaced: IndexPart.Node?
    var isPlaced = false
    var calls: [(call: Int, node: IndexPart.Node)] = []
  }

  /// The node of the innermost call; what is the same as at the last address is not made again.
  private mutating func node(
    _ calls: [Int], _ body: BreakpadLookup.Body, isPlaced: Bool, _ chain: inout Chain,
    outer: (IndexPart, Bool) -> IndexPart.Node
  ) -> IndexPart.Node {
    if chain.isPlaced != isPlaced { chain.calls = [] }
    chain.isPlaced = isPlaced
    var same = 0
    while same < min(chain.calls.count, calls.count), chain.calls[same].call == calls[calls.count - 1 - same] {
      same += 1
    }
    chain.calls.removeSubrange(same...)
    let known = isPlaced ? chain.placed : chain.unplaced
    let function = known ?? outer(part, isPlaced)
    if isPlaced { chain.placed = function } else { chain.unplaced = function }
    for index in calls.reversed().dropFirst(same) {
      let call = body.calls[index]
      let node = part.call(
        name: origin(call.origin), in: chain.calls.last?.node ?? function, at: position(call.file, call.line))
      chain.calls.append((index, node))
    }
    return chain.calls.last?.node ?? function
  }

  // MARK: Texts

  private func name(_ span: BreakpadFields.Span) -> UInt32 {
    let start = Int(span.offset)
    return part.name(
      bytes: UnsafeRawBufferPointer(rebasing: lookup.image.bytes.buffer[start..<start + Int(span.length)]))
  }

  private mutating func origin(_ number: UInt32) -> UInt32 {
    if let known = names[number] { return known }
    let made = lookup.table.origins[number].map(name) ?? 0
    names[number] = made
    return made
  }

  private mutating func position(_ file: UInt32, _ line: UInt32) -> IndexPosition {
    var number = files[file]
    if number == nil {
      let span = lookup.table.files[file].flatMap { $0.length > 0 ? $0 : nil }
      number = part.file(span.map(lookup.image.bytes.text))
      files[file] = number
    }
    guard let number, number > 0 else { return IndexPosition() }
    return IndexPosition(file: number, line: line)
  }
}

extension BreakpadLookup.Body {
  /// The addresses of a function at which something else is said, the first included, in rising order.
  fileprivate func bounds(from low: UInt64, to high: UInt64) -> [UInt64] {
    guard low < high else { return [] }
    var bounds = [low]
    for line in lines { bounds += [line.address, line.address.addingReportingOverflow(line.size).partialValue] }
    for call in calls { bounds += [call.range.lowerBound, call.range.upperBound] }
    bounds = bounds.filter { $0 >= low && $0 < high }.sorted()
    var kept: [UInt64] = []
    for bound in bounds where kept.last != bound { kept.append(bound) }
    return kept
  }
}

/// The inlined calls of a function at rising addresses.
private struct ActiveCalls {
  private let body: BreakpadLookup.Body
  private let order: [Int]
  private var next = 0
  /// In rising order.
  private var active: [Int] = []
  /// A file that was made to take time has many calls one in the other.
  private var work: Int

  /// An index has no deeper chains.
  private static let deepest = 1 << 13

  init(_ body: BreakpadLookup.Body) {
    self.body = body
    order = body.calls.indices.sorted { body.calls[$0].range.lowerBound < body.calls[$1].range.lowerBound }
    work = 1 << 18 + 64 * (body.calls.count + body.lines.count)
  }

  /// The calls that an address lies in, the innermost first; nil where there are too many of them.
  mutating func calls(at address: UInt64) -> [Int]? {
    active.removeAll { body.calls[$0].range.upperBound <= address }
    let count = active.count
    while next < order.count, body.calls[order[next]].range.lowerBound <= address {
      if body.calls[order[next]].range.contains(address) { active.append(order[next]) }
      next += 1
    }
    if active.count > count { active.sort() }
    work -= active.count
    guard work > 0, active.count < Self.deepest else { return nil }
    return body.calls(at: address, among: active)
  }
}
