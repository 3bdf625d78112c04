import MPaaSSupport

/// One symbol of code in a table sorted by address: 24 bytes, its name left in the file.
struct ELFSymbol: Sendable {
  var address: UInt64
  var nameOffset: UInt32
  /// Position in its table, to keep the tables' order among equals.
  var order: UInt32
  /// Bytes; larger ones are cut, which no code is.
  var size: UInt32
  /// The table that it is from.
  var source: UInt8
  var kind: Kind
  var binding: Binding

  enum Kind: UInt8, Sendable { case plain, function, indirect }
  /// The files that see it: its own source file only, or others too, which may have a stronger one of its name.
  enum Binding: UInt8, Sendable { case local, weak, global }

  /// Past the last byte of the symbol; the same as its address where it has no size.
  var end: UInt64 {
    let (end, overflow) = address.addingReportingOverflow(UInt64(size))
    return overflow ? .max : end
  }
}

/// Reads the entries of `.symtab` and `.dynsym`.
///
/// Source: System V ABI, chapter 4, "Symbol Table".
struct ELFSymbolReader {
  let image: ELFImage
  let section: ELFSection
  let source: UInt8
  let names: Bytes

  private static let entry64 = 24
  private static let entry32 = 16

  /// Adds the functions, indirect functions and labels of code to `symbols`.
  func read(into symbols: inout [ELFSymbol]) {
    guard section.type != .noBits, let table = try? image.contents(of: section) else { return }
    let size = image.header.is64 ? Self.entry64 : Self.entry32
    let count = min(table.count / size, Int(UInt32.max))
    var cursor = ByteCursor(table.buffer, bigEndian: image.header.bigEndian)
    for index in 0..<count {
      cursor.offset = index * size
      guard let raw = try? image.header.is64 ? raw64(&cursor) : raw32(&cursor) else { return }
      if let symbol = symbol(raw, order: UInt32(index)) { symbols.append(symbol) }
    }
  }

  private struct Raw {
    var name: UInt32
    var info: UInt8
    var section: UInt16
    var value: UInt64
    var size: UInt64
  }

  private func raw64(_ cursor: inout ByteCursor) throws(ByteError) -> Raw {
    let name = try cursor.u32()
    let info = try cursor.u8()
    _ = try cursor.u8()
    let section = try cursor.u16()
    return Raw(name: name, info: info, section: section, value: try cursor.u64(), size: try cursor.u64())
  }

  private func raw32(_ cursor: inout ByteCursor) throws(ByteError) -> Raw {
    let name = try cursor.u32()
    let value = UInt64(try cursor.u32())
    let size = UInt64(try cursor.u32())
    let info = try cursor.u8()
    _ = try cursor.u8()
    return Raw(name: name, info: info, section: try cursor.u16(), value: value, size: size)
  }

  private func symbol(_ raw: Raw, order: UInt32) -> ELFSymbol? {
    guard raw.name != 0, raw.section != 0, let kind = kind(raw), kind != .plain || !isMapping(raw) else { return nil }
    // A Thumb function has the lowest bit of its address set.
    let isThumb = image.header.machine == .arm && kind != .plain
    return ELFSymbol(
      address: isThumb ? raw.value & ~1 : raw.value, nameOffset: raw.name, order: order,
      size: UInt32(clamping: raw.size), source: source, kind: kind,
      binding: raw.info >> 4 == 0 ? .local : raw.info >> 4 == 2 ? .weak : .global)
  }

  /// Tells whether a label only tells code from data (`$x`, `$d`, …) and names nothing.
  ///
  /// - Source: ELF for the Arm Architecture, 5.5.5.
  private func isMapping(_ raw: Raw) -> Bool {
    guard [.arm, .aarch64, .riscv].contains(image.header.machine) else { return false }
    return raw.name < names.count && names.buffer[Int(raw.name)] == UInt8(ascii: "$")
  }

  private func kind(_ raw: Raw) -> ELFSymbol.Kind? {
    switch raw.info & 15 {
    case 2: return .function
    case 10: return .indirect
    case 0: return isCode(raw.section) ? .plain : nil
    default: return nil
    }
  }

  /// Tells whether a label's section holds code; absolute values and data do not.
  private func isCode(_ index: UInt16) -> Bool {
    guard index < 0xff00, image.sections.indices.contains(Int(index)) else { return index == 0xffff }
    return image.sections[Int(index)].flags.contains(.executable)
  }
}
