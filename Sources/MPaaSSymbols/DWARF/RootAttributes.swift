import MPaaSSupport

/// The attributes of a unit's first entry, which all others need.
struct RootAttributes: Sendable {
  let tag: UInt16
  let hasChildren: Bool
  /// The offset of the second entry.
  private(set) var firstChild = 0
  private(set) var lowPC = AttributeValue.none
  private(set) var highPC = AttributeValue.none
  private(set) var ranges = AttributeValue.none
  private(set) var statementList = AttributeValue.none
  private(set) var name = AttributeValue.none
  private(set) var compilationDirectory = AttributeValue.none
  private(set) var splitName = AttributeValue.none
  private(set) var splitID: UInt64?
  private(set) var stringOffsetsBase: UInt64?
  private(set) var addressBase: UInt64?
  private(set) var rangeListsBase: UInt64?
  private(set) var gnuRangesBase: UInt64?

  init?(_ file: DWARFFile, _ header: UnitHeader, _ table: AbbreviationTable) {
    var cursor = SectionCursor(file.info.buffer, at: header.firstEntry, end: header.end, bigEndian: file.bigEndian)
    guard let abbreviation = table[cursor.uleb()], !cursor.isBroken else { return nil }
    tag = abbreviation.tag
    hasChildren = abbreviation.hasChildren
    let first = Int(abbreviation.firstAttribute)
    for place in first..<first + Int(abbreviation.attributeCount) {
      let shape = table.attributes[place]
      let value = cursor.value(
        shape.form, implicit: table.implicitConstants[UInt32(place)] ?? 0, header.encoding, unitOffset: header.offset)
      keep(value, as: shape.name)
    }
    if cursor.isBroken { return nil }
    firstChild = cursor.offset
  }

  private mutating func keep(_ value: AttributeValue, as name: UInt16) {
    switch name {
    case Attribute.lowPC: lowPC = value
    case Attribute.highPC: highPC = value
    case Attribute.ranges: ranges = value
    case Attribute.statementList: statementList = value
    case Attribute.name: self.name = value
    case Attribute.compilationDirectory: compilationDirectory = value
    case Attribute.splitName, Attribute.gnuSplitName: splitName = value
    case Attribute.gnuSplitID: splitID = value.constant
    case Attribute.stringOffsetsBase: stringOffsetsBase = value.offset
    case Attribute.addressBase, Attribute.gnuAddressBase: addressBase = value.offset
    case Attribute.rangeListsBase: rangeListsBase = value.offset
    case Attribute.gnuRangesBase: gnuRangesBase = value.offset
    default: break
    }
  }
}
