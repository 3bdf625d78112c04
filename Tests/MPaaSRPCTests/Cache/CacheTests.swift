import MPaaSLock
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSRPC

@Suite("Answers that are kept (RFC 9111)") struct CacheTests {
  private let clock = ManualClock()
  private static let url = "https://api.example.com/books/1"

  private func client(_ server: ServerDouble, user: (@Sendable () -> String?)? = nil) throws -> RPCClient {
    var configuration = RPCConfiguration(gateway: "https://gw.example.com/mgw.htm")
    configuration.signs = false
    configuration.retry = .none
    configuration.breaker = nil
    var parts = RPCClient.Parts(transport: server.transport)
    parts.clock = clock.clock
    parts.cache = try RPCCache(":memory:")
    if let user { parts.session = { user().map { RPCSession(userID: $0) } } }
    return RPCClient(configuration, parts: parts)
  }

  private func get(_ client: RPCClient, _ headers: [String: String] = [:], url: String = url) async -> String {
    var call = RPCCall("GET", url: url)
    call.headers = headers
    switch await outcome({ () throws(RPCError) in try await client.send(call) }) {
    case .success(let response): return "\(response.source.rawValue) \(response.text)"
    case .failure(let error): return error.response.map { "\($0.status)" } ?? error.code.id
    }
  }

  /// A server that numbers its answers.
  private func numbered(_ headers: [String: String], status: Int = 200) -> ServerDouble {
    let clock = clock
    return ServerDouble { request, number throws(RPCError) in
      var fields = headers
      fields["date"] = fields["date"] ?? HTTPDate.text(clock.clock.now())
      if let tag = fields["etag"], request.headers["If-None-Match"] == tag {
        return RPCTransport.Response(status: 304, headers: fields)
      }
      return RPCTransport.Response(status: status, headers: fields, body: Array("\(number)".utf8))
    }
  }

  /// A step of a case: seconds that pass, fields of the request, and the answer.
  typealias Step = (wait: Int, headers: [String: String], answer: String)

  private static let cases: [(name: String, headers: [String: String], steps: [Step])] = [
    (
      "max-age", ["cache-control": "max-age=60"],
      [(0, [:], "network 0"), (59, [:], "cache 0"), (2, [:], "network 1"), (1, [:], "cache 1")]
    ),
    (
      "max-age before Expires, which is in the past", ["cache-control": "max-age=60", "expires": "0"],
      [(0, [:], "network 0"), (30, [:], "cache 0")]
    ),
    (
      "s-maxage is for shared caches", ["cache-control": "max-age=10, s-maxage=1000"],
      [(0, [:], "network 0"), (11, [:], "network 1")]
    ),
    (
      "private is for this one", ["cache-control": "private, max-age=10"], [(0, [:], "network 0"), (5, [:], "cache 0")]
    ),
    ("no-store", ["cache-control": "no-store, max-age=60"], [(0, [:], "network 0"), (1, [:], "network 1")]),
    (
      "no-store of the request", ["cache-control": "max-age=60"],
      [(0, ["Cache-Control": "no-store"], "network 0"), (1, [:], "network 1")]
    ),
    ("a number that is none is 0", ["cache-control": "max-age=1h"], [(0, [:], "network 0"), (1, [:], "network 1")]),
    (
      "the age that it has already counts", ["cache-control": "max-age=60", "age": "50"],
      [(0, [:], "network 0"), (9, [:], "cache 0"), (2, [:], "network 1")]
    ),
    (
      "Expires", ["expires": HTTPDate.text(ManualClock.start + 100)],
      [(0, [:], "network 0"), (90, [:], "cache 0"), (20, [:], "network 1")]
    ),
    (
      "a guess of a tenth", ["last-modified": HTTPDate.text(ManualClock.start - 1000)],
      [(0, [:], "network 0"), (90, [:], "cache 0"), (20, [:], "network 1")]
    ),
    (
      "no-cache with a tag", ["cache-control": "no-cache, max-age=60", "etag": "\"a\""],
      [(0, [:], "network 0"), (1, [:], "validated 0"), (1, [:], "validated 0")]
    ),
    (
      "a tag after the time is over", ["cache-control": "max-age=10", "etag": "\"a\""],
      [(0, [:], "network 0"), (11, [:], "validated 0"), (9, [:], "cache 0"), (2, [:], "validated 0")]
    ),
    (
      "no-cache of the request", ["cache-control": "max-age=60", "etag": "\"a\""],
      [(0, [:], "network 0"), (1, ["Cache-Control": "no-cache"], "validated 0")]
    ),
    (
      "max-age of the request", ["cache-control": "max-age=60"],
      [(0, [:], "network 0"), (10, ["Cache-Control": "max-age=5"], "network 1")]
    ),
    (
      "min-fresh", ["cache-control": "max-age=60"],
      [
        (0, [:], "network 0"), (30, ["Cache-Control": "min-fresh=20"], "cache 0"),
        (20, ["Cache-Control": "min-fresh=20"], "network 1"),
      ]
    ),
    (
      "max-stale", ["cache-control": "max-age=10"],
      [
        (0, [:], "network 0"), (15, ["Cache-Control": "max-stale=10"], "cache 0"),
        (10, ["Cache-Control": "max-stale=10"], "network 1"),
      ]
    ),
    (
      "must-revalidate", ["cache-control": "max-age=10, must-revalidate"],
      [(0, [:], "network 0"), (15, ["Cache-Control": "max-stale"], "network 1")]
    ),
    (
      "only-if-cached", ["cache-control": "max-age=10"],
      [
        (0, ["Cache-Control": "only-if-cached"], "504"), (0, [:], "network 0"),
        (5, ["Cache-Control": "only-if-cached"], "cache 0"), (6, ["Cache-Control": "only-if-cached"], "504"),
      ]
    ),
    (
      "Vary", ["cache-control": "max-age=60", "vary": "Accept-Language"],
      [
        (0, ["Accept-Language": "en"], "network 0"), (1, ["Accept-Language": "zh"], "network 1"),
        (1, ["accept-language": "en"], "cache 0"), (1, ["Accept-Language": "zh"], "cache 1"), (1, [:], "network 2"),
      ]
    ),
    ("Vary: *", ["cache-control": "max-age=60", "vary": "*"], [(0, [:], "network 0"), (1, [:], "network 1")]),
    (
      "a request for a part", ["cache-control": "max-age=60"],
      [(0, [:], "network 0"), (1, ["Range": "bytes=0-1"], "network 1")]
    ),
  ]

  @Test("are used and asked about as the fields say", arguments: CacheTests.cases.map(\.name))
  func fields(name: String) async throws {
    let found = try #require(Self.cases.first { $0.name == name })
    let client = try client(numbered(found.headers))
    for (index, step) in found.steps.enumerated() {
      clock.advance(.seconds(step.wait))
      #expect(await get(client, step.headers) == step.answer, "step \(index)")
    }
  }

  @Test("are given while the server is asked for new ones, which only one call does")
  func staleWhileRevalidate() async throws {
    let server = numbered(["cache-control": "max-age=10, stale-while-revalidate=30"])
    let client = try client(server)
    _ = await get(client)
    clock.advance(.seconds(20))
    #expect(await get(client) == "stale 0")
    await eventually { server.requests.count == 2 }
    await eventually { await get(client) == "cache 1" }
    clock.advance(.seconds(45))
    #expect(await get(client) == "network 2")
  }

  @Test("stand in for errors for as long as stale-if-error says")
  func staleIfError() async throws {
    let server = ServerDouble { _, number throws(RPCError) in
      if number > 0 { return RPCTransport.Response(status: 503) }
      return .ok("0", ["cache-control": "max-age=10, stale-if-error=60"])
    }
    let client = try client(server)
    _ = await get(client)
    clock.advance(.seconds(40))
    #expect(await get(client) == "stale 0")
    clock.advance(.seconds(40))
    #expect(await get(client) == "503")
  }

  @Test("are of one user, and go with what the user changes")
  func users() async throws {
    let user = Lock<String?>("a")
    let server = numbered(["cache-control": "max-age=600"])
    let client = try client(server, user: { user.withLock { $0 } })
    #expect(await get(client) == "network 0")
    user.withLock { $0 = "b" }
    #expect(await get(client) == "network 1")
    user.withLock { $0 = nil }
    #expect(await get(client) == "network 2")
    user.withLock { $0 = "a" }
    #expect(await get(client) == "cache 0")
    _ = try await client.send(RPCCall("DELETE", url: Self.url))
    #expect(await get(client) == "network 4")
    client.parts.cache?.remove(user: "b")
    user.withLock { $0 = "b" }
    #expect(await get(client) == "network 5")
  }

  @Test("of operations are kept where the gateway says so, by operation and arguments")
  func operations() async throws {
    let client = try client(numbered(["etag": "\"v1\""]))
    let method = RPCMethod<Int>("shop.read", effect: .reads)
    #expect(try await client.call(method, 1) == 0)
    #expect(try await client.call(method, 2) == 1)
    let again = try await client.send(try method.call(1))
    #expect(again.source == .validated && again.text == "0")
    let silent = try self.client(numbered(["last-modified": HTTPDate.text(ManualClock.start - 100_000)]))
    #expect(try await silent.call(method, 1) == 0)
    #expect(try await silent.call(method, 1) == 1)
  }

  @Test("stay within their bounds, and survive a damaged file")
  func bounds() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/cache/answers.sqlite"
    let cache = try RPCCache(path, limits: RPCCache.Limits(bytes: 1000, answer: 200, count: 8))
    let server = ServerDouble { request, _ throws(RPCError) in
      .ok(String(repeating: "x", count: request.url.hasSuffix("large") ? 201 : 150), ["cache-control": "max-age=60"])
    }
    let client = server.client(cache: cache) { _ in }
    for number in 0..<40 { _ = await get(client, url: "https://a.example.com/\(number)") }
    #expect(cache.size.answers <= 8 && cache.size.bytes <= 1000 && cache.size.answers > 0)
    let before = server.requests.count
    for _ in 0..<2 { _ = await get(client, url: "https://a.example.com/large") }
    #expect(server.requests.count == before + 2)
    let broken = folder.path + "/broken.sqlite"
    try Bytes(Array("no database at all, and long enough to be taken for one".utf8)).write(to: broken)
    #expect(try RPCCache(broken).size.answers == 0)
  }

  @Test("are not taken where a call wants the server's word")
  func bypass() async throws {
    let server = numbered(["cache-control": "max-age=600"])
    let client = try client(server)
    _ = await get(client)
    var call = RPCCall("GET", url: Self.url)
    call.usesCache = false
    #expect(try await client.send(call).text == "1")
    #expect(await get(client) == "cache 1")
  }
}
