import MPaaSSupport

/// One pass over the entries of a unit that finds functions and inlined calls with their ranges.
struct FunctionScan {
  private let unit: DWARFUnit
  private let code: CodeRanges
  private(set) var nodes: [FunctionNode] = []
  private(set) var intervals: [OwnedInterval] = []

  /// An entry whose children are being read.
  private struct Scope {
    /// The function or call that inlined calls in here belong to; negative where there is none.
    var node: Int32
    /// A function without code of its own, which becomes a node when one of its children has code.
    var pending: UInt32
  }

  /// The content of a function's entry.
  private struct Entry {
    var lowPC = AttributeValue.none
    var highPC = AttributeValue.none
    var ranges = AttributeValue.none
    var callFile: UInt32 = 0
    var callLine: UInt32 = 0
    var callColumn: UInt32 = 0
    var origin: UInt32 = 0
    var hasName = false
  }

  /// Deeper nesting than this is no program's.
  private static let deepest = 1 << 14

  init(_ unit: DWARFUnit, code: CodeRanges) {
    self.unit = unit
    self.code = code
  }

  /// Reads all entries of the unit.
  mutating func run() {
    (unit.skeleton ?? unit).file.withRangeBudget { scan(&$0) }
  }

  private mutating func scan(_ budget: inout RangeBudget) {
    guard unit.root.hasChildren, unit.root.tag != Tag.partialUnit || unit.root.lowPC.isPresent else { return }
    let start = unit.header.offset
    guard unit.header.end - start <= Int(UInt32.max) else { return }
    var cursor = unit.cursor(at: unit.root.firstChild)
    var scopes = [Scope(node: -1, pending: 0)]
    let table = unit.abbreviations
    let encoding = unit.encoding
    while !cursor.isAtEnd {
      let entryOffset = UInt32(cursor.offset - start)
      let code = cursor.uleb()
      if code == 0 {
        scopes.removeLast()
        if scopes.isEmpty { return }
        continue
      }
      guard let abbreviation = table[code] else { return }
      var inner = scopes[scopes.count - 1]
      switch abbreviation.tag {
      case Tag.subprogram:
        let entry = readEntry(&cursor, abbreviation)
        inner = Scope(node: -1, pending: entryOffset)
        addNode(entry, at: entryOffset, parent: -1, &inner, &budget)
      case Tag.inlinedSubroutine:
        let entry = readEntry(&cursor, abbreviation)
        inner = addCall(entry, at: entryOffset, inside: &scopes[scopes.count - 1], &budget)
      case Tag.enumerationType, Tag.arrayType, Tag.subroutineType:
        if skipToSibling(&cursor, abbreviation) { continue }
      default:
        if abbreviation.fixedSize >= 0 {
          cursor.skip(Int(abbreviation.fixedSize))
        } else {
          let first = Int(abbreviation.firstAttribute)
          for place in first..<first &+ Int(abbreviation.attributeCount) {
            cursor.skipValue(table.attributes[place], encoding)
          }
        }
      }
      if abbreviation.hasChildren {
        guard scopes.count < Self.deepest else { return }
        scopes.append(inner)
      }
    }
  }

  /// Adds a call that was inlined, and the function around it where that has no node yet.
  private mutating func addCall(
    _ entry: Entry, at offset: UInt32, inside scope: inout Scope, _ budget: inout RangeBudget
  ) -> Scope {
    var inner = Scope(node: -1, pending: scope.pending)
    if scope.node < 0, scope.pending != 0, entry.lowPC.isPresent || entry.ranges.isPresent {
      scope.node = append(Entry(), at: scope.pending, parent: -1)
    }
    addNode(entry, at: offset, parent: scope.node, &inner, &budget)
    // A call without code of its own (its blocks may have some) still stands between its children and its caller.
    if inner.node < 0 { inner = scope }
    return inner
  }

