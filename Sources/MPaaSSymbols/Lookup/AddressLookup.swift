import MPaaSSupport
import Synchronization

/// Answers which functions an address belongs to, and where they stand in the source.
///
/// Made of a file's DWARF and its symbol table; units are read when the first address falls into them, and kept.
/// It can be shared between threads. Addresses are those of the file, before the system moves the image.
package final class AddressLookup: FrameLookup {
  let file: DWARFFile?
  let code: CodeRanges
  private let splits: SplitLoader?
  let symbol: @Sendable (UInt64) -> SymbolMatch?
  /// The addresses at which `symbol` begins to say something else; nil where they cannot be listed.
  let symbolBounds: (@Sendable () -> [UInt64])?

  private struct Indexes {
    /// Nil inside where it would save nothing.
    var partial: PartialUnits??
    var roots: UnitIndex?
    var contents: UnitIndex?
  }

  private let indexes = Mutex(Indexes())

  /// - Parameters:
  ///   - sections: The DWARF of the program; nil where only the symbol table is known.
  ///   - code: Where the program's code lies, empty where that is unknown.
  ///   - companions: Files that `sections` points to.
  ///   - symbol: What the symbol table says about an address.
  ///   - symbolBounds: Lists the addresses at which what `symbol` says changes, but for the offset; in any order.
  ///     Without it no index can be made.
  package init(
    _ sections: DWARFSections?, code: [Range<UInt64>] = [], companions: DebugCompanions = .none,
    symbol: @escaping @Sendable (UInt64) -> SymbolMatch? = { _ in nil },
    symbolBounds: (@Sendable () -> [UInt64])? = nil
  ) {
    self.code = CodeRanges(code)
    self.symbol = symbol
    self.symbolBounds = symbolBounds
    guard let sections else {
      file = nil
      splits = nil
      return
    }
    let alternate = companions.alternate().map { DWARFFile($0) }
    file = DWARFFile(sections, alternate: alternate)
    splits = SplitLoader(sections, companions: companions, alternate: alternate)
  }

  /// Tells whether there is DWARF; without it frames have names from the symbol table only.
  package var hasDebugInfo: Bool { file.map { !$0.isEmpty } ?? false }

  /// The functions that the instruction at `address` belongs to, the innermost inlined call first.
  ///
  /// Empty where nothing is known. A return address is to be looked up one byte back: it may be another line's.
  package func frames(at address: UInt64) -> [SourceFrame] {
    guard let unit = unit(at: address) else { return symbolFrame(at: address) }
    let body = body(of: unit)
    let functions = body.functions(code: code)
    let lines = unit.lines(code: code)
    guard let innermost = functions.innermost(at: address) else {
      return lineFrame(at: address, lines, unit)
    }
    var frames: [SourceFrame] = []
    var frame = SourceFrame()
    if let position = lines?.position(at: address) {
      frame.place(position, lines, unit)
    }
    var node = functions.nodes[Int(innermost)]
    while true {
      let isOuter = node.parent < 0
      let match = isOuter ? symbol(address) : nil
      let entry = UInt64(body.header.offset) + UInt64(node.entry)
      if let match, match.isInside, match.isOwn {
        frame.symbol = match.name
      } else {
        frame.symbol = Self.name(body.functionName(at: entry), match)
      }
      frame.isInlined = !isOuter
      frames.append(frame)
      if isOuter { return frames }
      frame = SourceFrame()
      let call = LinePosition(
        file: node.callFile, line: node.callLine, discriminator: 0, column: UInt16(clamping: node.callColumn))
      frame.place(call, lines, unit)
      node = functions.nodes[Int(node.parent)]
    }
  }

  /// The better of the source's name of a function and a debug file's symbol, which may be an alias.
  ///
  /// The symbol wins where it says more: a part of the function (`f.cold`), or the mangled name of a local one.
  static func name(_ source: String?, _ match: SymbolMatch?) -> String? {
    guard let source else { return match?.name }
    guard let match, match.isInside, let name = match.name, name != source else { return source }
    if name.hasPrefix(source), name.utf8.dropFirst(source.utf8.count).first == UInt8(ascii: ".") { return name }
    let isPlain = !source.hasPrefix("_") && !source.hasPrefix("$")
    let isMangled = name.hasPrefix("_Z") || name.hasPrefix("_R") || name.hasPrefix("$s")
    return isPlain && isMangled && name.mentions(source) ? name : source
  }

  /// A frame whose function only the symbol table knows, with what the line table says.
  private func lineFrame(at address: UInt64, _ lines: LineTable?, _ unit: DWARFUnit) -> [SourceFrame] {
    var frames = symbolFrame(at: address)
    guard let position = lines?.position(at: address) else { return frames }
    if frames.isEmpty { frames = [SourceFrame()] }
    frames[0].place(position, lines, unit)
    return frames
  }

  private func symbolFrame(at address: UInt64) -> [SourceFrame] {
    // A symbol says something inside the code only.
    guard code.mayHold(address), let match = symbol(address) else { return [] }
    return [SourceFrame(symbol: match.name, offset: match.offset)]
  }

  /// The unit with the entries of what `unit` stands for: itself, or its split unit.
  func body(of unit: DWARFUnit) -> DWARFUnit {
    unit.split { self.splits?.unit(of: $0) } ?? unit
  }

  private func unit(at address: UInt64) -> DWARFUnit? {
    guard let file, !file.isEmpty else { return nil }
    if let found = partialUnits(file)?.unit(at: address) { return found }
    if let found = rootIndex(file).unit(at: address) { return file.unit(found) }
    return contentIndex(file).unit(at: address).flatMap { file.unit($0) }
  }

  private func partialUnits(_ file: DWARFFile) -> PartialUnits? {
    indexes.withLock { indexes in
      if let known = indexes.partial { return known }
      let units = PartialUnits(file, code: code)
      indexes.partial = .some(units)
      return units
    }
  }

  /// The units by what their first entries say.
  func rootIndex(_ file: DWARFFile) -> UnitIndex {
    indexes.withLock { indexes in
      if let known = indexes.roots { return known }
      let index = UnitIndex.fromRoots(file, code: code)
      indexes.roots = index
      return index
    }
  }

  /// The units by what else tells where their code is, for addresses that no first entry claims.
  func contentIndex(_ file: DWARFFile) -> UnitIndex {
    indexes.withLock { indexes in
      if let known = indexes.contents { return known }
      let index = UnitIndex.fromContents(file, code: code) { self.splits?.unit(of: $0) }
      indexes.contents = index
      return index
    }
  }
}

extension String {
  fileprivate func mentions(_ other: String) -> Bool {
    var rest = utf8[...]
    while rest.count >= other.utf8.count {
      if rest.starts(with: other.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension SourceFrame {
  /// Takes a place of the unit's source; line and column count only where the file is known.
  fileprivate mutating func place(_ position: LinePosition, _ lines: LineTable?, _ unit: DWARFUnit) {
    guard let path = lines?.path(position.file, of: unit) else { return }
    file = path
    line = position.line > 0 ? Int(position.line) : nil
    column = position.column > 0 ? Int(position.column) : nil
    discriminator = position.discriminator > 0 ? Int(position.discriminator) : nil
  }
}
