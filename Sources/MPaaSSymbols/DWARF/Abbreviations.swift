import MPaaSSupport

/// The parameters that decide the length of a form's value (DWARF 5, 7.5.6).
struct UnitEncoding: Hashable, Sendable {
  let version: UInt16
  let addressSize: UInt8
  let is64: Bool

  /// Bytes of a section offset.
  var offsetSize: UInt8 { is64 ? 8 : 4 }
  /// Bytes of `DW_FORM_ref_addr`: an address in DWARF 2, an offset since.
  var refAddressSize: UInt8 { version <= 2 ? addressSize : offsetSize }
  /// The highest address, which linkers put where the code was thrown away.
  var maximalAddress: UInt64 { addressSize >= 8 ? .max : (1 << (UInt64(addressSize) * 8)) - 1 }
}

/// The shape of one kind of debugging information entry (DWARF 5, 7.5.3).
struct Abbreviation: Sendable {
  let tag: UInt16
  let hasChildren: Bool
  /// Bytes of all its values together; negative where they vary.
  let fixedSize: Int32
  /// The index of its first attribute in the table's `attributes`.
  let firstAttribute: UInt32
  let attributeCount: UInt32
}

/// One attribute of an abbreviation: its name and form, and the place of an implicit constant.
struct AttributeShape: Sendable {
  let name: UInt16
  let form: UInt16
}

/// The shapes of a unit's entries, by their code.
final class AbbreviationTable: Sendable {
  private let entries: [Abbreviation]
  /// Codes that do not count up from 1, by their place in `entries`; empty where all do.
  private let sparse: [UInt64: UInt32]
  let attributes: [AttributeShape]
  /// Values of `DW_FORM_implicit_const`, by the attribute's place in `attributes`.
  let implicitConstants: [UInt32: Int64]

  /// Bytes that the table takes in the file.
  let size: Int

  /// Reads the table at `offset` of `.debug_abbrev` up to its end or the first thing that cannot be.
  init(_ section: UnsafeRawBufferPointer, at offset: Int, encoding: UnitEncoding, bigEndian: Bool) {
    var builder = Builder(encoding: encoding)
    var cursor = SectionCursor(section, at: offset, bigEndian: bigEndian)
    while builder.addEntry(&cursor) {}
    size = cursor.offset - offset
    entries = builder.entries
    sparse = builder.sparse
    attributes = builder.attributes
    implicitConstants = builder.constants
  }

  @inline(__always)
  subscript(code: UInt64) -> Abbreviation? {
    if sparse.isEmpty {
      return code &- 1 < UInt64(entries.count) ? entries[Int(code &- 1)] : nil
    }
    return sparse[code].map { entries[Int($0)] }
  }

  private struct Builder {
    let encoding: UnitEncoding
    var entries: [Abbreviation] = []
    var sparse: [UInt64: UInt32] = [:]
    var attributes: [AttributeShape] = []
    var constants: [UInt32: Int64] = [:]

    init(encoding: UnitEncoding) {
      self.encoding = encoding
    }

    mutating func addEntry(_ cursor: inout SectionCursor) -> Bool {
      let code = cursor.uleb()
      let tag = cursor.uleb()
      let children = cursor.u8()
      guard code != 0, !cursor.isBroken, let first = UInt32(exactly: attributes.count) else { return false }
      var size: Int32? = 0
      while true {
        let name = cursor.uleb()
        let form = cursor.uleb()
        if cursor.isBroken { return false }
        if name == 0, form == 0 { break }
        let shape = AttributeShape(name: UInt16(clamping: name), form: UInt16(clamping: form))
        let constant = shape.form == Form.implicitConst ? cursor.sleb() : 0
        if shape.takesNoBytes {
          // Those without a request are dropped, so that an entry costs no more time than it has bytes.
          guard Attribute.isAskedFor(shape.name), !attributes[Int(first)...].contains(where: { $0.name == shape.name })
          else { continue }
          if shape.form == Form.implicitConst { constants[UInt32(clamping: attributes.count)] = constant }
        }
        attributes.append(shape)
        size = size.flatMap { sum in
          shape.fixedSize(encoding).flatMap { Int32(exactly: Int(sum) + $0) }
        }
      }
      if sparse.isEmpty, code != UInt64(entries.count) + 1 {
        for index in entries.indices { sparse[UInt64(index) + 1] = UInt32(clamping: index) }
      }
      if !sparse.isEmpty || code != UInt64(entries.count) + 1 {
        // The first of two entries with the same code counts.
        if sparse[code] == nil { sparse[code] = UInt32(clamping: entries.count) }
      }
      entries.append(
        Abbreviation(
          tag: UInt16(clamping: tag), hasChildren: children != 0, fixedSize: size ?? -1, firstAttribute: first,
          attributeCount: UInt32(clamping: attributes.count) - first))
      return true
    }
  }
}

extension AttributeShape {
  fileprivate var takesNoBytes: Bool { form == Form.flagPresent || form == Form.implicitConst }

  /// Bytes of the form's value; nil where the value itself says.
  func fixedSize(_ encoding: UnitEncoding) -> Int? {
    switch form {
    case Form.flagPresent, Form.implicitConst: 0
    case Form.data1, Form.flag, Form.ref1, Form.strx1, Form.addrx1: 1
    case Form.data2, Form.ref2, Form.strx2, Form.addrx2: 2
    case Form.strx3, Form.addrx3: 3
    case Form.data4, Form.ref4, Form.refSup4, Form.strx4, Form.addrx4: 4
    case Form.data8, Form.ref8, Form.refSig8, Form.refSup8: 8
    case Form.data16: 16
    case Form.address: Int(encoding.addressSize)
    case Form.refAddress: Int(encoding.refAddressSize)
    case Form.strp, Form.lineStrp, Form.strpSup, Form.sectionOffset, Form.gnuRefAlt, Form.gnuStrpAlt:
      Int(encoding.offsetSize)
    default: nil
    }
  }
}
