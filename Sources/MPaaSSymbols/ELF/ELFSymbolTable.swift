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
  /// Where the symbols of each source file begin, for each of the tables.
  private let files: [[ELFSymbolReader.FileSymbol]]

  package struct Match: Sendable, Equatable {
    /// Position in the table, for `name`.
    package let index: Int
    package let address: UInt64
    /// Bytes; 0 where the table does not tell.
    package let size: UInt64
    /// Bytes from the symbol's address.
    package let offset: UInt64
    /// Whether the address lies inside the symbol's size; false for the nearest symbol before it.
    package let isInside: Bool
  }

  package var count: Int { symbols.count }
  package var isEmpty: Bool { symbols.isEmpty }

  /// The symbol that has the address inside, the innermost where several have; else the nearest one before it.
  package func find(_ address: UInt64) -> Match? {
    var position = upperBound(address) - 1
    guard position >= 0 else { return nil }
    let nearest = position
    // Symbols inside symbols are few; a file that nests them deeper than this was made to cost time.
    for _ in 0..<64 where position >= 0 {
      if symbols[position].end > address { return match(position, address, isInside: true) }
      position = Int(wider[position]) - 1
    }
    return match(nearest, address, isInside: false)
  }

  /// The addresses at which another symbol is found, or none: where each begins and ends.
  var bounds: [UInt64] {
    var bounds: [UInt64] = []
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

  /// The source file that a local symbol is from, without folders; nil for others and where the table does not tell.
  package func sourceFile(_ index: Int) -> String? {
    let symbol = symbols[index]
    guard symbol.isLocal else { return nil }
    let files = files[Int(symbol.source)]
    var low = 0
    var high = files.count
    while low < high {
      let middle = (low + high) / 2
      if files[middle].order < symbol.order { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let name = ELFImage.cString(strings[Int(symbol.source)], at: UInt64(files[low - 1].nameOffset))
    return name.isEmpty ? nil : String(utf8: name)
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
    var strings: [Bytes] = []
    var found: [ELFSymbol] = []
    var files: [[ELFSymbolReader.FileSymbol]] = []
    Self.add(image, [.dynamicSymbols, .symbols], &found, &strings, &files)
    if let mini = image.miniDebugImage { Self.add(mini, [.symbols], &found, &strings, &files) }
    found.sort(by: Self.isBefore)
    Self.dropAliases(&found)
    self.init(symbols: found, wider: Self.wider(found), strings: strings, files: files)
  }

  private static func add(
    _ image: ELFImage, _ kinds: [ELFSection.Kind], _ symbols: inout [ELFSymbol], _ strings: inout [Bytes],
    _ files: inout [[ELFSymbolReader.FileSymbol]]
  ) {
    for kind in kinds {
      // A file has one table of a kind; what a hostile one has more would only cost memory.
      guard let section = image.sections.first(where: { $0.type == kind }),
        image.sections.indices.contains(Int(section.link)), strings.count < 8,
        let names = try? image.contents(of: image.sections[Int(section.link)])
      else { continue }
      let reader = ELFSymbolReader(image: image, section: section, source: UInt8(strings.count), names: names)
      files.append([])
      reader.read(into: &symbols, files: &files[files.count - 1])
      strings.append(names)
    }
  }

  /// By address; among equals the one to be preferred comes last: the largest, then the later in the tables.
  private static func isBefore(_ a: ELFSymbol, _ b: ELFSymbol) -> Bool {
    if a.address != b.address { return a.address < b.address }
    if a.size != b.size { return a.size < b.size }
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    return (a.source, a.order) < (b.source, b.order)
  }

  /// Keeps the last of those at one address.
  private static func dropAliases(_ sorted: inout [ELFSymbol]) {
    var kept = 0
    for position in sorted.indices {
      if kept > 0, sorted[kept - 1].address == sorted[position].address { kept -= 1 }
      sorted[kept] = sorted[position]
      kept += 1
    }
    sorted.removeSubrange(kept...)
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
