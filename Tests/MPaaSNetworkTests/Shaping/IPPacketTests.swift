import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import Testing

/// Packets made by hand.
enum SamplePacket {
  static func ipv4(
    transport: UInt8, from source: UInt32 = 0x0ad5_0002, to destination: UInt32 = 0xc000_0201, payload: [UInt8]
  ) -> ByteBuffer {
    var packet = ByteBuffer()
    packet.writeBytes([0x45, 0])
    packet.writeInteger(UInt16(20 + payload.count))
    packet.writeBytes([0, 1, 0x40, 0, 64, transport, 0, 0])
    packet.writeInteger(source)
    packet.writeInteger(destination)
    packet.setInteger(InternetChecksum.of(packet, from: 0), at: 10)
    packet.writeBytes(payload)
    return packet
  }

  static func tcp(_ flags: UInt8, ports: (UInt16, UInt16) = (4000, 80), data: Int = 0) -> [UInt8] {
    var bytes = ByteBuffer()
    bytes.writeInteger(ports.0)
    bytes.writeInteger(ports.1)
    bytes.writeInteger(UInt32(1000))
    bytes.writeInteger(UInt32(2000))
    bytes.writeBytes([0x50, flags, 1, 0, 0, 0, 0, 0])
    bytes.writeRepeatingByte(7, count: data)
    return Array(bytes.readableBytesView)
  }
}

@Suite("IP packets in a tunnel") struct IPPacketTests {
  private let gateway: UInt32 = 0x0ad5_0001

  /// Tells whether the header's checksum, and that of a TCP segment, come out.
  private func isSound(_ packet: ByteBuffer) -> Bool {
    var header = packet
    guard let head = header.readSlice(length: 20) else { return false }
    guard InternetChecksum.of(head, from: 0) == 0, packet.getInteger(at: 2) == UInt16(packet.readableBytes) else {
      return false
    }
    let isTCP = packet.getInteger(at: 9) == UInt8(6)
    let pseudo = isTCP ? InternetChecksum.sum(packet, from: 12, to: 20) + 6 + UInt32(packet.readableBytes - 20) : 0
    return InternetChecksum.of(packet, from: 20, after: pseudo) == 0
  }

  @Test("a connection that begins is told that the network cannot be reached, quoting what it sent")
  func beginning() throws {
    let packet = SamplePacket.ipv4(transport: 6, payload: SamplePacket.tcp(0x02))
    let answer = try #require(IPPacket(packet).unreachable(from: gateway))
    #expect(isSound(answer))
    #expect(answer.getBytes(at: 20, length: 2) == [3, 0])
    #expect(answer.getInteger(at: 12) == gateway)
    #expect(answer.getInteger(at: 16) == UInt32(0x0ad5_0002))
    #expect(answer.getBytes(at: 28, length: 28) == packet.getBytes(at: 0, length: 28))
  }

  @Test("a connection that stands is reset where the other side would be next")
  func standing() throws {
    let packet = SamplePacket.ipv4(transport: 6, payload: SamplePacket.tcp(0x18, data: 100))
    let answer = try #require(IPPacket(packet).unreachable(from: gateway))
    #expect(isSound(answer))
    #expect(answer.getInteger(at: 33) == UInt8(0x04))
    #expect(answer.getInteger(at: 24) == UInt32(2000))
    #expect(answer.getInteger(at: 20) == UInt16(80))
    #expect(answer.getInteger(at: 22) == UInt16(4000))
    let bare = SamplePacket.ipv4(transport: 6, payload: SamplePacket.tcp(0x01, data: 100))
    let reset = try #require(IPPacket(bare).unreachable(from: gateway))
    #expect(isSound(reset))
    #expect(reset.getInteger(at: 33) == UInt8(0x14))
    #expect(reset.getInteger(at: 28) == UInt32(1101))
  }

  @Test("resets, errors, fragments and packets to many are not answered")
  func silence() {
    let reset = SamplePacket.ipv4(transport: 6, payload: SamplePacket.tcp(0x04))
    let error = SamplePacket.ipv4(transport: 1, payload: [3, 0, 0, 0, 0, 0, 0, 0])
    let many = SamplePacket.ipv4(transport: 17, to: 0xe000_00fb, payload: [0, 1, 0, 2, 0, 8, 0, 0])
    var fragment = SamplePacket.ipv4(transport: 17, payload: [0, 1, 0, 2, 0, 8, 0, 0])
    fragment.setInteger(UInt16(0x2001), at: 6)
    for packet in [reset, error, many, fragment, ByteBuffer(bytes: [0x60]), ByteBuffer()] {
      #expect(IPPacket(packet).unreachable(from: gateway) == nil)
    }
    let echo = SamplePacket.ipv4(transport: 1, payload: [8, 0, 0, 0, 0, 1, 0, 1])
    #expect(IPPacket(echo).unreachable(from: gateway) != nil)
  }

  @Test("both directions of a flow have one number, other flows others")
  func flows() {
    let there = SamplePacket.ipv4(transport: 6, from: 1, to: 2, payload: SamplePacket.tcp(2, ports: (4000, 80)))
    let back = SamplePacket.ipv4(transport: 6, from: 2, to: 1, payload: SamplePacket.tcp(2, ports: (80, 4000)))
    let other = SamplePacket.ipv4(transport: 6, from: 1, to: 2, payload: SamplePacket.tcp(2, ports: (4001, 80)))
    #expect(IPPacket(there).flow == IPPacket(back).flow)
    #expect(IPPacket(there).flow != IPPacket(other).flow)
  }

  @Test("bytes by chance never do harm, and what is answered is sound")
  func fuzz() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<SeededRandom.rounds(or: 5000) {
      let transport: UInt8 = [1, 6, 17][Int.random(in: 0..<3, using: &random)]
      var bytes = Array(SamplePacket.ipv4(transport: transport, payload: SamplePacket.tcp(0x10)).readableBytesView)
      for _ in 0...Int.random(in: 0...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      let packet = IPPacket(ByteBuffer(bytes: bytes))
      _ = packet.flow
      if let answer = packet.unreachable(from: gateway) { #expect(isSound(answer)) }
    }
  }
}
