import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Logins") struct LoginTests {
  @Test("that are wrong have to wait, longer each time, and a right one ends it")
  func brake() {
    let time = Time(0)
    let brake = LoginBrake { time.now }
    for _ in 0..<LoginBrake.free { #expect(brake.begin("a") == nil) }
    #expect(brake.begin("a") == 1)
    #expect(brake.begin("b") == nil)
    var tries = 0
    while time.now < 600 {
      time.now += 0.5
      if brake.begin("a") == nil { tries += 1 }
    }
    #expect((10...16).contains(tries))
    time.now += LoginBrake.longest
    #expect(brake.begin("a") == nil)
    brake.succeed("a")
    for _ in 0..<LoginBrake.free { #expect(brake.begin("a") == nil) }
  }

  @Test("take a bounded memory, and one IPv6 network is one address")
  func memory() {
    let time = Time(0)
    let brake = LoginBrake(most: 100) { time.now }
    for number in 0..<10_000 {
      time.now += 0.001
      #expect(brake.begin("10.0.\(number)") == nil)
    }
    #expect(brake.count <= 100)
    #expect(LoginBrake.network(of: "2001:db8::1") == LoginBrake.network(of: "2001:db8:0:0:ffff::2"))
    #expect(LoginBrake.network(of: "2001:db8:0:1::1") != LoginBrake.network(of: "2001:db8::1"))
    #expect(LoginBrake.network(of: "::1") == "0:0:0:0")
    #expect(LoginBrake.network(of: "10.0.0.1") == "10.0.0.1")
  }

  @Test("one after another with wrong tokens are answered 429 with Retry-After, and counted")
  func wrong() async throws {
    let server = try await TestServer()
    var statuses: [Int] = []
    for number in 0..<20 {
      let answer = try await server.send(
        "POST", "/login", ["Authorization": ""], body: Array("token=mpt_\(number)".utf8))
      statuses.append(answer.status)
      if answer.status == 429 { #expect(answer.headers["retry-after"] != nil) }
    }
    #expect(statuses.prefix(LoginBrake.free).allSatisfy { $0 == 403 })
    #expect(statuses.count { $0 == 429 } >= 10)
    #expect(server.services.counts["refused.server-token-unknown"] == Int64(statuses.count { $0 == 403 }))
    await server.end()
  }

  @Test("with wrong tokens in any request are slowed, while those that were known before go on")
  func tokens() async throws {
    let server = try await TestServer()
    let fresh = try await server.services.access.issue("fresh", [.read], lifetime: 1000).token
    #expect(try await server.send("GET", "/api/v1/crashes", ["Authorization": "Bearer \(fresh)"]).status == 200)
    var statuses: [Int] = []
    for number in 0..<20 {
      let pair = Data("user:mpt_\(number)".utf8).base64EncodedString()
      let credential = number % 2 == 0 ? "Bearer mpt_\(number)" : "Basic \(pair)"
      let answer = try await server.send("GET", "/api/v1/crashes", ["Authorization": credential])
      statuses.append(answer.status)
      if answer.status == 429 { #expect(answer.headers["retry-after"] != nil) }
    }
    #expect(statuses.prefix(LoginBrake.free).allSatisfy { $0 == 401 })
    #expect(statuses.count { $0 == 429 } >= 10)
    #expect(try await server.send("GET", "/api/v1/crashes", ["Authorization": "Bearer \(fresh)"]).status == 200)
    // A right one that was never seen waits too; the time of waiting may just be over, so that it is tried anew.
    var isWaiting = false
    for number in 0..<10 where !isWaiting {
      let new = try await server.services.access.issue("new", [.read], lifetime: 1000).token
      _ = try await server.send("GET", "/api/v1/crashes", ["Authorization": "Bearer mpt_x\(number)"])
      let status = try await server.send("GET", "/api/v1/crashes", ["Authorization": "Bearer \(new)"]).status
      isWaiting = status == 429
    }
    #expect(isWaiting)
    let key = server.run.ready.appKey
    #expect(try await server.send("GET", "/api/v1/crashes", ["Authorization": "Bearer \(key)"]).status == 403)
    await server.end()
  }

  @Test("from pages of other sites are refused, though the token is right")
  func foreign() async throws {
    let server = try await TestServer()
    let body = Array("token=\(server.token)".utf8)
    for headers in [
      ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
      ["Origin": "null"],
    ] {
      let all = headers.merging(["Authorization": ""]) { $1 }
      let answer = try await server.send("POST", "/login", all, body: body)
      #expect(answer.status == 403, "\(headers)")
      #expect(answer.headers["set-cookie"] == nil, "\(headers)")
    }
    for headers in [["Origin": "http://127.0.0.1:\(server.port)"], ["Sec-Fetch-Site": "same-origin"], [:]] {
      let all = headers.merging(["Authorization": ""]) { $1 }
      #expect(try await server.send("POST", "/login", all, body: body).status == 303, "\(headers)")
    }
    await server.end()
  }
}

@Suite("Requests whose host is not certain") struct HostTests {
  @Test("are answered 400", arguments: [[], ["Host: a", "Host: b"], ["Host: a", "Host: a"]])
  func host(lines: [String]) async throws {
    let server = try await TestServer()
    let connection = try TestConnection(server.port)
    let head = (["GET /health HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    let answer = try await connection.exchange(Array(head.utf8))
    #expect(answer.status == 400)
    #expect(answer.json["code"] as? String == "server-bad-request")
    await server.end()
  }
}

@Suite("Stored reports that are damaged") struct DamagedReportTests {
  private static let event =
    #"{"platform":"python","exception":{"values":[{"type":"E","value":"x"}]},"extra":{"a":"aaaaaaaaaaaaaaaaaaa"}}"#

  /// Asks for the crash in each way; all of them tell 500 with the code.
  private static func ask(_ server: TestServer, _ id: Int64) async throws {
    for path in ["/api/v1/crashes/\(id)/report", "/crashes/\(id)/report", "/crashes/\(id)"] {
      let before = server.services.counts["refused.stored-report-damaged"]
      let answer = try await server.send("GET", path)
      #expect(answer.status == 500, "\(path)")
      #expect(answer.json["code"] as? String == "stored-report-damaged", "\(path)")
      #expect(server.services.counts["refused.stored-report-damaged"] == before + 1)
    }
    // The list shows it all the same.
    #expect(try await server.list("/api/v1/crashes", "crashes").count == 1)
  }

  @Test("in the database are told as 500, and counted", .inFile)
  func row() async throws {
    for damage in ["x''", "substr(body, 1, length(body) - 3)", "x'28b52ffd00ffffffffff'", "zeroblob(100)"] {
      let server = try await TestServer()
      #expect(try await server.envelope(Self.event, id: "0123456789abcdef0123456789abcdef").status == 200)
      try await server.services.store.write { try $0.run("UPDATE crashes SET body = \(damage)") }
      try await Self.ask(server, 1)
      await server.end()
    }
  }

  @Test("in a file of their own are told as 500, and counted", .inFolder, arguments: ["flip", "cut", "gone"])
  func blob(damage: String) async throws {
    let server = try await TestServer()
    let noise = Sample.bytes(400_000).map { String($0, radix: 16) }.joined()
    let event = #"{"platform":"python","exception":{"values":[{"type":"E","value":"x"}]},"extra":{"a":"\#(noise)"}}"#
    #expect(try await server.envelope(event, id: "0123456789abcdef0123456789abcdef").status == 200)
    let name = try await server.services.store.read {
      try $0.row("SELECT blob FROM crashes") { $0.optionalText(0) } ?? nil
    }
    let path = try server.blobFolder.path(of: try #require(name))
    var bytes = try Data(contentsOf: URL(filePath: path))
    switch damage {
    case "flip": bytes[200_000] ^= 1
    case "cut": bytes.removeLast(1)
    default: break
    }
    try FileManager.default.removeItem(atPath: path)
    if damage != "gone" { try bytes.write(to: URL(filePath: path)) }
    try await Self.ask(server, 1)
    await server.end()
  }
}
