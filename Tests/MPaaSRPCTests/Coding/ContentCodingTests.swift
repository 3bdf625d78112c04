import MPaaSTestSupport
import Testing

@testable import MPaaSRPC

@Suite("Compressed contents") struct ContentCodingTests {
  private static let readable = RPCContentCoding.allCases.filter { $0.isReadable && $0.isWritable }

  @Test("come back as they were", arguments: readable)
  func roundTrip(coding: RPCContentCoding) throws {
    var random = SeededRandom(seed: 26)
    for size in [0, 1, 100, 4095, 4096, 4097, 100_000, 1 << 20] {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...7, using: &random) }
      let packed = try #require(coding.encode(bytes))
      #expect(try coding.decode(packed, limit: size) == bytes, "\(size)")
    }
  }

  @Test("that would grow beyond the limit are refused", arguments: readable)
  func bomb(coding: RPCContentCoding) throws {
    let bytes = [UInt8](repeating: 0, count: 8 << 20)
    let packed = try #require(coding.encode(bytes))
    #expect(packed.count < 20_000)
    for limit in [1, 4096, 1 << 20, bytes.count - 1] {
      #expect(throws: RPCError(.tooLarge, ["limit": String(limit)])) { try coding.decode(packed, limit: limit) }
    }
    #expect(try coding.decode(packed, limit: bytes.count).count == bytes.count)
  }

  @Test("that are packed several times are held to the limit at each step", arguments: readable)
  func nested(coding: RPCContentCoding) throws {
    var packed = [UInt8](repeating: 0, count: 32 << 20)
    for _ in 0..<3 { packed = try #require(coding.encode(packed)) }
    let name = coding.rawValue
    var response = RPCTransport.Response(
      status: 200, headers: ["content-encoding": "\(name), \(name) ,\(name.uppercased())"], body: packed)
    #expect(throws: RPCError(.tooLarge, ["limit": "1048576"])) {
      try RPCContentCoding.decode(&response, limit: 1 << 20)
    }
  }

  @Test("that are cut, changed or unknown are refused", arguments: readable)
  func damaged(coding: RPCContentCoding) throws {
    let bytes = Array(String(repeating: "the quick brown fox ", count: 200).utf8)
    let packed = try #require(coding.encode(bytes))
    for count in [1, packed.count / 2, packed.count - 1] {
      #expect(throws: RPCError.self, "\(count)") { try coding.decode(Array(packed.prefix(count)), limit: 1 << 20) }
    }
    #expect(throws: RPCError.self) { try coding.decode(packed + [1, 2, 3], limit: 1 << 20) }
    var random = SeededRandom(seed: 27)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var changed = packed
      changed[Int.random(in: changed.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      _ = try? coding.decode(changed, limit: 1 << 16)
    }
    var response = RPCTransport.Response(status: 200, headers: ["content-encoding": "compress"], body: [1])
    #expect(throws: RPCError(.encodingBroken, ["encoding": "compress"])) {
      try RPCContentCoding.decode(&response, limit: 10)
    }
  }

  @Test("go out where that makes them smaller, and the server says in return what it has done", arguments: readable)
  func request(coding: RPCContentCoding) async throws {
    let server = ServerDouble { request, _ throws(RPCError) in
      var echo = RPCTransport.Response(
        status: 200, headers: ["content-encoding": request.headers["Content-Encoding"] ?? "identity"],
        body: request.body ?? [])
      echo.headers["content-length"] = String(echo.body.count)
      return echo
    }
    let client = server.client { $0.compression = coding }
    let method = RPCMethod<[String]>("shop.order")
    let text = String(repeating: "重庆", count: 1000)
    #expect(try await client.call(method, text) == [text])
    #expect(try await client.call(method, "short") == ["short"])
    #expect(server.requests.map { $0.headers["Content-Encoding"] } == [coding.rawValue, nil])
    #expect((server.requests.first?.body?.count ?? 0) < 500)
    #expect(server.requests.first?.headers["Accept-Encoding"]?.contains("gzip") == true)
  }
}
