import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The IETF's resumable uploads at the server") struct DraftUploadTests {
  @Test("tells the upload's place before the body is there, and takes it in one request", arguments: ["6", "8"])
  func whole(_ version: String) async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(100_000)
    let answer = try await server.draft(
      "POST", "/uploads",
      [
        "Upload-Complete": "?1", "Upload-Draft-Interop-Version": version, "Content-Type": "text/plain",
        "Content-Disposition": "inline; filename=\"a b.txt\"",
        "Repr-Digest": "sha-256=:\(Sample.base64(Sample.sha256(bytes))):",
      ], body: bytes)
    #expect(answer.status == 201)
    #expect(answer.headers["upload-complete"] == "?1")
    #expect(answer.headers["upload-offset"] == "100000")
    #expect(answer.before.first?.status == 104)
    let location = answer.headers["location"] ?? ""
    #expect(answer.before.first?.headers["location"] == location)
    #expect(answer.before.first?.headers["upload-limit"]?.contains(version == "6" ? "expires=" : "max-age=") == true)
    #expect(answer.headers["upload-draft-interop-version"] == version)
    #expect(answer.json["sha256"] as? String == Sample.sha256(bytes).hexadecimal)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("takes parts, tells where it stands, and ends when the client says so")
  func parts() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(3000)
    let made = try await server.draft("POST", "/uploads", ["Upload-Complete": "?0"], body: Array(bytes[..<1000]))
    #expect(made.status == 201)
    #expect(made.headers["upload-complete"] == "?0")
    let location = made.headers["location"] ?? ""
    let head = try await server.draft("HEAD", location)
    #expect(head.status == 204)
    #expect(head.headers["upload-offset"] == "1000")
    #expect(head.headers["upload-complete"] == "?0")
    #expect(head.headers["cache-control"] == "no-store")
    #expect(head.headers["upload-length"] == nil)
    let next = try await server.draft(
      "PATCH", location,
      [
        "Upload-Offset": "1000", "Upload-Complete": "?0", "Upload-Length": "3000",
        "Content-Digest": "sha-256=:\(Sample.base64(Sample.sha256(Array(bytes[1000..<2000])))):",
      ], body: Array(bytes[1000..<2000]))
    #expect(next.status == 204)
    #expect(next.headers["upload-complete"] == "?0")
    #expect(next.headers["upload-length"] == "3000")
    let last = try await server.draft(
      "PATCH", location, ["Upload-Offset": "2000", "Upload-Complete": "?1"], body: Array(bytes[2000...]))
    #expect(last.status == 200)
    #expect(last.headers["upload-complete"] == "?1")
    #expect(try await server.draft("HEAD", location).headers["upload-complete"] == "?1")
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  @Test("an upload whose length is there ends only when that is said, by a request without bytes too")
  func said() async throws {
    let server = try await TestServer()
    let made = try await server.draft(
      "POST", "/uploads", ["Upload-Complete": "?0", "Upload-Length": "3"], body: [1, 2, 3])
    let location = made.headers["location"] ?? ""
    #expect(try await server.draft("HEAD", location).headers["upload-complete"] == "?0")
    #expect(try await server.send("GET", TestServer.path(location)).status == 404)
    let end = try await server.draft("PATCH", location, ["Upload-Offset": "3", "Upload-Complete": "?1"], body: [])
    #expect(end.status == 200)
    #expect(try await server.send("GET", TestServer.path(location)).body == [1, 2, 3])
    await server.end()
  }

  @Test("tells problems by their registered types")
  func problems() async throws {
    let server = try await TestServer { $0.limits.upload = 5000 }
    let made = try await server.draft(
      "POST", "/uploads", ["Upload-Complete": "?0", "Upload-Length": "20"], body: Array(0..<10))
    let location = made.headers["location"] ?? ""
    let registry = "https://iana.org/assignments/http-problem-types#"
    let conflict = try await server.draft(
      "PATCH", location, ["Upload-Offset": "3", "Upload-Complete": "?0"], body: [1])
    #expect(conflict.status == 409)
    #expect(conflict.headers["upload-offset"] == "10")
    #expect(conflict.headers["content-type"] == "application/problem+json")
    #expect(conflict.json["type"] as? String == registry + "mismatching-upload-offset")
    #expect(conflict.json["expected-offset"] as? Int == 10)
    #expect(conflict.json["provided-offset"] as? Int == 3)
    let length = try await server.draft("PATCH", location, ["Upload-Offset": "10", "Upload-Complete": "?1"], body: [1])
    #expect(length.status == 400)
    #expect(length.json["type"] as? String == registry + "inconsistent-upload-length")
    let digest = "sha-256=:\(Sample.base64(Sample.sha256([2]))):"
    let mismatch = try await server.draft(
      "PATCH", location, ["Upload-Offset": "10", "Upload-Complete": "?0", "Content-Digest": digest], body: [1])
    #expect(mismatch.status == 460)
    #expect(try await server.draft("HEAD", location, ["Upload-Offset": "1"]).status == 400)
    #expect(try await server.draft("HEAD", location).headers["upload-offset"] == "10")
    let rest = try await server.draft(
      "PATCH", location, ["Upload-Offset": "10", "Upload-Complete": "?1"], body: Array(10..<20))
    #expect(rest.status == 200)
    let over = try await server.draft("PATCH", location, ["Upload-Offset": "20", "Upload-Complete": "?1"], body: [])
    #expect(over.status == 400)
    #expect(over.json["type"] as? String == registry + "completed-upload")
    let large = try await server.draft(
      "POST", "/uploads", ["Upload-Complete": "?0", "Upload-Length": "5001"], body: [])
    #expect(large.status == 413)
    #expect(large.headers["upload-limit"]?.contains("max-size=5000") == true)
    let version = ["Upload-Complete": "?1", "Upload-Draft-Interop-Version": "3"]
    #expect(try await server.draft("POST", "/uploads", version, body: []).status == 400)
    #expect(try await server.draft("DELETE", location).status == 204)
    await server.end()
  }
}
