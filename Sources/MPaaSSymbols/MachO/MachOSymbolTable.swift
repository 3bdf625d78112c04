import MPaaSSupport
import Synchronization

/// The functions of an image sorted by address, for "which function is at this address".
///
/// Made of the symbol table, the table of function starts, and of what is exported where the symbol table was stripped.
/// Mach-O symbols have no size: one reaches to the next symbol, the next function's start or the end of its section.
/// Starts of functions that the linker did not write are taken from what unwinding knows of them. In a file without
/// that and without local symbols the end of a function is unknown: a name counts at its first address alone.
package struct MachOSymbolTable: Sendable {
  private let entries: [Entry]
  private let strings: [Bytes]
  private let hiddenNames: SymbolMap?
  package let namedCount: Int
  /// Tells whether there are names that only the program itself knows.
  package let hasLocals: Bool

  struct Entry: Sendable {
    var address: UInt64
    var end: UInt64
    var name: UInt32
    /// The string table that has the name.
    var source: UInt8
    /// Among several at one address the highest is shown.
    var rank: UInt8

    var isNamed: Bool { rank > 0 }
  }

  /// The function that has `address`, without a name where only its start is known; nil where none has it.
  package func match(at address: UInt64) -> SymbolMatch? {
    guard let entry = entry(at: address) else { return nil }
    guard entry.isNamed, let name = name(of: entry) else {
      return SymbolMatch(name: nil, offset: address - entry.address, isInside: false, isOwn: hasLocals)
    }
    // An address may belong to a function whose local name was stripped.
    return SymbolMatch(name: name, offset: address - entry.address, isInside: true, isOwn: hasLocals)
  }

  /// The addresses at which what `match` says begins or changes, in any order.
  var bounds: [UInt64] {
    entries.map(\.address) + entries.map(\.end)
  }

  private func entry(at address: UInt64) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < entries[low - 1].end else { return nil }
    return entries[low - 1]
  }

  private func name(of entry: Entry) -> String? {
    guard let bytes = strings[Int(entry.source)].buffer.cString(at: UInt64(entry.name)) else { return nil }
    return Self.shown(bytes, hiddenNames)
  }

  /// Hands over address, size and name of each function that has a name, by rising address.
  func forEach(_ visit: (_ address: UInt64, _ size: UInt64, _ name: UnsafeRawBufferPointer) -> Void) {
    for entry in entries where entry.isNamed && entry.end > entry.address {
      guard var name = name(of: entry) else { continue }
      name.withUTF8 { visit(entry.address, entry.end - entry.address, UnsafeRawBufferPointer($0)) }
    }
  }

  /// A name as the source has it: without the underscore that C's names get, and not hidden.
  static func shown(_ bytes: UnsafeRawBufferPointer, _ names: SymbolMap?) -> String {
    if let names, let name = names.symbol(bytes) { return name }
    let isHidden = SymbolMap.isHidden(bytes)
    guard !isHidden, bytes.first == UInt8(ascii: "_"), bytes.count > 1 else { return String(utf8: bytes) }
    return String(utf8: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }
}

extension MachOSymbolTable {
  /// Reads and sorts the tables of an image.
  init(_ image: MachOImage) {
    let strings = image.symbolStrings
    var entries: [Entry] = []
    var hasLocals = false
    var hasExternals = false
    let code = image.sections.map { $0.isCode ? $0.addresses : nil }
    image.forEachNlist { symbol in
      let section = Int(symbol.section) - 1
      guard symbol.isDefined, symbol.name != 0, code.indices.contains(section),
        code[section]?.contains(symbol.value) == true
      else { return }
      let name = image.symbolString(strings, symbol.name)
      guard let rank = Self.rank(name, symbol) else { return }
      if symbol.isExternal { hasExternals = true } else { hasLocals = true }
      entries.append(Entry(address: symbol.value, end: 0, name: symbol.name, source: 0, rank: rank))
    }
    var sources = [strings]
    if !hasExternals, let trie = image.contents(image.commands.exports) {
      let exports = ExportTrie(trie, base: image.loadAddress)
      sources.append(Bytes(exports.names))
      let ranges = CodeRanges(image.executableRanges)
      for symbol in exports.symbols where ranges.mayHold(symbol.address) {
        entries.append(Entry(address: symbol.address, end: 0, name: symbol.name, source: 1, rank: 2))
      }
    }
    let starts = image.functionStarts
    let functions = starts.isEmpty ? image.unwoundFunctions : []
    for start in starts + functions.map(\.lowerBound) {
      entries.append(Entry(address: start, end: 0, name: 0, source: 0, rank: 0))
    }
    Self.arrange(&entries, image.executableRanges)
    if !functions.isEmpty {
      Self.cut(&entries, at: functions)
    } else if starts.isEmpty, !hasLocals, image.isStripped {
      // Code between two exported functions may be of others.
      for index in entries.indices { entries[index].end = min(entries[index].end, entries[index].address + 1) }
    }
    self.entries = entries
    self.strings = sources
    hiddenNames = image.hiddenNames
    namedCount = entries.reduce(0) { $0 + ($1.isNamed ? 1 : 0) }
    self.hasLocals = hasLocals
  }

  /// The rank of a name among several at one address; nil for labels that the assembler made up.
  private static func rank(_ name: UnsafeRawBufferPointer, _ symbol: MachONlist) -> UInt8? {
    guard let first = name.first else { return nil }
    // `ltmp0`, `L1`: assemblers' own.
    if first == UInt8(ascii: "L") || first == UInt8(ascii: "l") { return symbol.isExternal ? 1 : nil }
    return symbol.isExternal ? 3 : 2
  }

  /// Sorts by address, keeps the best of those at one address, and lets each reach to the next.
  private static func arrange(_ entries: inout [Entry], _ code: [Range<UInt64>]) {
    entries.sort { ($0.address, $0.rank) < ($1.address, $1.rank) }
    var kept = 0
    for position in entries.indices {
      if kept > 0, entries[kept - 1].address == entries[position].address { kept -= 1 }
      entries[kept] = entries[position]
      kept += 1
    }
    entries.removeSubrange(kept...)
    let ranges = code.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    var section = 0
    for position in entries.indices {
      let address = entries[position].address
      while section < ranges.count, ranges[section].upperBound <= address { section += 1 }
      var end = section < ranges.count ? ranges[section].upperBound : .max
      if position + 1 < entries.count { end = min(end, entries[position + 1].address) }
      entries[position].end = end
    }
  }
}

extension MachOSymbolTable {
  /// Lets no function reach past the end of the one whose bounds are known, rising.
  private static func cut(_ entries: inout [Entry], at functions: [Range<UInt64>]) {
    var next = 0
    for index in entries.indices {
      let address = entries[index].address
      while next < functions.count, functions[next].upperBound <= address { next += 1 }
      guard next < functions.count, functions[next].contains(address) else { continue }
      entries[index].end = min(entries[index].end, functions[next].upperBound)
    }
  }
}

extension MachOImage: SymbolListing {
  func forEachSymbol(_ visit: (_ address: UInt64, _ size: UInt64, _ name: UnsafeRawBufferPointer) -> Void) {
    symbols.forEach(visit)
  }

  /// The functions of the image; sorted at the first call and kept.
  package var symbols: MachOSymbolTable {
    if let known = cache.withLock({ $0.symbols }) { return known }
    let table = MachOSymbolTable(self)
    return cache.withLock { cache in
      if let known = cache.symbols { return known }
      cache.symbols = table
      return table
    }
  }
}
