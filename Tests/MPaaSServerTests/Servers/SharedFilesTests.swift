import Foundation
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("What several servers keep in the bucket and in their folders", .severalServers) struct SharedFilesTests {
  private static let tus = ["Tus-Resumable": "1.0.0"]

  private static func patch(_ bytes: [UInt8], at offset: Int, _ path: String, _ server: TestServer) async throws -> Int
  {
    let headers = ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"]
    return try await server.send("PATCH", path, Self.tus.merging(headers) { $1 }, body: bytes).status
  }

  @Test("an upload goes on at the server that it began at; others say so, and have it once it is whole")
  func uploads() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(), try await console.server())
    let bytes = Sample.bytes(100_000)
    let made = try await one.send("POST", "/uploads", Self.tus.merging(["Upload-Length": "100000"]) { $1 })
    let path = TestServer.path(try #require(made.headers["location"]))
    #expect(path.hasPrefix("/uploads/\(try #require(one.services.session?.name).prefix(8))"))
    #expect(try await Self.patch(Array(bytes.prefix(60_000)), at: 0, path, one) == 204)
    let elsewhere = try await two.send("HEAD", path, Self.tus)
    #expect(elsewhere.status == 503 && elsewhere.headers["retry-after"] == "1")
    #expect(try await Self.patch(Array(bytes.suffix(40_000)), at: 60_000, path, two) == 503)
    #expect(try await Self.patch(Array(bytes.suffix(40_000)), at: 60_000, path, one) == 204)
    #expect(try await two.send("GET", path).body == bytes)
    #expect(try await two.send("HEAD", path, Self.tus).headers["upload-offset"] == "100000")
    await one.end()
    await two.end()
  }

  @Test("an upload whose server is gone begins anew elsewhere, of the same batch too")
  func lost() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(), try await console.server())
    let number = try #require(one.services.session?.number)
    let metadata = "batch \(Data("b1".utf8).base64EncodedString())"
    let begin = Self.tus.merging(["Upload-Length": "1000", "Upload-Metadata": metadata]) { $1 }
    let first = TestServer.path(try #require(try await one.send("POST", "/uploads", begin).headers["location"]))
    #expect(try await Self.patch([1, 2, 3], at: 0, first, one) == 204)
    let same = TestServer.path(try #require(try await two.send("POST", "/uploads", begin).headers["location"]))
    // On a machine that stood still for 15 s the first server is signed out, and its uploads begin anew.
    let isThere = try console.number("SELECT count(*) FROM servers WHERE number = \(number)") == 1
    #expect(same == first || !isThere)
    await one.end()
    #expect(try await seconds { try await two.send("HEAD", first, Self.tus).status == 404 } != nil)
    let second = TestServer.path(try #require(try await two.send("POST", "/uploads", begin).headers["location"]))
    #expect(second != first)
    #expect(try await Self.patch(Sample.bytes(1000), at: 0, second, two) == 204)
    await two.end()
  }

  @Test("a blob that one server is storing is not removed by another, nor stored while it is being removed")
  func holds() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(isTidied: false), try await console.server(isTidied: false))
    #expect(await one.services.does(.removals))
    let hold = try await two.services.keep(Array("held".utf8))
    try await one.services.removals.run()
    #expect(try await one.services.blobs.size(of: hold.name) == 4)
    await two.services.release([hold], isNamed: false)
    try await one.services.removals.run()
    #expect(try await one.services.blobs.size(of: hold.name) == 4)
    await two.services.removals.tellReleased()
    try await one.services.removals.run()
    #expect(try await one.services.blobs.size(of: hold.name) == nil)
    #expect(try console.number("SELECT count(*) FROM blob_removals") == 0)
    // A server that is removing it right now.
    let number = try #require(one.services.session?.number)
    let name = Array("held".utf8).sha256.hexadecimal
    try console.run("INSERT INTO blob_removals (blob, remover) VALUES ('\(name)', \(number))")
    async let again = two.services.keep(Array("held".utf8))
    try await Task.sleep(for: .milliseconds(300))
    #expect(try console.number("SELECT count(*) FROM blob_holds") == 0)
    try await one.services.removals.run()
    #expect(try await again.name == name)
    #expect(try await two.services.blobs.size(of: name) == 4)
    await one.end()
    await two.end()
  }

  /// An event that is like others, and takes more than a base has at least.
  private static func event(_ type: String, _ number: Int) -> String {
    let frames = (0..<40).map { #"{"function":"f\#($0)","module":"shop.cart","lineno":\#(number * 100 + $0)}"# }
    let stack = #"{"frames":[\#(frames.joined(separator: ","))]}"#
    return #"{"platform":"python","exception":{"values":[{"type":"\#(type)","value":"v","stacktrace":\#(stack)}]}}"#
  }

  @Test("a report is whole though another server takes away what it was packed against")
  func bases() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(isTidied: false), try await console.server(isTidied: false))
    func send(_ server: TestServer, _ type: String, _ number: Int) async throws {
      let id = String(format: "%032x", number)
      #expect(try await server.envelope(Self.event(type, number), id: id).status == 200)
    }
    // Each server has a base of its own; those of the second are packed against its.
    for number in 1...5 { try await send(two, "E", number) }
    #expect(try console.number("SELECT count(*) FROM crashes WHERE base IS NOT NULL") > 0)
    let issue = try #require(try await one.issues().first?["id"] as? String)
    #expect(try await one.send("DELETE", "/api/v1/issues/\(issue)").status == 204)
    #expect(await one.services.does(.regrouping))
    // What the second server packs meanwhile was packed against a base that is gone by then.
    async let retired: Void = BaseRetirement(services: one.services).run()
    for number in 6...30 { try await send(two, "E", number) }
    try await retired
    for number in 31...40 { try await send(two, "E", number) }
    for number in 41...42 { try await send(one, "E", number) }
    #expect(try console.number("SELECT count(*) FROM crashes WHERE group_id <> 0") == 37)
    #expect(try await one.issues().first?["count"] as? Int == 37)
    let crashes = try await two.services.store.read { database in
      try database.rows("SELECT id FROM crashes WHERE group_id <> 0") { $0.integer(0) }
    }
    for crash in crashes {
      let report = try await two.send("GET", "/api/v1/crashes/\(crash)/report")
      #expect(report.status == 200 && report.text.contains("shop.cart"))
    }
    await one.end()
    await two.end()
  }
}
