import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Bytes in chunks, with fields behind them (RFC 9112, 7.1).
private func chunked(_ bytes: [UInt8], trailers: [String] = [], size: Int = 1000) -> [UInt8] {
  var body: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: size) {
    let piece = bytes[start..<min(start + size, bytes.count)]
    body += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }
  return body + Array("0\r\n\(trailers.map { $0 + "\r\n" }.joined())\r\n".utf8)
}

private func sum(_ bytes: [UInt8], _ algorithm: String) -> String {
  guard var checksum = UploadChecksum(algorithm) else { return "" }
  bytes.withUnsafeBytes { checksum.update($0) }
  return "Upload-Checksum: \(algorithm) \(Sample.base64(checksum.digest))"
}

private let announced = ["Transfer-Encoding": "chunked", "Trailer": "Upload-Checksum", "Upload-Offset": "0"]

@Suite("Checksums behind the bytes") struct TrailerTests {
  @Test("are announced, and compared by every algorithm", arguments: UploadChecksum.algorithms)
  func right(algorithm: String) async throws {
    let server = try await TestServer()
    let options = try await server.send("OPTIONS", "/uploads", ["Authorization": ""])
    #expect(options.headers["tus-extension"]?.split(separator: ",").contains("checksum-trailer") == true)
    let bytes = Sample.bytes(150_000)
    let location = try await server.made(bytes.count)
    let body = chunked(bytes, trailers: ["x-other: 1", sum(bytes, algorithm)])
    let answer = try await server.tus("PATCH", location, announced, body: body)
    #expect(answer.status == 204)
    #expect(answer.headers["upload-offset"] == "150000")
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("that are wrong, missing or unknown leave the upload where it stood")
  func wrong() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(5000)
    let location = try await server.made(bytes.count)
    let other = chunked(bytes, trailers: [sum(Array(bytes.dropLast()), "sha256")])
    let mismatch = try await server.tus("PATCH", location, announced, body: other)
    #expect(mismatch.status == 460)
    #expect(mismatch.json["code"] as? String == "server-checksum-mismatch")
    #expect(try await server.offset(location) == 0)
    for trailers in [[], ["x-other: 1"], ["Upload-Checksum: md5 AAAA"], ["Upload-Checksum: sha1"]] {
      let answer = try await server.tus("PATCH", location, announced, body: chunked(bytes, trailers: trailers))
      #expect(answer.status == 400, "\(trailers)")
      #expect(answer.json["code"] as? String == "server-checksum-algorithm", "\(trailers)")
      #expect(try await server.offset(location) == 0)
    }
    // A field without announcement is no field of the request.
    let silent = try await server.tus(
      "PATCH", location, ["Transfer-Encoding": "chunked", "Upload-Offset": "0"],
      body: chunked(bytes, trailers: ["Upload-Checksum: sha1 AAAA"]))
    #expect(silent.status == 204)
    await server.end()
  }

  @Test("hold for a creation with bytes, for later pieces, and for a connection that is cut before them")
  func pieces() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(9000)
    let head = Array(bytes.prefix(4000)), tail = Array(bytes.dropFirst(4000))
    let made = try await server.tus(
      "POST", "/uploads",
      [
        "Upload-Length": "9000", "Content-Type": "application/offset+octet-stream", "Transfer-Encoding": "chunked",
        "Trailer": "X-Other, upload-checksum",
      ], body: chunked(head, trailers: [sum(head, "crc32c")]))
    let location = try #require(made.headers["location"])
    #expect(made.status == 201)
    #expect(made.headers["upload-offset"] == "4000")
    let connection = try TestConnection(server.port)
    let lines = [
      "PATCH \(TestServer.path(location)) HTTP/1.1", "Host: x", "Authorization: Bearer \(server.token)",
      "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", "Upload-Offset: 4000",
      "Transfer-Encoding: chunked", "Trailer: Upload-Checksum", "", "",
    ]
    try await connection.write(Array(lines.joined(separator: "\r\n").utf8) + chunked(tail).dropLast(5))
    // A request that has not begun when its connection is cut would end the one that comes after it.
    while server.writers == 0 { try await Task.sleep(for: .milliseconds(5)) }
    connection.cut()
    // HEAD waits for the one before.
    #expect(try await server.offset(location) == 4000)
    var headers = announced
    headers["Upload-Offset"] = "4000"
    let answer = try await server.tus("PATCH", location, headers, body: chunked(tail, trailers: [sum(tail, "sha1")]))
    #expect(answer.status == 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("belong to their own requests on one connection, also where others never ask for them")
  func oneConnection() async throws {
    let server = try await TestServer()
    let (first, second) = (Sample.bytes(3000), Sample.bytes(2000, seed: 2))
    let paths = [try await server.made(first.count), try await server.made(second.count)].map(TestServer.path)
    let connection = try TestConnection(server.port)
    func request(_ method: String, _ path: String, _ more: [String]) -> [UInt8] {
      let lines = ["\(method) \(path) HTTP/1.1", "Host: x", "Authorization: Bearer \(server.token)"] + more + ["", ""]
      return Array(lines.joined(separator: "\r\n").utf8)
    }
    let chunks = ["Transfer-Encoding: chunked", "Trailer: Upload-Checksum"]
    for _ in 0..<3 {
      let body = chunked([1, 2, 3], trailers: ["Upload-Checksum: sha1 AAAA"])
      try await connection.write(request("POST", "/nowhere", chunks) + body)
      #expect(try await connection.answer().status == 404)
    }
    // Both at once.
    let tus = ["Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", "Upload-Offset: 0"]
    try await connection.write(
      request("PATCH", paths[0], chunks + tus) + chunked(first, trailers: [sum(first, "sha1")])
        + request("PATCH", paths[1], chunks + tus) + chunked(second, trailers: [sum(second, "sha256")]))
    for _ in 0..<2 { #expect(try await connection.answer(isHead: true).status == 204) }
    await server.end()
  }

  @Test("are the draft's Content-Digest too")
  func draft() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(4000)
    let headers = ["Upload-Complete": "?1", "Transfer-Encoding": "chunked", "Trailer": "Content-Digest"]
    func digest(_ bytes: [UInt8]) -> [String] {
      ["Content-Digest: sha-256=:\(Sample.base64(Sample.sha256(bytes))):"]
    }
    let wrong = try await server.draft("POST", "/uploads", headers, body: chunked(bytes, trailers: digest([1])))
    #expect(wrong.status == 460)
    let right = try await server.draft("POST", "/uploads", headers, body: chunked(bytes, trailers: digest(bytes)))
    #expect(right.status == 201)
    #expect(right.headers["upload-complete"] == "?1")
    await server.end()
  }
}
