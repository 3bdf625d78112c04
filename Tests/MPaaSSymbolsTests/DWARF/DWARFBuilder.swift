import MPaaSSupport

@testable import MPaaSSymbols

/// Bytes in the making, little-endian unless told otherwise.
struct ByteBuilder {
  var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func u8(_ value: UInt8) { bytes.append(value) }
  mutating func u16(_ value: UInt16) { number(UInt64(value), 2) }
  mutating func u32(_ value: UInt32) { number(UInt64(value), 4) }
  mutating func u64(_ value: UInt64) { number(value, 8) }
  mutating func string(_ text: String) { bytes += Array(text.utf8) + [0] }

  mutating func uleb(_ value: UInt64) {
    var rest = value
    repeat {
      let byte = UInt8(rest & 0x7f)
      rest >>= 7
      bytes.append(rest == 0 ? byte : byte | 0x80)
    } while rest != 0
  }

  private mutating func number(_ value: UInt64, _ size: Int) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }

  /// Puts a 32-bit length before what `body` writes.
  mutating func sized(_ body: (inout ByteBuilder) -> Void) {
    var inner = ByteBuilder()
    body(&inner)
    u32(UInt32(inner.count))
    bytes += inner.bytes
  }
}

/// One unit of DWARF 4, made by hand to say what compilers would not.
struct DWARFBuilder {
  var abbreviations = ByteBuilder()
  var entries = ByteBuilder()
  var ranges = ByteBuilder()
  var lines = ByteBuilder()
  var aranges = ByteBuilder()
  var version: UInt16 = 4

  /// Declares a kind of entry: its tag, whether it has children, and names with forms.
  mutating func declare(_ code: UInt64, _ tag: UInt16, children: Bool, _ attributes: [(UInt16, UInt16)]) {
    abbreviations.uleb(code)
    abbreviations.uleb(UInt64(tag))
    abbreviations.u8(children ? 1 : 0)
    for (name, form) in attributes {
      abbreviations.uleb(UInt64(name))
      abbreviations.uleb(UInt64(form))
    }
    abbreviations.u8(0)
    abbreviations.u8(0)
  }

  /// Bytes before the first entry of a unit.
  static let headerSize: UInt64 = 11

  var info: [UInt8] {
    var unit = ByteBuilder()
    unit.sized { unit in
      unit.u16(version)
      unit.u32(0)
      unit.u8(8)
      unit.bytes += entries.bytes
    }
    return unit.bytes
  }

  func sections(with extra: [String: [UInt8]] = [:]) -> DWARFSections {
    var all = [
      "debug_info": info, "debug_abbrev": abbreviations.bytes + [0], "debug_ranges": ranges.bytes,
      "debug_line": lines.bytes, "debug_aranges": aranges.bytes,
    ]
    all.merge(extra) { $1 }
    let sections = all.mapValues { Bytes($0) }
    return DWARFSections(bigEndian: false, addressSize: 8) { sections[$0] }
  }

  /// A line program before DWARF 5 with one file, `a.c`, and what `program` writes.
  mutating func lineProgram(_ program: (inout ByteBuilder) -> Void) {
    lines.sized { unit in
      unit.u16(4)
      unit.sized { header in
        header.bytes += [1, 1, 1, UInt8(bitPattern: -5), 14, 13]
        header.bytes += [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
        header.u8(0)
        header.string("a.c")
        header.bytes += [0, 0, 0, 0]
      }
      program(&unit)
    }
  }
}

extension ByteBuilder {
  mutating func setAddress(_ address: UInt64) {
    bytes += [0, 9, LineOpcode.extendedSetAddress]
    u64(address)
  }

  mutating func advanceLine(_ count: Int8) {
    bytes += [LineOpcode.advanceLine, UInt8(bitPattern: count) & 0x7f]
  }

  mutating func copy() { u8(LineOpcode.copy) }

  mutating func advance(_ count: UInt64) {
    u8(LineOpcode.advancePC)
    uleb(count)
  }

  mutating func endSequence() { bytes += [0, 1, LineOpcode.extendedEndSequence] }
}
