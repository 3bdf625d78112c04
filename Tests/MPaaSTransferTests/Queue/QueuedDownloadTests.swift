import Crypto
import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("Downloads of the queue") struct QueuedDownloadTests {
  let bench: QueueBench

  init() throws { bench = try QueueBench() }

  static let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  static let digest = SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined()

  /// Answers ranges with both ends, as several parts ask for them.
  private static func answer(_ request: ScriptedServer.Request, tag: String = "\"v1\"") -> ScriptedServer.Step {
    let headers = ["ETag: \(tag)", "Accept-Ranges: bytes"]
    // As an address that is signed for GET.
    if request.head.hasPrefix("HEAD") { return ScriptedServer.answer("403 Forbidden") }
    guard let line = request.head.split(separator: "\r\n").first(where: { $0.hasPrefix("Range: bytes=") }) else {
      return ScriptedServer.answer("200 OK", headers, body: body)
    }
    let ends = line.dropFirst(13).split(separator: "-", omittingEmptySubsequences: false)
    let (start, end) = (Int(ends[0]) ?? 0, Int(ends[1]) ?? body.count - 1)
    return ScriptedServer.answer(
      "206 Partial Content", headers + ["Content-Range: bytes \(start)-\(end)/\(body.count)"],
      body: Array(body[start...end]))
  }

  private func get(_ url: String, _ change: (inout Transfer) -> Void = { _ in }) async throws -> TransferRecord? {
    var transfer = Transfer(.get, url + "/f", file: bench.folder.path + "/got")
    change(&transfer)
    let id = try bench.queue.add(transfer)
    try await bench.run()
    return try bench.queue.record(id)
  }

  private var got: Data? { try? Data(contentsOf: bench.folder.url.appending(path: "got")) }

  @Test("a file comes whole, with its digest", arguments: [1, 4])
  func whole(parts: Int) async throws {
    let server = try ScriptedServer { [Self.answer($0)] }
    let record = try await get(server.url) { $0.parts = parts }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(record?.sha256 == Self.digest)
    #expect(got == Data(Self.body))
    #expect(server.requests.allSatisfy { $0.head.hasPrefix("GET") })
    // One byte first, to know the version, where there are parts.
    #expect(server.requests.count == (parts == 1 ? 1 : parts + 1))
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(!names.contains { $0.hasPrefix("got.") }, "\(names)")
  }

  @Test("what breaks off goes on where it was, in one piece and in several", arguments: [1, 3])
  func cut(parts: Int) async throws {
    let server = try ScriptedServer { request in
      guard case .send(let bytes) = Self.answer(request) else { return [.close] }
      let isCut = request.head.hasPrefix("GET") && request.number == 1
      return isCut ? [.send(Array(bytes.prefix(bytes.count / 2))), .close] : [.send(bytes)]
    }
    if parts == 1 { _ = try await get(server.url) { $0.method = .get } }
    let record = try await get(server.url) { $0.parts = parts }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(got == Data(Self.body))
  }

  @Test(
    "an answer that ends within its head is no file; it is asked for again", arguments: [3, 12, 17, 25, 40, -3, -1],
    [1, 3])
  func cutHead(place: Int, parts: Int) async throws {
    let server = try ScriptedServer { request in
      guard case .send(let bytes) = Self.answer(request), request.number < 2 else { return [Self.answer(request)] }
      let head = (Data(bytes).range(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0)
      return [.send(Array(bytes.prefix(place < 0 ? head + place : place))), .close]
    }
    let record = try await get(server.url) { $0.parts = parts }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(got == Data(Self.body))
  }

  @Test("another file than the one that was wanted leaves nothing", arguments: [1, 3])
  func mismatch(parts: Int) async throws {
    let server = try ScriptedServer { [Self.answer($0)] }
    let record = try await get(server.url) { transfer in
      transfer.parts = parts
      transfer.sha256 = String(repeating: "0", count: 64)
    }
    #expect(record?.state == .failed)
    #expect(got == nil)
  }

  @Test("a server that sends all whatever is asked for is left to, in one piece")
  func noRanges() async throws {
    let server = try ScriptedServer { _ in [ScriptedServer.answer("200 OK", ["ETag: \"a\""], body: Self.body)] }
    #expect(try await get(server.url) { $0.parts = 4 }?.state == .done)
    #expect(got == Data(Self.body))
  }

  @Test("an empty file comes in parts too")
  func empty() async throws {
    let server = try ScriptedServer { request in
      request.start == nil
        ? [ScriptedServer.answer("200 OK")]
        : [ScriptedServer.answer("416 Range Not Satisfiable", ["Content-Range: bytes */0"])]
    }
    #expect(try await get(server.url) { $0.parts = 4 }?.state == .done)
    #expect(got == Data())
  }

  @Test("a server that does not answer is waited for no longer than is permitted, and the transfer stays")
  func standstill() async throws {
    let id = try bench.queue.add(Transfer(.get, "http://127.0.0.1:1/f", file: bench.folder.path + "/got"))
    let begun = bench.clock.times.now()
    let (queue, log) = (bench.queue, bench.log)
    let summary = try await queue.run(only: [id], standstill: .seconds(60), events: { log.take($0) })
    #expect(summary.waiting[id] == .retry)
    #expect(bench.clock.times.now() - begun < .seconds(130))
    #expect(bench.log.retries.count >= 5)
    let record = try queue.record(id)
    #expect(record?.state == .waiting)
    #expect(record?.error == "server-unreachable")
  }

  @Test("a queue and what it holds is its owner's alone")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new/queue.sqlite"
    func open() throws {
      let queue = try TransferQueue(path)
      try queue.add(Transfer(.get, "http://127.0.0.1:1/f?sig=1", file: folder.path + "/got"))
    }
    func modes() throws -> [String: Int] {
      var modes: [String: Int] = [:]
      for name in ["", "/queue.sqlite", "/queue.sqlite-wal", "/queue.sqlite-shm", "/queue.sqlite.hands"] {
        let path = folder.path + "/new" + name
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
        modes[name] = attributes[.posixPermissions] as? Int
      }
      return modes
    }
    try open()
    for (name, mode) in try modes() {
      #expect(mode == (name.hasPrefix("/queue.sqlite") && !name.hasSuffix(".hands") ? 0o600 : 0o700), "\(name)")
    }
    for name in ["/queue.sqlite", "/queue.sqlite.hands"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: name.hasSuffix("hands") ? 0o755 : 0o644], ofItemAtPath: folder.path + "/new" + name)
    }
    try open()
    let after = try modes()
    #expect(after["/queue.sqlite"] == 0o600)
    #expect(after["/queue.sqlite.hands"] == 0o700)
  }

  @Test("a busy server is asked again after the time it names")
  func busy() async throws {
    let server = try ScriptedServer { request in
      request.number == 0
        ? [ScriptedServer.answer("503 Busy", ["Retry-After: 42"])] : [Self.answer(request)]
    }
    #expect(try await get(server.url)?.state == .done)
    #expect(bench.log.retries == [42])
  }
}
