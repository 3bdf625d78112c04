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
    if request.head.hasPrefix("HEAD") { return ScriptedServer.answer("200 OK", headers, length: body.count) }
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
    #expect(server.requests.filter { $0.head.hasPrefix("GET") }.count == parts)
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
