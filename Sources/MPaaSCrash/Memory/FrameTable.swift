import MPaaSSupport
import MPaaSSymbols

/// A search table over `.eh_frame`, for images whose linker left `.eh_frame_hdr` out: static executables of GCC.
///
/// Source: LSB 5.0, 10.6 "Exception Frames"; the table has the form of `.eh_frame_hdr`'s, pairs of signed 32-bit
/// distances from the image's base to a function and to its description, sorted by the first.
struct FrameTable {
  /// Descriptions in the table.
  let count: Int
  private(set) var bytes: [UInt8]

  private struct Function {
    let start: UInt64
    let description: UInt64
  }

  /// Makes a table of functions and descriptions at distances from a base; those too far away are left out.
  private init?(_ functions: [Function], from base: UInt64) {
    var pairs: [(start: Int32, description: Int32)] = []
    for function in functions {
      guard let start = Int32(exactly: Int64(bitPattern: function.start &- base)),
        let description = Int32(exactly: Int64(bitPattern: function.description &- base))
      else { continue }
      pairs.append((start, description))
    }
    guard !pairs.isEmpty else { return nil }
    pairs.sort { $0.start < $1.start }
    count = pairs.count
    bytes = pairs.flatMap { pair in
      [pair.start, pair.description].flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }
  }

  /// Makes a table of the functions that only `.debug_frame` describes, with their descriptions behind it.
  ///
  /// - Parameters:
  ///   - base: The address that stands for the image's own in the table and in the descriptions.
  ///   - address: The address where the table is put; `bytes` are the table and the descriptions.
  /// - Returns: Nil where the file has no `.debug_frame` that can be read.
  static func ofDebugFrames(_ file: Bytes, base: UInt64, at address: UInt64) -> FrameTable? {
    guard let image = try? ELFImage(file), image.header.is64,
      let source = image.callFrames(".debug_frame", .debugFrame) ?? image.callFrames(".zdebug_frame", .debugFrame)
    else { return nil }
    let slide = base &- image.loadAddress
    let frames = source.exceptionFrames(movedBy: slide)
    let descriptions = address &+ UInt64(frames.functions.count) * 8
    let functions = frames.functions.map {
      Function(start: $0.start &+ slide, description: descriptions &+ UInt64($0.offset))
    }
    guard var table = FrameTable(functions, from: base), table.count == functions.count else { return nil }
    table.bytes += frames.bytes
    return table
  }

  /// Makes the table of a little-endian image; nil where it has no descriptions.
  init?(_ file: Bytes) {
    guard let image = try? ELFImage(file), !image.header.bigEndian, let section = image.section(named: ".eh_frame"),
      section.address != 0, let contents = image.contents(named: ".eh_frame")
    else { return nil }
    self.init(Self.functions(contents, at: section.address, is64: image.header.is64), from: image.loadAddress)
  }

  /// The functions that the section describes, in its order; those in front of a description that makes no sense.
  private static func functions(_ contents: Bytes, at address: UInt64, is64: Bool) -> [Function] {
    var functions: [Function] = []
    var encodings: [Int: UInt8] = [:]
    var cursor = ByteCursor(contents.buffer)
    while cursor.remaining >= 4 {
      let start = cursor.offset
      guard let (end, id, idAt) = try? Self.entry(&cursor), end > cursor.offset else { break }
      if id == 0 {
        encodings[start] = (try? Self.pointerEncoding(&cursor)) ?? 0xff
      } else if let encoding = encodings[idAt - Int(clamping: id)], encoding != 0xff {
        let place = address &+ UInt64(cursor.offset)
        if let pointer = try? Self.pointer(&cursor, encoding, at: place, is64: is64) {
          functions.append(Function(start: pointer, description: address &+ UInt64(start)))
        }
      }
      cursor.offset = end
    }
    return functions
  }

  /// Reads the head of an entry: where it ends, 0 for a CIE or the distance back to one, and where that number stands.
  private static func entry(_ cursor: inout ByteCursor) throws(ByteError) -> (end: Int, id: UInt64, idAt: Int) {
    var length = UInt64(try cursor.u32())
    let isLong = length == 0xffff_ffff
    if isLong { length = try cursor.u64() }
    guard length > 0, length <= UInt64(cursor.remaining) else {
      throw ByteError(code: .truncated, offset: cursor.offset)
    }
    let idAt = cursor.offset
    let end = idAt + Int(length)
    // The number has 4 bytes in both forms (LSB 5.0, 10.6.1).
    return (end, UInt64(try cursor.u32()), idAt)
  }

  /// The encoding of addresses in the descriptions of a CIE: the `R` of its augmentation.
  private static func pointerEncoding(_ cursor: inout ByteCursor) throws(ByteError) -> UInt8 {
    _ = try cursor.u8()
    let augmentation = String(utf8: try cursor.cString())
    _ = try cursor.uleb()
    _ = try cursor.sleb()
    _ = try cursor.uleb()
    guard augmentation.first == "z" else { return 0 }
    _ = try cursor.uleb()
    for letter in augmentation.dropFirst() {
      switch letter {
      case "R": return try cursor.u8()
      case "L": _ = try cursor.u8()
      case "P":
        let encoding = try cursor.u8()
        _ = try pointer(&cursor, encoding & 0x0f, at: 0, is64: true)
      case "S", "B": break
      default: return 0xff
      }
    }
    return 0
  }

  private static func pointer(
    _ cursor: inout ByteCursor, _ encoding: UInt8, at place: UInt64, is64: Bool
  ) throws(ByteError) -> UInt64 {
    let value: UInt64
    switch encoding & 0x0f {
    case 0x00: value = is64 ? try cursor.u64() : UInt64(try cursor.u32())
    case 0x03: value = UInt64(try cursor.u32())
    case 0x0b: value = UInt64(bitPattern: Int64(Int32(bitPattern: try cursor.u32())))
    case 0x04, 0x0c: value = try cursor.u64()
    default: throw ByteError(code: .unsupportedSize, offset: cursor.offset)
    }
    switch encoding & 0x70 {
    case 0x00: return value
    case 0x10: return value &+ place
    default: throw ByteError(code: .unsupportedSize, offset: cursor.offset)
    }
  }
}
