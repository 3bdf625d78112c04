package import MPaaSSupport

/// The first bytes of an ELF file: what kind it is and where its tables are.
///
/// Source: System V ABI, chapter 4, "ELF Header"; counts that do not fit in 16 bits stand in section 0.
package struct ELFHeader: Sendable, Equatable {
  package let is64: Bool
  package let bigEndian: Bool
  package let type: FileType
  package let machine: Machine
  package let entry: UInt64
  package let flags: UInt32
  let sectionTable: Table
  let programTable: Table
  let nameSection: Int

  package enum FileType: Sendable, Equatable {
    case relocatable, executable, sharedObject, core
    case other(UInt16)
  }

  /// A processor, by the ABI's number for it.
  package struct Machine: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    package static let i386 = Machine(rawValue: 3)
    package static let mips = Machine(rawValue: 8)
    package static let ppc64 = Machine(rawValue: 21)
    package static let arm = Machine(rawValue: 40)
    package static let x86_64 = Machine(rawValue: 62)
    package static let aarch64 = Machine(rawValue: 183)
    package static let riscv = Machine(rawValue: 243)

    /// The name that `uname -m` has for it, else its number.
    package var name: String {
      switch self {
      case .i386: "i386"
      case .mips: "mips"
      case .ppc64: "ppc64"
      case .arm: "arm"
      case .x86_64: "x86_64"
      case .aarch64: "aarch64"
      case .riscv: "riscv"
      default: "machine-\(rawValue)"
      }
    }
  }

  struct Table: Sendable, Equatable {
    var offset: UInt64
    var entrySize: UInt64
    var count: UInt64
  }

  package var addressSize: Int { is64 ? 8 : 4 }

  /// Tells whether the bytes begin as an ELF file does.
  package static func matches(_ bytes: Bytes) -> Bool {
    bytes.count >= 16 && bytes.buffer[0] == 0x7f && bytes.buffer[1] == 0x45 && bytes.buffer[2] == 0x4c
      && bytes.buffer[3] == 0x46
  }

  init(_ bytes: Bytes) throws(ELFError) {
    guard Self.matches(bytes) else { throw ELFError(code: .badMagic, offset: 0) }
    let kind = bytes.buffer[4]
    let order = bytes.buffer[5]
    guard kind == 1 || kind == 2 else { throw ELFError(code: .badClass, offset: 4, value: UInt64(kind)) }
    guard order == 1 || order == 2 else { throw ELFError(code: .badByteOrder, offset: 5, value: UInt64(order)) }
    do throws(ByteError) {
      var cursor = ByteCursor(bytes.buffer, at: 16, bigEndian: order == 2)
      let is64 = kind == 2
      let size = is64 ? 8 : 4
      self.is64 = is64
      bigEndian = order == 2
      type = FileType(try cursor.u16())
      machine = Machine(rawValue: try cursor.u16())
      _ = try cursor.u32()
      entry = try cursor.unsigned(size: size)
      let programs = try cursor.unsigned(size: size)
      let sections = try cursor.unsigned(size: size)
      flags = try cursor.u32()
      _ = try cursor.u16()
      programTable = Table(
        offset: programs, entrySize: UInt64(try cursor.u16()), count: UInt64(try cursor.u16()))
      sectionTable = Table(
        offset: sections, entrySize: UInt64(try cursor.u16()), count: UInt64(try cursor.u16()))
      nameSection = Int(try cursor.u16())
    } catch {
      throw ELFError(code: .truncated, offset: UInt64(bytes.count))
    }
  }
}

extension ELFHeader.FileType {
  init(_ value: UInt16) {
    switch value {
    case 1: self = .relocatable
    case 2: self = .executable
    case 3: self = .sharedObject
    case 4: self = .core
    default: self = .other(value)
    }
  }
}
