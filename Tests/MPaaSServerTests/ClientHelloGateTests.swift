import MPaaSTestSupport
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@testable import MPaaSServer

@Suite("The gate before TLS", .tool("openssl")) struct ClientHelloGateTests {
  private static func context() throws -> NIOSSLContext {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
    let made = try Command.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-keyout", key, "-out", certificate,
      ])
    try #require(made.status == 0)
    return try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem))))
  }

  private static func hasTLS(_ channel: EmbeddedChannel) -> Bool {
    (try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)) != nil
  }

  private static func open(_ channel: EmbeddedChannel) throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  /// The first words of a client of BoringSSL.
  private static func hello() throws -> ByteBuffer {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    let handler = try NIOSSLClientHandler(
      context: NIOSSLContext(configuration: configuration), serverHostname: "localhost")
    let client = EmbeddedChannel(handler: handler)
    try open(client)
    return try #require(try client.readOutbound(as: ByteBuffer.self))
  }

  @Test("makes nothing of TLS before the last byte of the first record, and answers after it")
  func bytes() throws {
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context()))
    try Self.open(server)
    var hello = try Self.hello()
    while let byte = hello.readSlice(length: 1) {
      #expect(!Self.hasTLS(server))
      #expect(try server.readOutbound(as: ByteBuffer.self) == nil)
      try server.writeInbound(byte)
    }
    #expect(Self.hasTLS(server))
    let answer = try #require(try server.readOutbound(as: ByteBuffer.self))
    // A record of the handshake that begins with a ServerHello.
    #expect(answer.getInteger(at: 0, as: UInt8.self) == 22)
    #expect(answer.getInteger(at: 5, as: UInt8.self) == 2)
    #expect((try? server.pipeline.syncOperations.handler(type: ClientHelloGate.self)) == nil)
    _ = try? server.finish()
  }

  @Test("hands what begins no handshake to TLS, which closes", arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{80}", "\0"])
  func other(_ text: String) throws {
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context()))
    try Self.open(server)
    _ = try? server.writeInbound(ByteBuffer(string: text))
    #expect(Self.hasTLS(server))
    _ = try? server.finish()
  }

  @Test("waits for no record that is longer than records are")
  func oversized() {
    #expect(ClientHelloGate.isWhole(ByteBuffer(bytes: [22, 3, 1, 0x40, 1])))
    #expect(!ClientHelloGate.isWhole(ByteBuffer(bytes: [22, 3, 1, 0x40, 0])))
  }

  @Test("lets nothing out before TLS is there")
  func plain() throws {
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context()))
    try Self.open(server)
    #expect(throws: ChannelError.self) { try server.writeOutbound(ByteBuffer(string: "HTTP/1.1 408\r\n\r\n")) }
    #expect(try server.readOutbound(as: ByteBuffer.self) == nil)
    _ = try? server.finish()
  }
}
