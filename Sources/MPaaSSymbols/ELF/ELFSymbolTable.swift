import MPaaSSupport
import Synchronization

/// The symbols of an image's code, sorted by address, for "which function is at this address".
///
/// Made of `.symtab`, `.dynsym` and the tables of `.gnu_debugdata`. A look-up allocates nothing; the name is
/// made when it is asked for.
package struct ELFSymbolTable: Sendable {
  private let symbols: [ELFSymbol]
  /// For each symbol, the position of the last one before it that ends later, plus one; 0 where there is none.
  private let wider: [UInt32]
  private let strings: [Bytes]
  /// The sections of code: a symbol without a size ends with its section.
  private let code: [Range<UInt64>]

  package struct Match: Sendable, Equatable {
    /// Position in the table, for `name`.
    package let index: Int
    package let address: UInt64
    /// Bytes; 0 where the table does not tell.
    package let size: UInt64
    /// Bytes from the symbol's address.
    package let offset: UInt64
    /// True if the address lies inside the symbol's size; false for a symbol that has none.
    package let isInside: Bool
  }

  package var count: Int { symbols.count }
  package var isEmpty: Bool { symbols.isEmpty }

  /// The symbol that has the address inside, the innermost where several have.
  ///
  /// One without a size reaches to the next symbol, but not past the end of its section, nor of a symbol around it.
  package func find(_ address: UInt64) -> Match? {
    var position = upperBound(address) - 1
    guard position >= 0 else { return nil }
    let nearest = position
    // Symbols inside symbols are few; a file that nests them deeper than this was made to cost time.
    for _ in 0..<64 where position >= 0 {
      if symbols[position].end > address { return match(position, address, isInside: true) }
      position = Int(wider[position]) - 1
    }
    guard symbols[nearest].size == 0, wider[nearest] == 0, isSameSection(symbols[nearest].address, address) else {
      return nil
    }
    return match(nearest, address, isInside: false)
  }

  /// Tells whether a symbol without a size that begins at `start`, in this table or another, ends before it reaches
  /// `address`: a symbol begins after it, or one with a size has its start inside; `address` is inside none.
  func endsLabel(at start: UInt64, before address: UInt64) -> Bool {
    let position = upperBound(address) - 1
    guard position >= 0 else { return false }
    return symbols[position].address > start || find(start)?.isInside == true
  }

  private func isSameSection(_ start: UInt64, _ address: UInt64) -> Bool {
    code.isEmpty || code.contains { $0.contains(start) && $0.contains(address) }
  }

  /// The addresses at which another symbol is found, or none: where each begins and ends.
  var bounds: [UInt64] {
    var bounds = code.map(\.upperBound)
    bounds.reserveCapacity(2 * symbols.count)
    for symbol in symbols {
      bounds.append(symbol.address)
      if symbol.size > 0 { bounds.append(symbol.end) }
    }
    return bounds
  }

  /// The linker's name of a symbol, as its bytes in the file; a version after `@` is cut.
  ///
  /// Labels of NASM's macros (`..@4.loop`) have no version.
  package func nameBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let symbol = symbols[index]
    let name = ELFImage.cString(strings[Int(symbol.source)], at: UInt64(symbol.nameOffset))
    guard name.count > 1, !name.starts(with: "..@".utf8) else { return name }
    for place in 1..<name.count where name[place] == UInt8(ascii: "@") {
      return UnsafeRawBufferPointer(rebasing: name[..<place])
    }
    return name
  }

  package func address(_ index: Int) -> UInt64? {
    symbols.indices.contains(index) ? symbols[index].address : nil
  }

  /// Bytes; 0 where the table does not tell.
  package func size(_ index: Int) -> UInt64 { UInt64(symbols[index].size) }

  package func name(_ index: Int) -> String {
    String(utf8: nameBytes(index))
  }

  private func match(_ index: Int, _ address: UInt64, isInside: Bool) -> Match {
    let symbol = symbols[index]
    return Match(
      index: index, address: symbol.address, size: UInt64(symbol.size), offset: address - symbol.address,
      isInside: isInside)
  }

  /// The first position whose symbol lies past the address.
  private func upperBound(_ address: UInt64) -> Int {
    var low = 0
    var high = symbols.count
    while low < high {
      let middle = (low + high) / 2
      if symbols[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ELFSymbolTable {
  /// Reads and sorts the tables of an image.
  init(_ image: ELFImage) {
    var sources: [ELFSymbolSource] = []
    var found: [ELFSymbol] = []
    Self.add(image, [.dynamicSymbols, .symbols], &found, &sources)
    if let mini = image.miniDebugImage { Self.add(mini, [.symbols], &found, &sources) }
    found.sort { ($0.address, $0.size) < ($1.address, $1.size) }
    ELFAliases(sources).keepBest(&found)
    self.init(
      symbols: found, wider: Self.wider(found), strings: sources.map(\.names), code: image.executableRanges)
  }

  private static func add(
    _ image: ELFImage, _ kinds: [ELFSection.Kind], _ symbols: inout [ELFSymbol], _ sources: inout [ELFSymbolSource]
  ) {
    for kind in kinds {
      // A file has one table of a kind; what a hostile one has more would only cost memory.
      guard let section = image.sections.first(where: { $0.type == kind }),
        image.sections.indices.contains(Int(section.link)), sources.count < 8,
        let names = try? image.contents(of: image.sections[Int(section.link)])
      else { continue }
      ELFSymbolReader(image: image, section: section, source: UInt8(sources.count), names: names).read(into: &symbols)
      let versions = kind == .dynamicSymbols ? image.contents(named: ".gnu.version") : nil
      sources.append(ELFSymbolSource(names: names, versions: versions, isBigEndian: image.header.bigEndian))
    }
  }

  private static func wider(_ symbols: [ELFSymbol]) -> [UInt32] {
    var wider: [UInt32] = []
    wider.reserveCapacity(symbols.count)
    for position in symbols.indices {
      var candidate = UInt32(position)
      while candidate > 0, symbols[Int(candidate) - 1].end <= symbols[position].end {
        candidate = wider[Int(candidate) - 1]
      }
      wider.append(candidate)
    }
    return wider
  }
}

extension ELFImage {
  /// The symbols of code; sorted at the first call and kept.
  package var symbols: ELFSymbolTable {
    if let known = cache.withLock({ $0.symbols }) { return known }
    let table = ELFSymbolTable(self)
    return cache.withLock { cache in
      if let known = cache.symbols { return known }
      cache.symbols = table
      return table
    }
  }
}

extension ELFImage: SymbolListing {
  func forEachSymbol(_ visit: (_ address: UInt64, _ size: UInt64, _ name: UnsafeRawBufferPointer) -> Void) {
    let table = symbols
    for index in 0..<table.count {
      guard let address = table.address(index) else { continue }
      visit(address, table.size(index), table.nameBytes(index))
    }
  }
}
