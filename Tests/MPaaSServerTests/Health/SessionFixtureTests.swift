import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Sequences of envelopes with the totals that a model of the rules gives.
enum SessionFixtures {
  static let names = ["in-order", "shuffled-and-resent", "large"]

  static func envelopes(_ name: String) throws -> [[UInt8]] {
    let lines = try Fixture.data("console/sessions/\(name).jsonl").split(separator: UInt8(ascii: "\n"))
    return try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: String]
      return Array(try #require(object?["envelope"]).utf8)
    }
  }

  static func expected(_ name: String) throws -> [String: [String: Double?]] {
    let data = try Fixture.data("console/sessions/\(name).expected.json")
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    return object.mapValues { $0.mapValues { ($0 as? NSNumber)?.doubleValue } }
  }
}

extension TestServer {
  /// Sends an envelope as it is, with the app's key.
  func sendEnvelope(_ bytes: [UInt8]) async throws -> TestAnswer {
    try await send(
      "POST", "/api/1/envelope/",
      ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(run.ready.appKey)"], body: bytes)
  }

  /// An envelope of items, each a type and its JSON.
  func sendItems(_ items: [(String, String)], header: String = "{}") async throws -> TestAnswer {
    let lines = items.map { "{\"type\":\"\($0)\",\"length\":\($1.utf8.count)}\n\($1)\n" }
    return try await sendEnvelope(Array("\(header)\n\(lines.joined())".utf8))
  }

  /// The releases by `release|environment`.
  func health(_ parameters: String = "") async throws -> [String: [String: Any]] {
    let releases = try await list("/api/v1/release-health\(parameters)", "releases")
    return Dictionary(
      releases.map { ("\($0["release"] as? String ?? "")|\($0["environment"] as? String ?? "")", $0) }
    ) { $1 }
  }
}

/// The answer's numbers that the model names, and nil for its nulls.
func compared(_ health: [String: [String: Any]], with expected: [String: [String: Double?]]) -> Bool {
  guard Set(health.keys) == Set(expected.keys) else { return false }
  return expected.allSatisfy { name, values in
    values.allSatisfy { key, value in (health[name]?[key] as? NSNumber)?.doubleValue == value }
  }
}

@Suite("Sessions of the fixtures", .fixtures) struct SessionFixtureTests {
  @Test("sent to the server, give exactly the totals of the model", arguments: SessionFixtures.names)
  func totals(name: String) async throws {
    let server = try await TestServer()
    let envelopes = try SessionFixtures.envelopes(name)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      // Of several connections at once nothing is in order, and what is told first must not matter for these totals.
      let lanes = name == "in-order" ? 1 : 8
      for lane in 0..<lanes {
        tasks.addTask {
          for index in stride(from: lane, to: envelopes.count, by: lanes) {
            let answer = try await server.sendEnvelope(envelopes[index])
            #expect(answer.status == 200)
          }
        }
      }
      try await tasks.waitForAll()
    }
    let health = try await server.health()
    let expected = try SessionFixtures.expected(name)
    #expect(compared(health, with: expected), "\(health) \(expected)")
    #expect(server.services.counts["refused.session-no-release"] == 1)
    #expect(server.services.counts.all.keys.filter { $0.hasPrefix("refused.") } == ["refused.session-no-release"])
    await server.end()
  }

  @Test("in any order and with repeats give the same totals, for what has a name")
  func orders() async throws {
    let server = try await TestServer()
    let envelopes = try SessionFixtures.envelopes("in-order").filter { bytes in
      // What has no name is counted each time.
      !String(decoding: bytes, as: UTF8.self).contains("aggregates")
        && !String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
          $0.contains("\"status\"") && !$0.contains("\"sid\"")
        }
    }
    for bytes in envelopes { _ = try await server.sendEnvelope(bytes) }
    let first = try await server.health()
    var random = SeededRandom(seed: 11)
    for bytes in envelopes.shuffled(using: &random) + envelopes.shuffled(using: &random) {
      _ = try await server.sendEnvelope(bytes)
    }
    let again = try await server.health()
    #expect(first.keys == again.keys && !first.isEmpty)
    for (name, values) in first {
      #expect(NSDictionary(dictionary: values) == NSDictionary(dictionary: again[name] ?? [:]))
    }
    await server.end()
  }

  @Test("mutated in any byte crash nothing, and what is counted is never negative")
  func mutations() throws {
    let envelopes = try SessionFixtures.envelopes("shuffled-and-resent").prefix(40)
    var random = SeededRandom(seed: 9)
    for round in 0..<SeededRandom.rounds(or: 20) {
      for envelope in envelopes {
        var bytes = envelope
        for _ in 0...(round % 4) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(UInt8(ascii: "9"), at: place)
          default: bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: Array("-1e9".utf8))
          }
        }
        bytes.withUnsafeBytes { buffer in
          guard let envelope = try? SentryEnvelope(buffer) else { return }
          let reader = SessionReader(app: "a", sent: envelope.sentAt, received: 1_795_392_000)
          var result = SessionReader.Result()
          for item in envelope.items where SessionReader.takes(item.type) {
            reader.read(item.type, UnsafeRawBufferPointer(rebasing: buffer[item.payload]), into: &result)
          }
          for update in result.updates {
            #expect(update.errors >= 0 && update.count > 0 && update.started <= 1_795_392_000)
            #expect(update.started >= 1_795_392_000 - SessionReader.lateness && !update.release.isEmpty)
          }
        }
      }
    }
  }
}
