import NIOCore

/// A client of a forward proxy, whichever of its languages it speaks: SOCKS 5, 4 and 4a, HTTP CONNECT, HTTP requests.
struct ForwardOpening: StreamOpening {
  private var socks: SOCKSOpening?
  private var isHTTP = false

  mutating func read(_ bytes: inout ByteBuffer) -> OpeningStep {
    if socks != nil { return socks?.read(&bytes) ?? .more }
    guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return .more }
    switch first {
    case 4, 5:
      socks = SOCKSOpening(version: first)
      return socks?.read(&bytes) ?? .more
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      return HTTPOpening.read(&bytes)
    default: return .refuse([], reason: "neither SOCKS nor HTTP")
    }
  }
}

/// Source: RFC 1928; the SOCKS 4 and 4a memos of Ying-Da Lee.
struct SOCKSOpening: StreamOpening {
  private let version: UInt8
  private var hasGreeted = false

  init(version: UInt8) { self.version = version }

  mutating func read(_ bytes: inout ByteBuffer) -> OpeningStep {
    if version == 4 { return Self.readVersion4(&bytes) }
    return hasGreeted ? Self.readRequest(&bytes) : readGreeting(&bytes)
  }

  private mutating func readGreeting(_ bytes: inout ByteBuffer) -> OpeningStep {
    let start = bytes
    guard let version = bytes.readInteger(as: UInt8.self), let count = bytes.readInteger(as: UInt8.self),
      let methods = bytes.readBytes(length: Int(count))
    else {
      bytes = start
      return .more
    }
    guard version == 5, methods.contains(0) else { return .refuse([5, 0xff], reason: "SOCKS with authentication") }
    hasGreeted = true
    return .answer([5, 0])
  }

  private static func readRequest(_ bytes: inout ByteBuffer) -> OpeningStep {
    var rest = bytes
    guard let head = rest.readBytes(length: 4) else { return .more }
    guard head[0] == 5 else { return .refuse(reply(1), reason: "no SOCKS request") }
    let host: String?
    switch head[3] {
    case 1: host = rest.readBytes(length: 4).map { $0.map(String.init).joined(separator: ".") }
    case 3: host = rest.readLengthPrefixedSlice(as: UInt8.self).map { String(buffer: $0) }
    case 4: host = rest.readBytes(length: 16).flatMap(Self.version6)
    default: return .refuse(reply(8), reason: "SOCKS address of kind \(head[3])")
    }
    guard let host, let port = rest.readInteger(as: UInt16.self) else { return .more }
    bytes = rest
    guard head[1] == 1 else { return .refuse(reply(7), reason: "SOCKS command \(head[1])") }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      return .refuse(reply(4), reason: "SOCKS host malformed")
    }
    var target = OpeningTarget(NetworkAddress(host: host, port: Int(port)))
    (target.success, target.refused, target.failed) = (reply(0), reply(5), reply(4))
    return .lead(target)
  }

  private static func reply(_ code: UInt8) -> [UInt8] { [5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

  private static func version6(_ bytes: [UInt8]) -> String? {
    try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0).ipAddress
  }

  private static func readVersion4(_ bytes: inout ByteBuffer) -> OpeningStep {
    var rest = bytes
    guard let head = rest.readBytes(length: 8) else { return .more }
    guard rest.readText() != nil else { return rest.readableBytes > 255 ? .refuse([], reason: "SOCKS 4") : .more }
    var host = head[4...].map(String.init).joined(separator: ".")
    if head[4..<7].allSatisfy({ $0 == 0 }), head[7] != 0 {
      guard let name = rest.readText() else { return rest.readableBytes > 255 ? .refuse([], reason: "SOCKS 4") : .more }
      host = name
    }
    bytes = rest
    func reply(_ code: UInt8) -> [UInt8] { [0, code, 0, 0, 0, 0, 0, 0] }
    guard head[1] == 1, !host.isEmpty else { return .refuse(reply(91), reason: "SOCKS 4 command \(head[1])") }
    var target = OpeningTarget(NetworkAddress(host: host, port: Int(head[2]) << 8 | Int(head[3])))
    (target.success, target.refused, target.failed) = (reply(90), reply(91), reply(91))
    return .lead(target)
  }
}

extension ByteBuffer {
  /// Text up to a zero byte, which is taken too; nil where there is none.
  fileprivate mutating func readText() -> String? {
    guard let end = readableBytesView.firstIndex(of: 0) else { return nil }
    let text = readString(length: end - readerIndex)
    moveReaderIndex(forwardBy: 1)
    return text
  }
}
