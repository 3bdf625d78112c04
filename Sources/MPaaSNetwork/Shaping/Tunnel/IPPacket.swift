import MPaaSRandom
package import NIOCore

/// The facts of an IP packet that matter to a tunnel: whose packet it is, and what its sender is told where there is no
/// network.
package struct IPPacket {
  private let bytes: ByteBuffer
  private let start: Int

  package init(_ bytes: ByteBuffer) {
    self.bytes = bytes
    start = bytes.readerIndex
  }

  private func byte(_ offset: Int) -> UInt8 { bytes.getInteger(at: start + offset) ?? 0 }
  private func word(_ offset: Int) -> UInt16 { bytes.getInteger(at: start + offset) ?? 0 }
  private func long(_ offset: Int) -> UInt32 { bytes.getInteger(at: start + offset) ?? 0 }

  private var version: UInt8 { byte(0) >> 4 }
  package var isVersion4: Bool { version == 4 }
  /// Bytes of the IPv4 header.
  private var headerLength: Int { Int(byte(0) & 0xf) * 4 }
  private var isFragment: Bool { word(6) & 0x1fff != 0 }

  /// The same number for every packet of a flow, in both directions, on every run.
  package var flow: UInt64 {
    switch version {
    case 4:
      let ends = UInt64(long(12)) &+ UInt64(long(16))
      return SplitMix64.mixed(ends ^ UInt64(byte(9)) << 40 ^ ports(at: headerLength, of: byte(9)))
    case 6:
      var ends: UInt64 = 0
      for offset in stride(from: 8, to: 40, by: 4) { ends &+= UInt64(long(offset)) }
      return SplitMix64.mixed(ends ^ UInt64(byte(6)) << 40 ^ ports(at: 40, of: byte(6)))
    default: return 0
    }
  }

  /// A sum that does not depend on the direction; nothing for protocols without ports, and for fragments.
  private func ports(at offset: Int, of transport: UInt8) -> UInt64 {
    guard transport == 6 || transport == 17, version == 6 || !isFragment else { return 0 }
    return (UInt64(word(offset)) &+ UInt64(word(offset + 2))) << 44
  }

  /// The packet that tells the sender that there is no network: a reset of a TCP connection that stands, else the ICMP
  /// message that the network cannot be reached; nil where RFC 1122, 3.2.2 forbids an answer.
  ///
  /// - Parameter gateway: Whom the message comes from.
  package func unreachable(from gateway: UInt32) -> ByteBuffer? {
    guard version == 4, headerLength >= 20, bytes.readableBytes >= headerLength + 8, !isFragment else { return nil }
    let destination = byte(16)
    guard destination < 224, long(12) != 0 else { return nil }
    switch byte(9) {
    case 6 where bytes.readableBytes >= headerLength + 20:
      let flags = byte(headerLength + 13)
      if flags & 0x04 != 0 { return nil }
      return flags & 0x12 == 0x02 ? message(from: gateway) : reset
    case 1:
      // An answer to an error would be an error that answers itself; only echo requests have one.
      return byte(headerLength) == 8 ? message(from: gateway) : nil
    default: return message(from: gateway)
    }
  }

  /// RFC 792: destination unreachable, network.
  private func message(from gateway: UInt32) -> ByteBuffer {
    let quoted = min(headerLength + 8, bytes.readableBytes)
    var packet = header(length: 20 + 8 + quoted, transport: 1, source: gateway)
    let body = packet.writerIndex
    packet.writeInteger(UInt64(0x0300) << 48)
    if let slice = bytes.getSlice(at: start, length: quoted) { packet.writeImmutableBuffer(slice) }
    packet.setInteger(InternetChecksum.of(packet, from: body), at: body + 2)
    return packet
  }

  /// RFC 9293, 3.5.2: how a closed port answers.
  private var reset: ByteBuffer {
    let flags = byte(headerLength + 13)
    let hasAcknowledgement = flags & 0x10 != 0
    let payload = max(0, Int(word(2)) - headerLength - Int(byte(headerLength + 12) >> 4) * 4)
    let consumed = UInt32(truncatingIfNeeded: payload) &+ (flags & 0x02 != 0 ? 1 : 0) &+ (flags & 0x01 != 0 ? 1 : 0)
    var packet = header(length: 40, transport: 6, source: long(16))
    let body = packet.writerIndex
    packet.writeInteger(word(headerLength + 2))
    packet.writeInteger(word(headerLength))
    packet.writeInteger(hasAcknowledgement ? long(headerLength + 8) : 0)
    packet.writeInteger(hasAcknowledgement ? 0 : long(headerLength + 4) &+ consumed)
    packet.writeInteger(UInt16(0x5000) | (hasAcknowledgement ? 0x04 : 0x14))
    packet.writeInteger(UInt16(0))
    packet.writeInteger(UInt32(0))
    // The pseudo header: both addresses, the protocol and the length.
    let pseudo = InternetChecksum.sum(packet, from: body - 8, to: body) + 6 + 20
    packet.setInteger(InternetChecksum.of(packet, from: body, after: pseudo), at: body + 16)
    return packet
  }

  /// An IPv4 header back to the sender.
  private func header(length: Int, transport: UInt8, source: UInt32) -> ByteBuffer {
    var packet = ByteBuffer()
    packet.reserveCapacity(length)
    packet.writeInteger(UInt16(0x4500))
    packet.writeInteger(UInt16(truncatingIfNeeded: length))
    packet.writeInteger(UInt32(0))
    packet.writeInteger(UInt16(0x4000) | UInt16(transport))
    packet.writeInteger(UInt16(0))
    packet.writeInteger(source)
    packet.writeInteger(long(12))
    packet.setInteger(UInt8(64), at: 8)
    packet.setInteger(InternetChecksum.of(packet, from: 0), at: 10)
    return packet
  }
}

/// The checksum of RFC 1071.
package enum InternetChecksum {
  package static func sum(_ packet: ByteBuffer, from start: Int, to end: Int) -> UInt32 {
    var sum: UInt32 = 0
    for offset in stride(from: start, to: end, by: 2) {
      let high: UInt8 = packet.getInteger(at: offset) ?? 0
      let low: UInt8 = offset + 1 < end ? packet.getInteger(at: offset + 1) ?? 0 : 0
      sum += UInt32(high) << 8 | UInt32(low)
    }
    return sum
  }

  /// - Parameter first: What was summed before, such as a pseudo header.
  package static func of(_ packet: ByteBuffer, from start: Int, after first: UInt32 = 0) -> UInt16 {
    var sum = first + sum(packet, from: start, to: packet.writerIndex)
    while sum >> 16 != 0 { sum = sum & 0xffff + sum >> 16 }
    return ~UInt16(truncatingIfNeeded: sum)
  }
}
