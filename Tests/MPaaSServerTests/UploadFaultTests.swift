import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Uploads and what goes wrong") struct UploadFaultTests {
  /// The head of a PATCH that announces `length` bytes.
  private func head(_ server: TestServer, _ location: String, offset: Int, length: Int, more: String = "") -> [UInt8] {
    Array(
      """
      PATCH \(TestServer.path(location)) HTTP/1.1\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(server.token)\r
      Tus-Resumable: 1.0.0\r
      Content-Type: application/offset+octet-stream\r
      Upload-Offset: \(offset)\r
      \(more)Content-Length: \(length)\r
      \r

      """.utf8)
  }

  @Test("a file that has lost bytes is refused, and no other thread's descriptor is closed with it")
  func lostBytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/upload"
    #expect(throws: Refusal.self) { try UploadFile(path, offset: 1, hashed: nil) }
    #expect(OtherDescriptors.lost { _ = try? UploadFile(path, offset: 1, hashed: nil) } == 0)
  }

  @Test("a connection that is cut keeps what came, and the rest follows")
  func cut() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(400_000)
    let location = try await server.made(bytes.count)
    let connection = try TestConnection(server.port)
    try await connection.write(head(server, location, offset: 0, length: bytes.count) + bytes[..<250_000])
    connection.cut()
    // Bytes that were on their way may come or not.
    let offset = try await server.offset(location)
    #expect((0...250_000).contains(offset))
    var answer = try await server.tus("PATCH", location, ["Upload-Offset": "\(offset)"], body: Array(bytes[offset...]))
    while answer.status == 409 {
      // The one that was cut came to the server after it was asked.
      let offset = try await server.offset(location)
      answer = try await server.tus("PATCH", location, ["Upload-Offset": "\(offset)"], body: Array(bytes[offset...]))
    }
    #expect(answer.status == 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("a piece with a checksum that is cut leaves nothing")
  func cutWithChecksum() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(400_000)
    let location = try await server.made(bytes.count)
    let connection = try TestConnection(server.port)
    let sum = "Upload-Checksum: sha256 \(Sample.base64(Sample.sha256(bytes)))\r\n"
    try await connection.write(head(server, location, offset: 0, length: bytes.count, more: sum) + bytes[..<250_000])
    connection.cut()
    #expect(try await server.offset(location) == 0)
    await server.end()
  }

  @Test("a new request ends the one that hangs")
  func stale() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(200_000)
    let location = try await server.made(bytes.count)
    let hanging = try TestConnection(server.port)
    try await hanging.write(head(server, location, offset: 0, length: bytes.count) + bytes[..<150_000])
    while server.writers == 0 { try await Task.sleep(for: .milliseconds(5)) }
    // The question is refused (423), and asked again, where a busy machine takes more than a second to end the old one.
    var offset = -1
    while offset < 0 { offset = try await server.offset(location) }
    #expect((0...150_000).contains(offset))
    let rest = try await server.tus("PATCH", location, ["Upload-Offset": "\(offset)"], body: Array(bytes[offset...]))
    #expect(rest.status == 204)
    #expect(try await hanging.answer().status != 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("a whole file that is not that of its digest is never published, and its batch may be sent again")
  func mismatch() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(1000)
    let metadata = Sample.metadata([
      "sha256": Sample.sha256(bytes).hexadecimal, "batch": "b1", "kind": "log", "app": "a",
    ])
    let bad = try await server.made(1000, ["Upload-Metadata": metadata])
    let answer = try await server.tus("PATCH", bad, ["Upload-Offset": "0"], body: Array(bytes.reversed()))
    #expect(answer.status == 460)
    #expect(answer.json["code"] as? String == "server-digest-mismatch")
    #expect(try await server.tus("HEAD", bad).status == 410)
    #expect(try await server.send("GET", TestServer.path(bad)).status == 404)
    let good = try await server.made(1000, ["Upload-Metadata": metadata])
    #expect(good != bad)
    #expect(try await server.tus("PATCH", good, ["Upload-Offset": "0"], body: bytes).status == 204)
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/data/uploads").isEmpty)
    await server.end()
  }

  @Test("a batch that is sent twice is stored once, and answered alike")
  func batch() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(1000)
    let metadata = ["Upload-Metadata": Sample.metadata(["batch": "b2"])]
    let first = try await server.made(1000, metadata)
    #expect(try await server.made(1000, metadata) == first)
    _ = try await server.tus("PATCH", first, ["Upload-Offset": "0"], body: bytes)
    #expect(try await server.made(1000, metadata) == first)
    #expect(try await server.offset(first) == 1000)
    let draft = try await server.draft(
      "POST", "/uploads", metadata.merging(["Upload-Complete": "?1"]) { $1 }, body: bytes)
    #expect(draft.status == 200)
    #expect(draft.headers["location"] == first)
    #expect(draft.headers["upload-complete"] == "?1")
    let count = try await server.services.store.read { try $0.row("SELECT count(*) FROM uploads") { $0.integer(0) } }
    #expect(count == 1)
    await server.end()
  }

  @Test("a server that ends goes on where it was: unfinished, whole and partial uploads")
  func restart() async throws {
    let first = try await TestServer()
    let bytes = Sample.bytes(50_000)
    let open = try await first.made(bytes.count)
    _ = try await first.tus("PATCH", open, ["Upload-Offset": "0"], body: Array(bytes[..<20_000]))
    let whole = try await first.made(10)
    _ = try await first.tus("PATCH", whole, ["Upload-Offset": "0"], body: Array(bytes[..<10]))
    let (id, data) = (open.split(separator: "/").last.map(String.init) ?? "", first.folder.path + "/data")
    await first.end()
    // As if the process had been killed after it wrote to the file and before it wrote that down.
    let file = try FileHandle(forWritingTo: URL(filePath: "\(data)/uploads/\(id)"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(bytes[20_000..<30_000]))
    try file.close()
    try Data([1]).write(to: URL(filePath: "\(data)/uploads/left-over"))
    let second = try await TestServer(in: first.folder)
    #expect(try await second.offset(open) == 30_000)
    #expect(try await second.offset(whole) == 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: data + "/uploads")
    #expect(names == [id])
    let rest = try await second.tus("PATCH", open, ["Upload-Offset": "30000"], body: Array(bytes[30_000...]))
    #expect(rest.status == 204)
    #expect(try await second.send("GET", TestServer.path(open)).body == bytes)
    await second.end()
  }

  @Test("what is all there and was not published before a kill is published at the next start")
  func publishedLater() async throws {
    let first = try await TestServer()
    let bytes = Sample.bytes(5000)
    let location = try await first.made(bytes.count)
    _ = try await first.tus("PATCH", location, ["Upload-Offset": "0"], body: Array(bytes[..<1000]))
    let id = location.split(separator: "/").last.map(String.init) ?? ""
    await first.end()
    try Data(bytes).write(to: URL(filePath: first.folder.path + "/data/uploads/" + id))
    let second = try await TestServer(in: first.folder)
    #expect(try await second.offset(location) == 5000)
    #expect(try await second.send("GET", TestServer.path(location)).body == bytes)
    await second.end()
  }

  @Test("a token that is limited to an app sees nothing of another's")
  func apps() async throws {
    let server = try await TestServer()
    let location = try await server.made(3, ["Upload-Metadata": Sample.metadata(["app": "a"])])
    let token = try await server.services.access.issue("b", [.ingest, .read], app: "b", lifetime: 60).token
    let other = ["Authorization": "Bearer \(token)"]
    #expect(try await server.tus("HEAD", location, other).status == 404)
    #expect(
      try await server.tus("PATCH", location, other.merging(["Upload-Offset": "0"]) { $1 }, body: [1]).status == 404)
    let claim = ["Upload-Length": "3", "Upload-Metadata": Sample.metadata(["app": "a"])].merging(other) { $1 }
    #expect(try await server.tus("POST", "/uploads", claim).status == 403)
    await server.end()
  }

  @Test("many at once arrive each whole")
  func many() async throws {
    let server = try await TestServer()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let bytes = Sample.bytes(60_000, seed: UInt64(number + 2))
          let location = try await server.made(bytes.count)
          let half = try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: Array(bytes[..<30_000]))
          #expect(half.status == 204)
          _ = try await server.tus("PATCH", location, ["Upload-Offset": "30000"], body: Array(bytes[30_000...]))
          #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
        }
      }
      try await group.waitForAll()
    }
    await server.end()
  }
}
