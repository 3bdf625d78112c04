import Foundation
import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Testing

/// Certificates of a test, by the openssl command.
private struct Certificates {
  let folder: TemporaryFolder
  var certificate: String { folder.path + "/cert.pem" }
  var key: String { folder.path + "/key.pem" }

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try Command.run(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
        certificate,
      ])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    configuration.applicationProtocols = ["h2", "http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}

/// A server of HTTP/2 in the clear or by TLS: answers with the path, and a trailer.
private final class HTTP2Origin: Sendable {
  let address: String
  private let channel: any Channel

  init(tls: NIOSSLContext? = nil) throws {
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        _ = try pipeline.configureHTTP2Pipeline(
          mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { stream in
          stream.eventLoop.makeCompletedFuture {
            try stream.pipeline.syncOperations.addHandlers([HTTP2FramePayloadToHTTP1ServerCodec(), Answers()])
          }
        }
      }
    }.bind(host: "127.0.0.1", port: 0).wait()
    address = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
  }

  deinit { channel.close(promise: nil) }

  private final class Answers: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private var target = ""
    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): target = head.uri
      case .body(let bytes): count += bytes.readableBytes
      case .end:
        let head = HTTPResponseHead(version: .http2, status: .ok)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let size = target.hasPrefix("/big/") ? Int(target.dropFirst(5)) ?? 0 : 0
        let body = size > 0 ? ByteBuffer(repeating: 98, count: size) : ByteBuffer(string: "h2 \(target) \(count)")
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(["grpc-status": "0"])), promise: nil)
      }
    }
  }
}

