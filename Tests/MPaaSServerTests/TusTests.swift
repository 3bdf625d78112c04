import Crypto
import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("tus 1.0 at the server") struct TusTests {
  @Test("tells its version, extensions, greatest size and checksums without a token")
  func options() async throws {
    let server = try await TestServer()
    let answer = try await server.send("OPTIONS", "/uploads", ["Authorization": ""])
    #expect(answer.status == 204)
    #expect(answer.headers["tus-version"] == "1.0.0")
    #expect(answer.headers["tus-max-size"] == "2147483648")
    let extensions = Set((answer.headers["tus-extension"] ?? "").split(separator: ",").map(String.init))
    #expect(
      extensions.isSuperset(of: [
        "creation", "creation-with-upload", "checksum", "expiration", "termination", "concatenation",
      ]))
    #expect(answer.headers["tus-checksum-algorithm"] == "sha1,sha256,crc32c")
    #expect(answer.headers["upload-limit"]?.contains("max-size=2147483648") == true)
    #expect(answer.headers["accept-patch"]?.contains("application/partial-upload") == true)
    await server.end()
  }

  @Test("takes an upload in pieces, answers where it stands, and gives it back byte for byte")
  func pieces() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(300_000)
    let metadata = Sample.metadata(["filename": "日志.mplog", "kind": "log"])
    let location = try await server.made(bytes.count, ["Upload-Metadata": metadata])
    #expect(try await server.offset(location) == 0)
    for (start, end) in [(0, 100_000), (100_000, 100_001), (100_001, 300_000)] {
      let answer = try await server.tus(
        "PATCH", location, ["Upload-Offset": "\(start)"], body: Array(bytes[start..<end]))
      #expect(answer.status == 204)
      #expect(answer.headers["upload-offset"] == "\(end)")
      #expect(answer.headers["tus-resumable"] == "1.0.0")
    }
    let head = try await server.tus("HEAD", location)
    #expect(head.status == 200)
    #expect(head.headers["upload-length"] == "300000")
    #expect(head.headers["upload-offset"] == "300000")
    #expect(head.headers["upload-metadata"] == metadata)
    #expect(head.headers["cache-control"] == "no-store")
    let whole = try await server.send("GET", TestServer.path(location))
    #expect(whole.body == bytes)
    #expect(whole.headers["repr-digest"] == "sha-256=:\(Sample.base64(Sample.sha256(bytes))):")
    #expect(whole.headers["content-disposition"] == "attachment; filename*=UTF-8''%E6%97%A5%E5%BF%97%2Emplog")
    let part = try await server.send("GET", TestServer.path(location), ["Range": "bytes=5-9"])
    #expect(part.status == 206)
    #expect(part.body == Array(bytes[5...9]))
    #expect(part.headers["content-range"] == "bytes 5-9/300000")
    await server.end()
  }

  @Test("refuses what the protocol forbids, and the upload stands where it stood")
  func refusals() async throws {
    let server = try await TestServer { $0.limits.upload = 1000 }
    #expect(try await server.send("POST", "/uploads", ["Upload-Length": "1"]).status == 412)
    let other = try await server.tus("POST", "/uploads", ["Upload-Length": "1", "Tus-Resumable": "0.2.2"])
    #expect(other.status == 412)
    #expect(other.headers["tus-version"] == "1.0.0")
    for headers in [
      [:], ["Upload-Length": "-1"], ["Upload-Length": "x"], ["Upload-Length": "99999999999999999999"],
      ["Upload-Length": "1", "Upload-Defer-Length": "1"], ["Upload-Length": "1", "Upload-Metadata": "a !"],
      ["Upload-Length": "1", "Upload-Concat": "half"],
    ] {
      #expect(try await server.tus("POST", "/uploads", headers).status == 400, "\(headers)")
    }
    let large = try await server.tus("POST", "/uploads", ["Upload-Length": "1001"])
    #expect(large.status == 413)
    #expect(large.headers["tus-max-size"] == "1000")
    let location = try await server.made(10)
    let ten = [UInt8](repeating: 7, count: 10)
    #expect(
      try await server.tus("PATCH", location, ["Upload-Offset": "0", "Content-Type": "a/b"], body: ten).status == 415)
    #expect(try await server.tus("PATCH", location, [:], body: ten).status == 400)
    let conflict = try await server.tus("PATCH", location, ["Upload-Offset": "3"], body: [1])
    #expect(conflict.status == 409)
    #expect(conflict.headers["upload-offset"] == "0")
    #expect(try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: ten + [1]).status == 413)
    #expect(try await server.tus("PATCH", "/uploads/none", ["Upload-Offset": "0"], body: ten).status == 404)
    #expect(try await server.tus("HEAD", "/uploads/none").status == 404)
    #expect(try await server.tus("HEAD", location, ["Authorization": "Bearer mpt_x"]).status == 401)
    #expect(try await server.offset(location) == 0)
    #expect(server.services.counts["refused.server-upload-offset"] == 1)
    #expect(server.services.counts["refused.server-too-large"] == 2)
    await server.end()
  }

  @Test("compares checksums, and keeps nothing of what does not match", arguments: ["sha1", "sha256", "crc32c"])
  func checksums(_ algorithm: String) async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(5000)
    let location = try await server.made(5000)
    var sum = try #require(UploadChecksum(algorithm))
    bytes.withUnsafeBytes { sum.update($0) }
    let right = "\(algorithm) \(Sample.base64(sum.digest))"
    let wrong = "\(algorithm) \(Sample.base64(sum.digest.map { $0 ^ 1 }))"
    let refused = try await server.tus(
      "PATCH", location, ["Upload-Offset": "0", "Upload-Checksum": wrong], body: bytes)
    #expect(refused.status == 460)
    #expect(try await server.offset(location) == 0)
    let unknown = ["Upload-Offset": "0", "Upload-Checksum": "md4 AAAA"]
    #expect(try await server.tus("PATCH", location, unknown, body: bytes).status == 400)
    let taken = try await server.tus("PATCH", location, ["Upload-Offset": "0", "Upload-Checksum": right], body: bytes)
    #expect(taken.status == 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("the CRC of the standard's example is what it says")
  func crc() {
    var sum = CRC32C()
    [UInt8](repeating: 0, count: 32).withUnsafeBytes { sum.update($0) }
    #expect(sum.value == 0x8a91_36aa)
    var text = CRC32C()
    Array("123456789".utf8).withUnsafeBytes { text.update($0) }
    #expect(text.value == 0xe306_9283)
  }

  @Test("takes bytes with the creation, empty uploads, and a length that is told later")
  func creation() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(1000)
    let with = try await server.tus(
      "POST", "/uploads", ["Upload-Length": "1000", "Content-Type": "application/offset+octet-stream"], body: bytes)
    #expect(with.status == 201)
    #expect(with.headers["upload-offset"] == "1000")
    #expect(try await server.send("GET", TestServer.path(with.headers["location"] ?? "")).body == bytes)
    let empty = try await server.made(0)
    #expect(try await server.send("GET", TestServer.path(empty)).status == 200)
    let deferred = try await server.tus("POST", "/uploads", ["Upload-Defer-Length": "1"])
    let location = deferred.headers["location"] ?? ""
    #expect(try await server.tus("HEAD", location).headers["upload-defer-length"] == "1")
    _ = try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: Array(bytes[..<400]))
    let last = try await server.tus(
      "PATCH", location, ["Upload-Offset": "400", "Upload-Length": "1000"], body: Array(bytes[400...]))
    #expect(last.status == 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("puts partial uploads together, and a final one takes no bytes")
  func concatenation() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(2000)
    let first = try await server.made(1500, ["Upload-Concat": "partial"])
    let second = try await server.made(500, ["Upload-Concat": "partial"])
    let list = "final;\(TestServer.path(first)) \(TestServer.path(second))"
    #expect(try await server.tus("POST", "/uploads", ["Upload-Concat": list]).status == 403)
    _ = try await server.tus("PATCH", second, ["Upload-Offset": "0"], body: Array(bytes[1500...]))
    _ = try await server.tus("PATCH", first, ["Upload-Offset": "0"], body: Array(bytes[..<1500]))
    #expect(try await server.tus("HEAD", first).headers["upload-concat"] == "partial")
    #expect(try await server.tus("POST", "/uploads", ["Upload-Concat": list, "Upload-Length": "1"]).status == 400)
    let made = try await server.tus(
      "POST", "/uploads",
      ["Upload-Concat": list, "Upload-Metadata": Sample.metadata(["sha256": Sample.sha256(bytes).hexadecimal])])
    #expect(made.status == 201)
    let location = made.headers["location"] ?? ""
    let head = try await server.tus("HEAD", location)
    #expect(head.headers["upload-concat"] == list)
    #expect(head.headers["upload-length"] == "2000")
    #expect(try await server.tus("PATCH", location, ["Upload-Offset": "2000"], body: []).status == 403)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("an unfinished upload ends by DELETE, or by its time")
  func ends() async throws {
    let time = Time(1_700_000_000)
    let server = try await TestServer(time: time)
    let location = try await server.made(10)
    #expect(try await server.tus("DELETE", location).status == 204)
    #expect(try await server.tus("HEAD", location).status == 404)
    let other = try await server.tus("POST", "/uploads", ["Upload-Length": "10"])
    #expect(other.headers["upload-expires"] == "Wed, 15 Nov 2023 22:13:20 GMT")
    let whole = try await server.made(0)
    time.now += 86_401
    #expect(try await server.tus("HEAD", other.headers["location"] ?? "").status == 410)
    for routes in [UploadRoutes(server.services)] { await routes.tidy() }
    #expect(try await server.tus("HEAD", other.headers["location"] ?? "").status == 404)
    #expect(try await server.tus("HEAD", whole).status == 200)
    let narrow = try await server.services.access.issue("phone", [.ingest], lifetime: 60).token
    #expect(try await server.tus("DELETE", whole, ["Authorization": "Bearer \(narrow)"]).status == 403)
    await server.end()
  }

  @Test("a method can be told by X-HTTP-Method-Override")
  func methodOverride() async throws {
    let server = try await TestServer()
    let location = try await server.made(3)
    let answer = try await server.tus(
      "POST", location,
      [
        "X-HTTP-Method-Override": "PATCH", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
      ], body: [1, 2, 3])
    #expect(answer.status == 204)
    #expect(try await server.offset(location) == 3)
    await server.end()
  }
}
