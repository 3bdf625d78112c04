import MPaaSSupport

extension DWARFUnit {
  /// The number of origins and specifications that are followed before the chain counts as a loop.
  private static let longestChain = 16

  /// The name of the function at `entry`: as the linker knows it, else as the source has it.
  ///
  /// - Parameter entry: Where the function's entry stands, in bytes from the start of the section.
  /// - Source: DWARF 5, 3.3.8 (origins), 2.13.2 (specifications), 3.3.1 (linkage names).
  func functionName(at entry: UInt64) -> String? {
    functionNameBytes(at: entry).map { String(utf8: $0) }
  }

  /// The same as its bytes in the file.
  ///
  /// - Parameter followed: How many origins and specifications led to `entry`.
  func functionNameBytes(at entry: UInt64, followed: Int = 0) -> UnsafeRawBufferPointer? {
    var unit = self
    var offset = entry
    var short: UnsafeRawBufferPointer?
    for _ in followed..<Self.longestChain {
      guard let names = unit.names(at: offset) else { break }
      if let linkage = unit.text(names.linkage), !linkage.isEmpty { return unit.revealed(linkage) }
      if short == nil { short = unit.text(names.short).map { unit.revealed($0) } }
      guard let next = unit.target(of: names.next) else { break }
      (unit, offset) = next
    }
    return short.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A name or a path as it was before the build hid it.
  func revealed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    file.names?.nameBytes(text) ?? text
  }

  private struct Names {
    var linkage = AttributeValue.none
    var short = AttributeValue.none
    /// The abstract origin, or else the specification.
    var next = AttributeValue.none
  }

  private func names(at entry: UInt64) -> Names? {
    guard let offset = Int(exactly: entry), offset >= header.firstEntry else { return nil }
    var cursor = cursor(at: offset)
    guard let abbreviation = abbreviations[cursor.uleb()], !cursor.isBroken else { return nil }
    var names = Names()
    let first = Int(abbreviation.firstAttribute)
    for place in first..<first &+ Int(abbreviation.attributeCount) {
      let shape = abbreviations.attributes[place]
      switch shape.name {
      case Attribute.name, Attribute.linkageName, Attribute.mipsLinkageName, Attribute.abstractOrigin,
        Attribute.specification:
        let value = cursor.value(shape.form, implicit: 0, encoding, unitOffset: header.offset)
        switch shape.name {
        case Attribute.name: names.short = value
        case Attribute.abstractOrigin: names.next = value
        case Attribute.specification: if !names.next.isPresent { names.next = value }
        default: names.linkage = value
        }
      default: cursor.skipValue(shape, encoding)
      }
    }
    return cursor.isBroken ? nil : names
  }

  /// The entry that a reference names, and its unit, which may be another one or in the alternate file.
  private func target(of reference: AttributeValue) -> (DWARFUnit, UInt64)? {
    switch reference.kind {
    case .reference:
      if reference.number < UInt64(header.end), reference.number >= UInt64(header.firstEntry) {
        return (self, reference.number)
      }
      return file.unit(containing: reference.number).map { ($0, reference.number) }
    case .alternateReference:
      return file.alternate?.unit(containing: reference.number).map { ($0, reference.number) }
    default: return nil
    }
  }
}
