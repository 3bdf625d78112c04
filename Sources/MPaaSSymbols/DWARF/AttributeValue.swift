import MPaaSSupport

/// The value of an attribute as it stands in the file; what it points to is looked up by who needs it.
struct AttributeValue: Sendable {
  enum Kind: UInt8, Sendable {
    case none, address, addressIndex, constant, sectionOffset
    /// An offset in the same `.debug_info`.
    case reference
    /// An offset in the `.debug_info` of the alternate file.
    case alternateReference
    /// An offset in the section that is being read.
    case inlineString
    case string, lineString, alternateString, stringIndex, rangeListIndex
    /// Blocks, expressions, type signatures: nothing that leads to a line.
    case other
  }

  var kind: Kind
  /// An address, index, offset, or the bits of a constant.
  var number: UInt64

  static let none = AttributeValue(kind: .none, number: 0)

  var isPresent: Bool { kind != .none }
  /// A constant or a section offset (DWARF 2 and 3 write offsets as data4 and data8).
  var offset: UInt64? { kind == .constant || kind == .sectionOffset ? number : nil }
  var constant: UInt64? { kind == .constant ? number : nil }
}

extension SectionCursor {
  /// Reads the value of an attribute.
  ///
  /// - Parameter unitOffset: Where the unit starts, which unit-relative references count from.
  @inline(__always)
  mutating func value(
    _ form: UInt16, implicit: @autoclosure () -> Int64, _ encoding: UnitEncoding, unitOffset: Int
  ) -> AttributeValue {
    switch form {
    case Form.address: AttributeValue(kind: .address, number: unsigned(size: encoding.addressSize))
    case Form.data1: AttributeValue(kind: .constant, number: UInt64(u8()))
    case Form.data2: AttributeValue(kind: .constant, number: UInt64(u16()))
    case Form.data4: AttributeValue(kind: .constant, number: UInt64(u32()))
    case Form.data8: AttributeValue(kind: .constant, number: u64())
    case Form.udata: AttributeValue(kind: .constant, number: uleb())
    case Form.sdata: AttributeValue(kind: .constant, number: UInt64(bitPattern: sleb()))
    case Form.implicitConst: AttributeValue(kind: .constant, number: UInt64(bitPattern: implicit()))
    case Form.sectionOffset: AttributeValue(kind: .sectionOffset, number: sectionOffset(is64: encoding.is64))
    case Form.ref4: AttributeValue(kind: .reference, number: UInt64(u32()) &+ UInt64(unitOffset))
    case Form.strp: AttributeValue(kind: .string, number: sectionOffset(is64: encoding.is64))
    default: rareValue(form, implicit: implicit, encoding, unitOffset: unitOffset)
    }
  }

