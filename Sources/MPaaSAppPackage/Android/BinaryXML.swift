package import MPaaSSupport

/// Reads the compiled XML of an APK.
///
/// Source: AOSP, `ResourceTypes.h`: `ResXMLTree_header`, `ResStringPool_header`, `ResXMLTree_attrExt`, `Res_value`.
package struct BinaryXML {
  private let bytes: Bytes
  private var strings: [String] = []
  private var resources: [UInt32] = []
  private var count = 0

  private enum Chunk {
    static let strings: UInt16 = 0x0001
    static let xml: UInt16 = 0x0003
    static let startElement: UInt16 = 0x0102
    static let endElement: UInt16 = 0x0103
    static let resources: UInt16 = 0x0180
  }

  package static func matches(_ bytes: Bytes) -> Bool {
    bytes.count >= 8 && bytes.buffer.starts(with: [0x03, 0x00, 0x08, 0x00])
  }

  /// - Throws: `AndroidXMLError` where a chunk does not lie in the file, or elements do not close.
  package static func root(_ bytes: Bytes) throws(AndroidXMLError) -> AndroidElement {
    var reader = BinaryXML(bytes: bytes)
    return try reader.read()
  }

  private init(bytes: Bytes) {
    self.bytes = bytes
  }

  private mutating func read() throws(AndroidXMLError) -> AndroidElement {
    var open: [AndroidElement] = []
    var place = 8
    while place < bytes.count {
      var cursor = ByteCursor(bytes.buffer, at: place)
      guard let type = try? cursor.u16(), let header = try? cursor.u16(), let size = try? cursor.u32(),
        size >= 8, Int(size) <= bytes.count - place, header >= 8, UInt32(header) <= size
      else { throw AndroidXMLError(reason: "chunk", offset: place) }
      let chunk = UnsafeRawBufferPointer(rebasing: bytes.buffer[place..<place + Int(size)])
      do throws(ByteError) {
        switch type {
        case Chunk.strings: strings = try StringPool(chunk).all()
        case Chunk.resources: resources = try Self.numbers(chunk, from: Int(header))
        case Chunk.startElement:
          guard open.count < AndroidElement.deepest, count < AndroidElement.most else {
            throw ByteError(code: .unsupportedSize, offset: 0)
          }
          count += 1
          open.append(try element(chunk, from: Int(header)))
        case Chunk.endElement:
          guard let done = open.popLast() else { throw ByteError(code: .unsupportedSize, offset: 0) }
          guard !open.isEmpty else { return done }
          open[open.count - 1].children.append(done)
        default: break
        }
      } catch {
        throw AndroidXMLError(reason: "chunk 0x" + String(type, radix: 16), offset: place + error.offset)
      }
      place += Int(size)
    }
    throw AndroidXMLError(reason: "end of element", offset: bytes.count)
  }

  private func text(_ index: UInt32) -> String {
    strings.indices.contains(Int(index)) ? strings[Int(index)] : ""
  }

  private func element(_ chunk: UnsafeRawBufferPointer, from header: Int) throws(ByteError) -> AndroidElement {
    var cursor = ByteCursor(chunk, at: header)
    try cursor.skip(4)
    var element = AndroidElement(name: text(try cursor.u32()))
    let start = Int(try cursor.u16())
    let step = Int(try cursor.u16())
    let count = Int(try cursor.u16())
    guard step >= 20 else { throw ByteError(code: .unsupportedSize, offset: cursor.offset) }
    for index in 0..<count {
      var field = ByteCursor(chunk, at: header + start + index * step)
      try field.skip(4)
      let name = try field.u32()
      let raw = try field.u32()
      try field.skip(3)
      let type = try field.u8()
      let data = try field.u32()
      let key = resources.indices.contains(Int(name)) ? Self.names[resources[Int(name)]] : nil
      element.attributes[key ?? text(name)] = value(type, data, raw)
    }
    return element
  }

  private func value(_ type: UInt8, _ data: UInt32, _ raw: UInt32) -> String {
    switch type {
    case 0x01: "@0x" + String(data, radix: 16)
    case 0x03: text(data)
    case 0x10: String(Int32(bitPattern: data))
    case 0x11: "0x" + String(data, radix: 16)
    case 0x12: data != 0 ? "true" : "false"
    default: text(raw)
    }
  }

  private static func numbers(_ chunk: UnsafeRawBufferPointer, from header: Int) throws(ByteError) -> [UInt32] {
    var cursor = ByteCursor(chunk, at: header)
    return try (0..<(chunk.count - header) / 4).map { _ throws(ByteError) in try cursor.u32() }
  }

  /// The attributes that findings are about, by their numbers: some tools take their names out.
  private static let names: [UInt32: String] = [
    0x0101_0001: "label", 0x0101_0003: "name", 0x0101_0006: "permission", 0x0101_000f: "debuggable",
    0x0101_0010: "exported",
    0x0101_0018: "authorities", 0x0101_001b: "grantUriPermissions", 0x0101_0027: "scheme", 0x0101_0028: "host",
    0x0101_020c: "minSdkVersion", 0x0101_021b: "versionCode", 0x0101_021c: "versionName",
    0x0101_0270: "targetSdkVersion", 0x0101_0272: "testOnly", 0x0101_0280: "allowBackup",
    0x0101_04ec: "usesCleartextTraffic", 0x0101_0527: "networkSecurityConfig",
  ]
}