@Suite("HTTP proxies and real clients", .tool("curl"), .tool("openssl")) struct HTTPClientTests {
  private func curl(_ arguments: String...) async throws -> (output: String, errors: String, status: Int) {
    let words = ["curl", "-sS", "--max-time", "20"] + arguments
    return try await blocking {
      let outcome = try Command.run("/usr/bin/env", words)
      return (outcome.output, outcome.errors, Int(outcome.status))
    }
  }

  @Test("HTTP/2 in the clear, with what the client knew before")
  func priorKnowledge() async throws {
    let origin = try HTTP2Origin()
    try await withHTTPProxy(origin.address) { proxies, address in
      let one = try await curl("--http2-prior-knowledge", "-i", "http://\(address)/a")
      #expect(one.output.hasPrefix("HTTP/2 200"), "\(one)")
      #expect(one.output.contains("h2 /a 0"), "\(one)")
      let sent = String(repeating: "x", count: 100_000)
      let posted = try await curl("--http2-prior-knowledge", "--data", sent, "http://\(address)/b")
      #expect(posted.output.contains("h2 /b 100000"), "\(posted)")
      let big = try await curl("--http2-prior-knowledge", "http://\(address)/big/5000000")
      #expect(big.output.utf8.count == 5_000_000)
      #expect(await proxies.statistics().first?.requests == 3)
    }
  }

  @Test("conditions hold for streams of HTTP/2: errors, cut bodies, delays")
  func conditions() async throws {
    let origin = try HTTP2Origin()
    let toxics = [
      Toxic(.httpError(HTTPFailure(status: 503, body: "no", filter: RequestFilter(path: "/error")))),
      Toxic(.httpTruncatedBody(HTTPTruncatedBody(bytes: 10, filter: RequestFilter(path: "/big/*")))),
      Toxic(.httpDelay(HTTPDelay(.milliseconds(300), filter: RequestFilter(path: "/slow")))),
    ]
    try await withHTTPProxy(origin.address, toxics: toxics) { _, address in
      let error = try await curl("--http2-prior-knowledge", "-i", "http://\(address)/error")
      #expect(error.output.hasPrefix("HTTP/2 503"), "\(error)")
      #expect(error.output.hasSuffix("no"), "\(error)")
      let cut = try await curl("--http2-prior-knowledge", "http://\(address)/big/1000")
      #expect(cut.status == 92, "\(cut)")
      #expect(cut.output.count == 10, "\(cut)")
      let start = ContinuousClock.now
      let slow = try await curl("--http2-prior-knowledge", "http://\(address)/slow")
      #expect(slow.output.contains("/slow"))
      #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
  }

  @Test("an upstream that is down is a 502 over HTTP/2 too")
  func down() async throws {
    try await withHTTPProxy("127.0.0.1:1") { _, address in
      let answer = try await curl("--http2-prior-knowledge", "-i", "http://\(address)/")
      #expect(answer.output.hasPrefix("HTTP/2 502"), "\(answer)")
      #expect(answer.output.contains("127.0.0.1:1"), "\(answer)")
    }
  }

  @Test("TLS to clients and to the upstream; each side chooses its protocol")
  func tls() async throws {
    let files = try Certificates()
    let both = ProxyDefinition.TLS(
      certificate: files.certificate, key: files.key, toUpstream: true, authorities: files.certificate)
    let (two, one) = (try HTTP2Origin(tls: files.context()), try HTTPOrigin(tls: files.context()))
    for (origin, version, expected) in [
      (two.address, "--http2", "h2 /x 0"), (one.address, "--http1.1", "GET /x"),
    ] {
      try await withHTTPProxy(origin, tls: both) { _, address in
        let answer = try await curl(version, "-i", "--cacert", files.certificate, "https://\(address)/x")
        #expect(answer.output.contains(expected), "\(answer)")
      }
    }
  }

  @Test("HTTP/2 of a client is led on as HTTP/1.1 where the upstream speaks no more")
  func translation() async throws {
    let files = try Certificates()
    let origin = try HTTPOrigin()
    let tls = ProxyDefinition.TLS(certificate: files.certificate, key: files.key)
    try await withHTTPProxy(origin.address, tls: tls) { _, address in
      let answer = try await curl("--http2", "-i", "--cacert", files.certificate, "https://\(address)/x")
      #expect(answer.output.hasPrefix("HTTP/2 200"), "\(answer)")
      #expect(answer.output.contains("GET /x"), "\(answer)")
      let echo = try await curl("--http2", "--cacert", files.certificate, "-d", "hello", "https://\(address)/echo")
      #expect(echo.output == "hello", "\(echo)")
    }
  }

  @Test("an upstream whose certificate nobody knows is a 502 that says so")
  func unknownAuthority() async throws {
    let files = try Certificates()
    let origin = try HTTPOrigin(tls: files.context())
    try await withHTTPProxy(origin.address, tls: ProxyDefinition.TLS(toUpstream: true)) { _, address in
      let answer = try await curl("-i", "http://\(address)/x")
      #expect(answer.output.hasPrefix("HTTP/1.1 502"), "\(answer)")
      #expect(answer.output.contains("TLS failed"), "\(answer)")
    }
  }

  @Test("certificates that are none, and keys without certificates, are refused by name")
  func material() async throws {
    let proxies = ProxyCollection(threads: 1)
    for (tls, code) in [
      (ProxyDefinition.TLS(certificate: "/none.pem", key: "/none.key"), "net-tls-material"),
      (ProxyDefinition.TLS(certificate: "/etc/hostname", key: "/etc/hostname"), "net-tls-material"),
      (ProxyDefinition.TLS(key: "/none.key"), "net-tls-incomplete"),
    ] {
      let definition = ProxyDefinition(name: "p", kind: .http, listen: "127.0.0.1:0", upstream: "127.0.0.1:1", tls: tls)
      let error = await #expect(throws: NetworkError.self) { try await proxies.add(definition) }
      #expect(error?.code.word == code)
    }
    await proxies.shutdown()
  }

  @Test("many streams at once on one connection", .tool("h2load"))
  func streams() async throws {
    let origin = try HTTP2Origin()
    try await withHTTPProxy(origin.address) { proxies, address in
      let outcome = try await blocking {
        try Command.run("/usr/bin/env", ["h2load", "-n", "500", "-c", "4", "-m", "50", "http://\(address)/x"])
      }
      #expect(outcome.output.contains("500 succeeded, 0 failed"), "\(outcome.output)")
      #expect(await proxies.statistics().first?.requests == 500)
    }
  }
}
