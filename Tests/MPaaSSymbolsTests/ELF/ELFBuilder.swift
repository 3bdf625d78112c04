@testable import MPaaSSymbols

/// Writes small ELF files of any class and byte order, for what no fixture has.
struct ELFBuilder {
  struct Section {
    var name: String
    var type: UInt32 = 1
    var flags: UInt64 = 0
    var address: UInt64 = 0
    var link: UInt32 = 0
    var info: UInt32 = 0
    var entrySize: UInt64 = 0
    var bytes: [UInt8] = []
  }

  var is64 = true
  var bigEndian = false
  var type: UInt16 = 3
  var machine: UInt16 = 62
  var sections: [Section] = []
  /// Writes counts as files with very many sections do: into section 0.
  var hasExtendedNumbering = false

  func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    return bigEndian ? bytes.reversed() : bytes
  }

  func word(_ value: UInt64) -> [UInt8] { number(value, is64 ? 8 : 4) }

  /// A symbol table's entry.
  func symbol(name: Int, value: UInt64, size: UInt64, info: UInt8, section: UInt16) -> [UInt8] {
    let head = number(UInt64(name), 4)
    let tail = [info, 0] + number(UInt64(section), 2)
    return is64 ? head + tail + word(value) + word(size) : head + word(value) + word(size) + tail
  }

  func note(_ owner: String, _ type: UInt64, _ descriptor: [UInt8]) -> [UInt8] {
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
    let name = Array(owner.utf8) + [0]
    return number(UInt64(name.count), 4) + number(UInt64(descriptor.count), 4) + number(type, 4) + padded(name)
      + padded(descriptor)
  }

  /// A compressed section's bytes: the header, then `data`.
  func compressed(_ type: UInt64, size: UInt64, _ data: [UInt8]) -> [UInt8] {
    number(type, 4) + (is64 ? number(0, 4) : []) + word(size) + word(1) + data
  }

  func build() -> [UInt8] {
    var names: [UInt8] = [0]
    var offsets: [Int] = []
    for section in sections + [Section(name: ".shstrtab", type: 3)] {
      offsets.append(names.count)
      names += Array(section.name.utf8) + [0]
    }
    var all = sections
    all.append(Section(name: ".shstrtab", type: 3, bytes: names))
    let headerSize = is64 ? 64 : 52
    var body: [UInt8] = []
    var table: [UInt8] = []
    let count = UInt64(all.count + 1)
    table += entry(
      Section(name: "", type: 0, link: hasExtendedNumbering ? UInt32(count - 1) : 0), name: 0, offset: 0,
      size: hasExtendedNumbering ? count : 0)
    for (section, name) in zip(all, offsets) {
      table += entry(section, name: name, offset: UInt64(headerSize + body.count), size: UInt64(section.bytes.count))
      body += section.bytes
    }
    let header =
      [0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, bigEndian ? 2 : 1, 1] + [UInt8](repeating: 0, count: 9)
      + number(UInt64(type), 2)
      + number(UInt64(machine), 2) + number(1, 4) + word(0) + word(0) + word(UInt64(headerSize + body.count))
      + number(0, 4) + number(UInt64(headerSize), 2) + number(0, 2) + number(0, 2) + number(is64 ? 64 : 40, 2)
      + number(hasExtendedNumbering ? 0 : count, 2) + number(hasExtendedNumbering ? 0xffff : count - 1, 2)
    return header + body + table
  }

  private func entry(_ section: Section, name: Int, offset: UInt64, size: UInt64) -> [UInt8] {
    number(UInt64(name), 4) + number(UInt64(section.type), 4) + word(section.flags) + word(section.address)
      + word(offset) + word(size) + number(UInt64(section.link), 4) + number(UInt64(section.info), 4) + word(1)
      + word(section.entrySize)
  }
}