  /// Adds a node and its intervals where the entry has code.
  private mutating func addNode(
    _ entry: Entry, at offset: UInt32, parent: Int32, _ scope: inout Scope, _ budget: inout RangeBudget
  ) {
    guard entry.ranges.isPresent || (entry.lowPC.isPresent && entry.highPC.isPresent) else { return }
    let before = intervals.count
    let owner = Int32(clamping: nodes.count)
    unit.forEachRange(
      lowPC: entry.lowPC, highPC: entry.highPC, ranges: entry.ranges, code: code, &budget
    ) { low, high in
      intervals.append(OwnedInterval(low: low, high: high, owner: owner))
    }
    guard intervals.count > before else { return }
    scope.node = append(entry, at: offset, parent: parent)
  }

  private mutating func append(_ entry: Entry, at offset: UInt32, parent: Int32) -> Int32 {
    nodes.append(
      FunctionNode(
        entry: offset, parent: parent, callFile: entry.callFile, callLine: entry.callLine,
        callColumn: entry.callColumn, origin: entry.hasName ? 0 : entry.origin))
    return Int32(clamping: nodes.count - 1)
  }

  private func readEntry(_ cursor: inout SectionCursor, _ abbreviation: Abbreviation) -> Entry {
    var entry = Entry()
    let table = unit.abbreviations
    let encoding = unit.encoding
    let first = Int(abbreviation.firstAttribute)
    for place in first..<first &+ Int(abbreviation.attributeCount) {
      let shape = table.attributes[place]
      switch shape.name {
      case Attribute.lowPC, Attribute.highPC, Attribute.ranges, Attribute.callFile, Attribute.callLine,
        Attribute.callColumn, Attribute.abstractOrigin:
        let value = cursor.value(
          shape.form, implicit: table.implicitConstants[UInt32(place)] ?? 0, encoding, unitOffset: unit.header.offset)
        switch shape.name {
        case Attribute.lowPC: entry.lowPC = value
        case Attribute.highPC: entry.highPC = value
        case Attribute.ranges: entry.ranges = value
        case Attribute.callFile: entry.callFile = UInt32(clamping: value.constant ?? 0)
        case Attribute.callLine: entry.callLine = UInt32(clamping: value.constant ?? 0)
        case Attribute.abstractOrigin: entry.origin = originInUnit(value)
        default: entry.callColumn = UInt32(clamping: value.constant ?? 0)
        }
      case Attribute.name, Attribute.linkageName, Attribute.mipsLinkageName:
        entry.hasName = true
        cursor.skipValue(shape, encoding)
      default: cursor.skipValue(shape, encoding)
      }
    }
    return entry
  }

  /// The offset of an entry of this unit, from the unit's start; 0 for others'.
  private func originInUnit(_ value: AttributeValue) -> UInt32 {
    guard value.kind == .reference, value.number < UInt64(unit.header.end),
      value.number >= UInt64(unit.header.firstEntry)
    else { return 0 }
    return UInt32(clamping: value.number - UInt64(unit.header.offset))
  }

  /// Steps over an entry and its children where it says where the next one stands; else over its attributes only.
  private func skipToSibling(_ cursor: inout SectionCursor, _ abbreviation: Abbreviation) -> Bool {
    let table = unit.abbreviations
    var sibling: UInt64?
    let first = Int(abbreviation.firstAttribute)
    for place in first..<first + Int(abbreviation.attributeCount) {
      let shape = table.attributes[place]
      let value = cursor.value(
        shape.form, implicit: table.implicitConstants[UInt32(place)] ?? 0, unit.encoding,
        unitOffset: unit.header.offset)
      if shape.name == Attribute.sibling, value.kind == .reference { sibling = value.number }
    }
    // Only forwards, so that no loop can be made of it.
    guard let sibling, let target = Int(exactly: sibling), target > cursor.offset, target <= cursor.end,
      abbreviation.hasChildren
    else {
      return false
    }
    cursor.move(to: target)
    return true
  }
}
