import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("OpenFeature's remote evaluation") struct RemoteEvaluationTests {
  private static let path = "/ofrep/v1/evaluate/flags"

  private func fixture() throws -> JSONValue.Object {
    let data = try Fixture.data("services/ofrep/cases.json")
    return try #require(try data.withUnsafeBytes { try JSONValue(reading: $0) }.object)
  }

  /// A server with a whole state.
  private func server(_ state: JSONValue.Object) async throws -> TestServer {
    let server = try await TestServer()
    let events: JSONValue = [
      ["type": "hydration", "features": state["features"] ?? [], "segments": state["segments"] ?? []]
    ]
    #expect(try await server.changeFlags(events.line).status == 201)
    return server
  }

  @Test("answers each question of the protocol's cases as it has to", .fixtures)
  func cases() async throws {
    let fixture = try fixture()
    let server = try await server(try #require(fixture["state"]?.object))
    let key = server.run.ready.appKey
    for question in try #require(fixture["cases"]?.array).compactMap(\.object) {
      let name = question["name"]?.string ?? ""
      let body = question["body"]?.string ?? question["body"]?.line ?? ""
      let answer = try await server.send(
        "POST", question["path"]?.string ?? "", ["Authorization": "", "X-API-Key": key], body: Array(body.utf8))
      let expected = try #require(question["expect"]?.object)
      #expect(answer.status == expected["status"]?.integer(Int.self), "\(name)")
      let found = try #require(try answer.body.withUnsafeBytes { try JSONValue(reading: $0) }.object, "\(name)")
      for (member, value) in expected["json"]?.object ?? [:] {
        #expect((found[member] ?? .null) == value, "\(name): \(member)")
      }
      #expect(
        found["errorDetails"]?.string != nil && (answer.status != 200 || found["variant"]?.string != nil), "\(name)")
    }
    let number = try await server.send(
      "POST", "\(Self.path)/demo.one-point-zero", body: Array(#"{"context":{"targetingKey":"u"}}"#.utf8))
    #expect(number.text.contains(#""value":1.0,"#))
    await server.end()
  }

  private func all(
    _ server: TestServer, _ context: String, etag: String? = nil, query: String = ""
  ) async throws -> TestAnswer {
    try await server.send(
      "POST", Self.path + query, etag.map { ["If-None-Match": $0] } ?? [:], body: Array("{\"context\":\(context)}".utf8)
    )
  }

  @Test("all flags at once: 304 only to the same flags and the same context, and never to one that was told of others")
  func bulk() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let first = try await all(server, #"{"targetingKey":"u1","city":"杭州"}"#)
    let etag = try #require(first.headers["etag"])
    let values = (first.json["flags"] as? [[String: Any]] ?? []).map { "\($0["key"] ?? "") \($0["value"] ?? "")" }
    #expect(values == ["old 0", "search #00f"])
    #expect(!first.text.contains("secret-town") && !first.text.contains("flexibleRollout"))
    // The order of members is none of the context's.
    #expect(try await all(server, #"{"city":"杭州","targetingKey":"u1"}"#, etag: etag).status == 304)
    #expect(try await all(server, #"{"targetingKey":"u2","city":"杭州"}"#, etag: etag).status == 200)
    let config = try #require(server.flags?.book.place(app: nil, environment: nil).edition.etag)
    let same = #"{"targetingKey":"u1","city":"杭州"}"#
    #expect(try await all(server, same, etag: etag, query: "?flagConfigEtag=\(config)").status == 304)
    #expect(try await all(server, same, etag: etag, query: "?flagConfigEtag=other").status == 200)
    #expect(try await all(server, same, etag: etag, query: "?flagConfigLastModified=99999999999").status == 200)
    _ = try await server.changeFlags(TestServer.flag("old"))
    #expect(try await all(server, same, etag: etag).status == 200)
    let wrong = try await all(server, "{}")
    #expect(wrong.status == 400 && wrong.json["errorCode"] as? String == "TARGETING_KEY_MISSING")
    await server.end()
  }

  @Test("tells over the stream that it names that flags have changed, without a token, and what was missed")
  func notices() async throws {
    let server = try await TestServer()
    let answer = try await all(server, #"{"targetingKey":"u1"}"#)
    let streams = answer.json["eventStreams"] as? [[String: Any]]
    let path = try #require((streams?.first?["endpoint"] as? [String: Any])?["requestUri"] as? String)
    var stream = try await EventConnection(server, path, ["Authorization": "none"])
    _ = try await server.changeFlags(TestServer.flag("a"))
    let event = try await stream.event("message")
    let place = try #require(try server.flags?.book.place(app: nil, environment: nil))
    #expect(event.id == 1)
    #expect(event.data.contains(#""etag":"\#(place.edition.etag)""#))
    #expect(event.data.contains(#""type":"refetchEvaluation""#))
    var late = try await EventConnection(server, path, ["Last-Event-ID": "0"])
    #expect(try await late.event("message").id == 1)
    #expect(try await server.send("GET", "/ofrep/v1/events?channel=none").status == 404)
    await server.end()
  }
}
