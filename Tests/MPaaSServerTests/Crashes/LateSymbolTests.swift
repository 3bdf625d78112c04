import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Symbols that come late") struct LateSymbolTests {
  private static func tidy(_ server: TestServer, _ time: Time) async {
    time.now += 60
    for routes in server.run.routes { await routes.tidy() }
  }

  private static func missing(_ server: TestServer, token: String? = nil) async throws -> [[String: Any]] {
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    let answer = try await server.send("GET", ConsolePaths.missingSymbols, headers)
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json["missing"] as? [[String: Any]] ?? []
  }

  @Test("name the issues that lacked them, move none, and are no longer missing", .fixtures)
  func late() async throws {
    let time = Time(1_790_000_000)
    let folder = try TemporaryFolder()
    let symbols = folder.path + "/symbols"
    let server = try await TestServer(time: time, isTidied: false) { $0.symbols = [symbols] }
    for name in ["Call abort()", "Swift"] {
      let data = try Fixture.data("crash/crashprobe/release-arm64/\(name).json")
      let report = String(decoding: data, as: UTF8.self)
      for _ in 0..<2 { try await Self.send(report, to: server) }
    }
    await Self.tidy(server, time)
    let before = try await server.list("/api/v1/crash-groups", "groups")
    #expect(before.count == 2)
    let missing = try await Self.missing(server)
    #expect(missing.contains { $0["build_id"] as? String == "54039061a9833323a49d837a894d667f" }, "\(missing)")
    let own = missing.filter { ($0["image"] as? String)?.contains("CrashProbe") ?? false }
    #expect(!own.isEmpty && own.allSatisfy { $0["events"] as? Int == 2 || $0["events"] as? Int == 4 }, "\(missing)")
    let page = try await server.send("GET", "/symbols")
    #expect(page.status == 200 && page.text.contains("54039061a9833323a49d837a894d667f"))
    try FileManager.default.copyItem(atPath: Fixture.path("crash/crashprobe/release-arm64/dSYMs"), toPath: symbols)
    await Self.tidy(server, time)
    let after = try await server.list("/api/v1/crash-groups", "groups")
    #expect(Set(after.compactMap { $0["group"] as? String }) == Set(before.compactMap { $0["group"] as? String }))
    #expect(after.allSatisfy { $0["count"] as? Int == 2 })
    #expect(after.contains { ($0["function"] as? String ?? "").contains("CRLCrashAbort") }, "\(after)")
    #expect(!before.contains { ($0["function"] as? String ?? "").contains("CRLCrashAbort") })
    #expect(try await server.issues("stack.function:*CRLCrashAbort*").count == 1)
    let left = try await Self.missing(server)
    #expect(!left.contains { ($0["image"] as? String)?.contains("CrashProbe") ?? false }, "\(left)")
    await server.end()
  }

  /// A crash of the app of the fixtures in a call of `function`, at bytes behind the app's begin.
  private static func crash(in function: String, at offset: Int) throws -> String {
    let data = try Fixture.data("crash/crashprobe/release-arm64/Swift.json")
    var event = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let images = (event["debug_meta"] as? [String: Any])?["images"] as? [[String: Any]] ?? []
    let image = try #require(images.first { ($0["name"] as? String)?.hasSuffix("/CrashProbeiOS") ?? false })
    let address = try #require(image["image_addr"] as? String)
    let start = try #require(Int(address.dropFirst(2), radix: 16))
    event["debug_meta"] = ["images": [image]]
    event["threads"] = nil
    event["exception"] = [
      "values": [
        [
          "type": "EXC_BREAKPOINT",
          "stacktrace": [
            "frames": [
              ["function": function, "package": "/usr/lib/Pay"],
              [
                "package": image["name"], "image_addr": address,
                "instruction_addr": "0x" + String(start + offset, radix: 16),
              ],
            ]
          ],
        ]
      ]
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
  }

  private static func send(_ report: String, to server: TestServer) async throws {
    let event = UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    #expect(try await server.envelope(report, id: event).status == 200)
  }

  @Test("name all issues that they can, whatever they cannot, and those are not said to lack them again", .fixtures)
  func partly() async throws {
    let time = Time(1_790_000_000)
    let folder = try TemporaryFolder()
    let symbols = folder.path + "/symbols"
    let server = try await TestServer(time: time, isTidied: false) { $0.symbols = [symbols] }
    // The first page of an image has no code.
    let reports = try (0..<12).map { try Self.crash(in: "pay_\($0)", at: $0.isMultiple(of: 3) ? 8 : 0x79b0) }
    for report in reports { try await Self.send(report, to: server) }
    #expect(try await Self.missing(server).map { $0["issues"] as? Int } == [12])
    try FileManager.default.copyItem(atPath: Fixture.path("crash/crashprobe/release-arm64/dSYMs"), toPath: symbols)
    await Self.tidy(server, time)
    #expect(try await server.issues("stack.function:main").count == 8)
    #expect(try await Self.missing(server).map { $0["issues"] as? Int } == [4])
    for report in reports { try await Self.send(report, to: server) }
    #expect(try await Self.missing(server).map { $0["issues"] as? Int } == [4])
    await server.end()
  }

  @Test("are listed for the apps that a token is for alone", .fixtures)
  func isolation() async throws {
    let server = try await TestServer(isTidied: false)
    let report = String(decoding: try Fixture.data("crash/crashprobe/release-arm64/Call abort().json"), as: UTF8.self)
    #expect(try await server.envelope(report).status == 200)
    let own = try await server.services.access.issue("a", [.read], app: server.run.ready.appKey, lifetime: 1e6).token
    let other = try await server.services.access.issue("b", [.read], app: "other", lifetime: 1e6).token
    #expect(try await !Self.missing(server, token: own).isEmpty)
    #expect(try await Self.missing(server, token: other).isEmpty)
    await server.end()
  }

  @Test("are asked for once where a file tells no names")
  func useless() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false)
    try await server.services.store.write { database in
      try database.run(
        "INSERT INTO missing_images (app, build, issue, image, architecture) VALUES ('a', 'no-build', 1, 'i', 'arm64')")
    }
    await Self.tidy(server, time)
    // No such issue is there to be listed.
    #expect(try await Self.missing(server).isEmpty)
    await server.end()
  }
}
