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

  /// The times that a gate tells when it opens or goes.
  private final class Told {
    var times: [NIODeadline?] = []
  }

  @Test("tells once that TLS is there, and since when the client was waited for")
  func opening() throws {
    let told = Told()
    let earliest = NIODeadline.now()
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context()) { told.times.append($0) })
    try Self.open(server)
    try server.writeInbound(try Self.hello())
    _ = try? server.finish()
    #expect(told.times.count == 1)
    let begin = try #require(told.times.first ?? nil)
    #expect(begin >= earliest && begin <= .now())
  }

  @Test("ends a client whose first record is not whole in its time, and tells so once")
  func patience() throws {
    let told = Told()
    let gate = ClientHelloGate(try Self.context(), patience: .seconds(30)) { told.times.append($0) }
    let server = EmbeddedChannel(handler: gate)
    try Self.open(server)
    try server.writeInbound(ByteBuffer(bytes: [22, 3, 1, 2, 0, 1]))
    server.embeddedEventLoop.advanceTime(by: .seconds(29))
    #expect(server.isActive)
    server.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(!server.isActive)
    #expect(told.times == [nil])
  }

  @Test("has less patience with a connection of the reserve")
  func reserve() throws {
    let connections = Connections(1, files: 100)
    let gate = ClientHelloGate(try Self.context(), patience: .seconds(30), connections)
    let (first, server) = (EmbeddedChannel(), EmbeddedChannel())
    connections.open(first)
    connections.open(server)
    try server.pipeline.syncOperations.addHandler(gate)
    try Self.open(server)
    server.embeddedEventLoop.advanceTime(by: .seconds(3))
    #expect(!server.isActive)
    _ = try? first.finish()
  }

  @Test("lets a client whose first record is whole take its time")
  func patienceEnds() throws {
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context(), patience: .seconds(30)))
    try Self.open(server)
    try server.writeInbound(try Self.hello())
    server.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(server.isActive)
    _ = try? server.finish()
  }

  @Test("closes where the client says no more, and where the server is about to end", arguments: [true, false])
  func ends(byClient: Bool) throws {
    let server = EmbeddedChannel(handler: ClientHelloGate(try Self.context()))
    try Self.open(server)
    try server.writeInbound(ByteBuffer(bytes: [22, 3, 1, 2, 0, 1]))
    if byClient {
      server.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    } else {
      server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    #expect(!server.isActive)
  }
}

@Suite("A connection that opens") struct OpeningConnectionTests {
  @Test("has no HTTP where it ended before its client had begun", arguments: [true, false])
  func ended(isEarly: Bool) async throws {
    let connection = OpeningConnection(NIOAsyncTestingChannel())
    if isEarly { connection.open(nil) }
    async let http = connection.http()
    if !isEarly {
      await Task.yield()
      connection.open(nil)
    }
    #expect(await http == nil)
    // A later call is without effect.
    connection.open(nil)
  }

  @Test("is closed where the server no longer waits for it")
  func cancelled() async throws {
    let channel = NIOAsyncTestingChannel()
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    let connection = OpeningConnection(channel)
    channel.closeFuture.whenComplete { _ in connection.open(nil) }
    let waiting = Task { await connection.http() == nil }
    waiting.cancel()
    #expect(await waiting.value)
    #expect(!channel.isActive)
  }
}
