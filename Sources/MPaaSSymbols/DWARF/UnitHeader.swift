import MPaaSSupport

/// The header before the entries of a unit in `.debug_info` (DWARF 5, 7.5.1).
struct UnitHeader: Sendable {
  /// The bounds of the unit, in bytes from the start of the section.
  let offset: Int
  let end: Int
  /// The offset of its first entry.
  let firstEntry: Int
  let encoding: UnitEncoding
  /// A `UnitType`; before DWARF 5 always `compile`.
  let type: UInt8
  let abbreviationOffset: UInt64
  /// The identifier that ties a skeleton to its split unit, where the header has it (DWARF 5).
  let splitID: UInt64?

  /// Reads the header at the cursor and leaves the cursor behind the whole unit.
  ///
  /// Nil at the end, and where the length cannot be true. A unit of a version that is unknown gives a header
  /// whose `isKnown` is false, since its length still tells where the next one stands.
  init?(_ cursor: inout SectionCursor) {
    guard !cursor.isAtEnd else { return nil }
    offset = cursor.offset
    let (length, is64) = cursor.initialLength()
    guard !cursor.isBroken, length <= UInt64(cursor.end - cursor.offset) else { return nil }
    end = cursor.offset + Int(length)
    let version = cursor.u16()
    var type = UnitType.compile
    var splitID: UInt64?
    let addressSize: UInt8
    if version >= 5 {
      type = cursor.u8()
      addressSize = cursor.u8()
      abbreviationOffset = cursor.sectionOffset(is64: is64)
      switch type {
      case UnitType.skeleton, UnitType.splitCompile: splitID = cursor.u64()
      case UnitType.type, UnitType.splitType:
        cursor.skip(8)
        _ = cursor.sectionOffset(is64: is64)
      default: break
      }
    } else {
      abbreviationOffset = cursor.sectionOffset(is64: is64)
      addressSize = cursor.u8()
    }
    encoding = UnitEncoding(version: version, addressSize: addressSize, is64: is64)
    self.type = type
    self.splitID = splitID
    firstEntry = min(cursor.offset, end)
    cursor.move(to: end)
  }

  /// Tells whether the reader knows this version and its addresses.
  var isKnown: Bool {
    (2...5).contains(encoding.version) && [2, 4, 8].contains(encoding.addressSize)
  }

  /// Tells whether the unit can hold functions, or entries that functions refer to.
  var hasCode: Bool {
    isKnown && type != UnitType.type && type != UnitType.splitType
  }
}
