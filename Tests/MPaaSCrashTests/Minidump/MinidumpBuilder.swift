import Foundation
import MPaaSCrashReport

@testable import MPaaSCrash

/// Writes minidumps: data first, then the streams that point to it.
struct MinidumpBuilder {
  var isBigEndian = false
  private(set) var bytes = [UInt8](repeating: 0, count: Self.directory + 12 * Self.most)
  private var streams: [(type: UInt32, offset: Int, size: Int)] = []
  private static let directory = 32
  private static let most = 24

  func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  func words(_ values: UInt32...) -> [UInt8] { values.flatMap { number($0) } }

  func longs(_ values: UInt64...) -> [UInt8] { values.flatMap { number($0) } }

  /// Text of fixed size.
  func units(_ text: String, count: Int) -> [UInt8] {
    let units = Array(text.utf16) + [UInt16](repeating: 0, count: max(count - text.utf16.count, 0))
    return units.prefix(count).flatMap { number($0) }
  }

  /// Appends data; its offset.
  mutating func add(_ data: [UInt8]) -> UInt32 {
    bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    defer { bytes += data }
    return UInt32(bytes.count)
  }

  /// Appends data; its size and offset, as records have them.
  mutating func location(_ data: [UInt8]) -> [UInt8] {
    let offset = add(data)
    return words(UInt32(data.count), offset)
  }

  mutating func wide(_ text: String) -> UInt32 {
    add(number(UInt32(text.utf16.count * 2)) + text.utf16.flatMap { number($0) } + [0, 0])
  }

  mutating func narrow(_ text: String) -> UInt32 {
    add(number(UInt32(text.utf8.count)) + Array(text.utf8) + [0])
  }

  mutating func stream(_ type: UInt32, _ data: [UInt8]) {
    let offset = add(data)
    streams.append((type, Int(offset), data.count))
  }

  /// The whole file.
  func file(time: UInt32 = 1000) -> [UInt8] {
    var file = bytes
    let head =
      (isBigEndian ? Array("PMDM".utf8) : Array("MDMP".utf8))
      + words(0xa793, UInt32(streams.count), UInt32(Self.directory), 0, time) + number(UInt64(0))
    file.replaceSubrange(0..<head.count, with: head)
    for (index, stream) in streams.enumerated() {
      let entry = words(stream.type, UInt32(stream.size), UInt32(stream.offset))
      file.replaceSubrange(Self.directory + index * 12..<Self.directory + (index + 1) * 12, with: entry)
    }
    return file
  }
}

extension MinidumpBuilder {
  /// The stream of system information.
  mutating func system(processor: UInt16, platform: UInt32, version: [UInt32] = [1, 2, 3], pack: String = "") {
    let name = wide(pack)
    stream(
      7,
      number(processor) + number(UInt16(6)) + number(UInt16(0x1201)) + [4, 1] + version.flatMap { number($0) }
        + words(platform, name) + words(0) + [UInt8](repeating: 7, count: 24))
  }

  /// A record of a thread.
  mutating func thread(_ id: UInt32, stack: (start: UInt64, bytes: [UInt8]), context: [UInt8]) -> [UInt8] {
    let stackPlace = location(stack.bytes)
    let contextPlace = location(context)
    return words(id, 0, 0, 0) + longs(0, stack.start) + stackPlace + contextPlace
  }

  /// A record of a module.
  mutating func module(_ path: String, base: UInt64, size: UInt32, codeView: [UInt8]) -> [UInt8] {
    let name = wide(path)
    let identity = codeView.isEmpty ? words(0, 0) : location(codeView)
    return number(base) + words(size, 0, 0x1234_5678, name) + [UInt8](repeating: 0, count: 52) + identity
      + [UInt8](repeating: 0, count: 24)
  }

  /// The context of an x86-64 thread.
  func longContext(_ registers: CrashReport.Registers) -> [UInt8] {
    var context = [UInt8](repeating: 0, count: 1232)
    let places = [
      "rax": 120, "rcx": 128, "rdx": 136, "rbx": 144, "rsp": 152, "rbp": 160, "rsi": 168, "rdi": 176, "r8": 184,
      "r9": 192, "r10": 200, "r11": 208, "r12": 216, "r13": 224, "r14": 232, "r15": 240, "rip": 248,
    ]
    context.replaceSubrange(48..<52, with: number(UInt32(0x10_000f)))
    for (name, place) in places {
      context.replaceSubrange(place..<place + 8, with: number(registers[name] ?? 0))
    }
    return context
  }
}