  private mutating func rareValue(
    _ form: UInt16, implicit: () -> Int64, _ encoding: UnitEncoding, unitOffset: Int, depth: Int = 0
  ) -> AttributeValue {
    let base = UInt64(unitOffset)
    switch form {
    case Form.flag: return AttributeValue(kind: .constant, number: UInt64(u8()))
    case Form.flagPresent: return AttributeValue(kind: .constant, number: 1)
    case Form.string:
      let start = offset
      skipString()
      return AttributeValue(kind: .inlineString, number: UInt64(start))
    case Form.lineStrp: return AttributeValue(kind: .lineString, number: sectionOffset(is64: encoding.is64))
    case Form.strpSup, Form.gnuStrpAlt:
      return AttributeValue(kind: .alternateString, number: sectionOffset(is64: encoding.is64))
    case Form.strx, Form.gnuStringIndex: return AttributeValue(kind: .stringIndex, number: uleb())
    case Form.strx1: return AttributeValue(kind: .stringIndex, number: UInt64(u8()))
    case Form.strx2: return AttributeValue(kind: .stringIndex, number: UInt64(u16()))
    case Form.strx3: return AttributeValue(kind: .stringIndex, number: UInt64(u24()))
    case Form.strx4: return AttributeValue(kind: .stringIndex, number: UInt64(u32()))
    case Form.addrx, Form.gnuAddressIndex: return AttributeValue(kind: .addressIndex, number: uleb())
    case Form.addrx1: return AttributeValue(kind: .addressIndex, number: UInt64(u8()))
    case Form.addrx2: return AttributeValue(kind: .addressIndex, number: UInt64(u16()))
    case Form.addrx3: return AttributeValue(kind: .addressIndex, number: UInt64(u24()))
    case Form.addrx4: return AttributeValue(kind: .addressIndex, number: UInt64(u32()))
    case Form.rnglistx: return AttributeValue(kind: .rangeListIndex, number: uleb())
    case Form.ref1: return AttributeValue(kind: .reference, number: UInt64(u8()) &+ base)
    case Form.ref2: return AttributeValue(kind: .reference, number: UInt64(u16()) &+ base)
    case Form.ref8: return AttributeValue(kind: .reference, number: u64() &+ base)
    case Form.refUdata: return AttributeValue(kind: .reference, number: uleb() &+ base)
    case Form.refAddress:
      return AttributeValue(kind: .reference, number: unsigned(size: encoding.refAddressSize))
    case Form.gnuRefAlt:
      return AttributeValue(kind: .alternateReference, number: sectionOffset(is64: encoding.is64))
    case Form.refSup4: return AttributeValue(kind: .alternateReference, number: UInt64(u32()))
    case Form.refSup8: return AttributeValue(kind: .alternateReference, number: u64())
    case Form.indirect:
      let actual = UInt16(clamping: uleb())
      // A form that says "look at the next form" again and again is refused.
      guard depth < 1 else { return broken() }
      if actual == Form.implicitConst {
        return AttributeValue(kind: .constant, number: UInt64(bitPattern: sleb()))
      }
      return Self.isCommon(actual)
        ? value(actual, implicit: 0, encoding, unitOffset: unitOffset)
        : rareValue(actual, implicit: implicit, encoding, unitOffset: unitOffset, depth: depth + 1)
    default:
      return skipOpaque(form) ? AttributeValue(kind: .other, number: 0) : broken()
    }
  }

  private static func isCommon(_ form: UInt16) -> Bool {
    switch form {
    case Form.address, Form.data1, Form.data2, Form.data4, Form.data8, Form.udata, Form.sdata, Form.sectionOffset,
      Form.ref4, Form.strp:
      true
    default: false
    }
  }

  /// Steps over forms whose values lead nowhere; false for a form that is unknown.
  private mutating func skipOpaque(_ form: UInt16) -> Bool {
    switch form {
    case Form.block1: skip(Int(u8()))
    case Form.block2: skip(Int(u16()))
    case Form.block4: skip(UInt64(u32()))
    case Form.block, Form.expression: skip(uleb())
    case Form.data16: skip(16)
    case Form.refSig8: skip(8)
    case Form.loclistx: skipLEB()
    default: return false
    }
    return true
  }

  private mutating func broken() -> AttributeValue {
    move(to: -1)
    return .none
  }

  /// Steps over the value of an attribute.
  @inline(__always)
  mutating func skipValue(_ shape: AttributeShape, _ encoding: UnitEncoding) {
    switch shape.form {
    case Form.flagPresent, Form.implicitConst: break
    case Form.data1, Form.flag, Form.ref1, Form.strx1, Form.addrx1: skip(1)
    case Form.data2, Form.ref2: skip(2)
    case Form.data4, Form.ref4: skip(4)
    case Form.strp, Form.sectionOffset, Form.lineStrp: skip(Int(encoding.offsetSize))
    case Form.udata, Form.sdata, Form.strx, Form.addrx, Form.refUdata, Form.rnglistx, Form.loclistx: skipLEB()
    case Form.expression, Form.block: skip(uleb())
    case Form.block1: skip(Int(u8()))
    case Form.string: skipString()
    default:
      if let size = shape.fixedSize(encoding) {
        skip(size)
      } else {
        _ = value(shape.form, implicit: 0, encoding, unitOffset: 0)
      }
    }
  }
}
