@testable import MPaaSSymbols

/// Writes small Mach-O files of any width and byte order, for what no fixture has.
struct MachOBuilder {
  struct Section {
    var segment = "__TEXT"
    var name = "__text"
    var address: UInt64 = 0x1000
    var flags: UInt64 = 0x8000_0400
    var bytes: [UInt8] = []
    /// Address in the section, symbol number, whether by symbol, type; four or eight bytes as the image's addresses.
    var relocations: [(address: UInt64, symbol: UInt64, isExternal: Bool, type: UInt64)] = []
  }

  struct Symbol {
    var name: String
    var type: UInt64 = 0x0f
    var section: UInt64 = 1
    var value: UInt64 = 0
  }

  var is64 = true
  var bigEndian = false
  var cpu: UInt64 = 0x0100_000c
  var subtype: UInt64 = 0
  var fileType: UInt64 = 2
  var uuid: [UInt8] = Array(1...16)
  var textAddress: UInt64 = 0x1000
  var sections: [Section] = []
  var symbols: [Symbol] = []
  /// Distances of function starts.
  var functionStarts: [UInt8] = []
  var exports: [UInt8] = []
  /// As the table of dynamic symbols tells it; nil leaves that out.
  var localSymbolCount: Int?
  var isEncrypted = false

  func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    return bigEndian ? bytes.reversed() : bytes
  }

  private func word(_ value: UInt64) -> [UInt8] { number(value, is64 ? 8 : 4) }
  private func half(_ value: Int) -> [UInt8] { number(UInt64(value), 4) }

  private func name(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(16))
    return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
  }

  func build() -> [UInt8] {
    var body: [UInt8] = []
    let start = 4096
    func place(_ bytes: [UInt8]) -> Int {
      body += bytes
      return start + body.count - bytes.count
    }
    var commands: [[UInt8]] = []
    var headers: [UInt8] = []
    for section in sections {
      let offset = place(section.bytes)
      let relocations = place(section.relocations.flatMap { relocation($0) })
      headers += name(section.name) + name(section.segment) + word(section.address) + word(UInt64(section.bytes.count))
      headers += half(offset) + half(0) + half(relocations) + half(section.relocations.count)
      headers += number(section.flags, 4) + [UInt8](repeating: 0, count: is64 ? 12 : 8)
    }
    commands.append(
      command(
        is64 ? 0x19 : 1,
        name(fileType == 1 ? "" : "__TEXT") + word(textAddress) + word(0x10_0000) + word(0) + word(0) + half(7)
          + half(5) + half(sections.count) + half(0) + headers))
    if !uuid.isEmpty { commands.append(command(0x1b, uuid)) }
    var strings: [UInt8] = [0]
    var table: [UInt8] = []
    for symbol in symbols {
      table += half(strings.count) + [UInt8(symbol.type), UInt8(symbol.section)] + number(0, 2) + word(symbol.value)
      strings += Array(symbol.name.utf8) + [0]
    }
    if !symbols.isEmpty {
      let tableOffset = place(table)
      let stringOffset = place(strings)
      commands.append(
        command(2, half(tableOffset) + half(symbols.count) + half(stringOffset) + half(strings.count)))
    }
    if !functionStarts.isEmpty {
      commands.append(command(0x26, half(place(functionStarts)) + half(functionStarts.count)))
    }
    if let localSymbolCount {
      commands.append(command(0xb, half(0) + half(localSymbolCount) + [UInt8](repeating: 0, count: 64)))
    }
    if !exports.isEmpty { commands.append(command(0x8000_0033, half(place(exports)) + half(exports.count))) }
    if isEncrypted { commands.append(command(0x2c, half(0) + half(16) + half(1) + half(0))) }
    let all = commands.flatMap { $0 }
    let header =
      number(is64 ? 0xfeed_facf : 0xfeed_face, 4) + number(cpu, 4) + number(subtype, 4) + number(fileType, 4)
      + half(commands.count) + half(all.count) + half(0) + (is64 ? half(0) : [])
    let front = header + all
    return front + [UInt8](repeating: 0, count: start - front.count) + body
  }

  private func command(_ kind: UInt64, _ content: [UInt8]) -> [UInt8] {
    let padding = (8 - content.count % 8) % 8
    return number(kind, 4) + half(8 + content.count + padding) + content + [UInt8](repeating: 0, count: padding)
  }

  private func relocation(_ entry: (address: UInt64, symbol: UInt64, isExternal: Bool, type: UInt64)) -> [UInt8] {
    let width: UInt64 = is64 ? 3 : 2
    let external: UInt64 = entry.isExternal ? 1 : 0
    let info =
      bigEndian
      ? entry.symbol << 8 | width << 5 | external << 4 | entry.type
      : entry.symbol | width << 25 | external << 27 | entry.type << 28
    return number(entry.address, 4) + number(info, 4)
  }

  /// A fat file of images.
  static func fat(_ images: [MachOBuilder], is64: Bool = false) -> [UInt8] {
    let big = MachOBuilder(bigEndian: true)
    var table = big.number(is64 ? 0xcafe_babf : 0xcafe_babe, 4) + big.number(UInt64(images.count), 4)
    var body: [UInt8] = []
    let start = 4096
    for image in images {
      let bytes = image.build()
      let width = is64 ? 8 : 4
      table += big.number(image.cpu, 4) + big.number(image.subtype, 4)
      table += big.number(UInt64(start + body.count), width) + big.number(UInt64(bytes.count), width)
      table += big.number(12, 4) + (is64 ? big.number(0, 4) : [])
      body += bytes
    }
    return table + [UInt8](repeating: 0, count: start - table.count) + body
  }
}
