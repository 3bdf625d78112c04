import Crypto
import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("Digests that a server states") struct StatedDigestTests {
  private static let body = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }

  private static func field(_ bytes: some Sequence<UInt8>, _ isLong: Bool = false) -> String {
    let bytes = Array(bytes)
    let digest = isLong ? Array(SHA512.hash(data: bytes)) : Array(SHA256.hash(data: bytes))
    return (isLong ? "sha-512=:" : "sha-256=:") + Data(digest).base64EncodedString() + ":"
  }

  /// Answers whole files and ranges, with the headers that `state` makes of the answer's body.
  private static func server(_ state: @escaping @Sendable (_ body: [UInt8]) -> [String]) throws -> ScriptedServer {
    try ScriptedServer { request in
      let line = request.head.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }
      guard let ends = line?.dropFirst(13).split(separator: "-").compactMap({ Int($0) }), ends.count == 2 else {
        return [ScriptedServer.answer("200 OK", ["ETag: \"a\""] + state(body), body: body)]
      }
      let part = Array(body[ends[0]...ends[1]])
      return [
        ScriptedServer.answer(
          "206 Partial Content",
          ["ETag: \"a\"", "Content-Range: bytes \(ends[0])-\(ends[1])/\(body.count)"] + state(part), body: part)
      ]
    }
  }

  private func get(_ url: String, parts: Int) async throws -> TransferRecord? {
    let bench = try QueueBench()
    var transfer = Transfer(.get, url + "/f", file: bench.folder.path + "/got")
    transfer.parts = parts
    let id = try bench.queue.add(transfer)
    try await bench.run()
    let got = try? Data(contentsOf: bench.folder.url.appending(path: "got"))
    let record = try bench.queue.record(id)
    #expect((got == Data(Self.body)) == (record?.state == .done))
    #expect((got == nil) == (record?.state == .failed))
    return record
  }

  @Test("that are right let the file pass", arguments: [1, 3], [false, true])
  func right(parts: Int, isLong: Bool) async throws {
    let server = try Self.server { part in
      ["Repr-Digest: md5=:AAAA:, \(Self.field(Self.body, isLong))", "Content-Digest: \(Self.field(part, isLong));a=1"]
    }
    #expect(try await get(server.url, parts: parts)?.state == .done)
  }

  @Test(
    "that are wrong leave nothing of it, and say which", arguments: [1, 3],
    [("Repr-Digest", false), ("Content-Digest", false), ("Repr-Digest", true), ("Content-Digest", true)])
  func wrong(parts: Int, stated: (String, Bool)) async throws {
    let (header, isLong) = stated
    let server = try Self.server { _ in ["\(header): \(Self.field([1, 2, 3], isLong))"] }
    let record = try await get(server.url, parts: parts)
    #expect(record?.state == .failed)
    #expect(record?.error == "transfer-damaged")
    #expect(record?.reason == header)
  }

  @Test(
    "that cannot be read state nothing",
    arguments: ["", "sha-256", "sha-256=AAAA", "sha-256=:A*A:", "crc32c=:AAAA:", "=,;:", "sha-256=?1"])
  func malformed(field: String) async throws {
    #expect(DigestField(field).isEmpty)
    let server = try Self.server { _ in ["Repr-Digest: \(field)"] }
    #expect(try await get(server.url, parts: 1)?.state == .done)
  }

  @Test("of a compressed answer are of what is not unpacked, and are left alone")
  func compressed() {
    var head = AnswerHead()
    for line in ["HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n", "Repr-Digest: \(Self.field([1]))\r\n", "\r\n"] {
      head.take(line)
    }
    #expect(head.digests.file.isEmpty)
  }
}
