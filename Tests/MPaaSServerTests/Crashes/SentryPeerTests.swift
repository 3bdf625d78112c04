import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Sentry's SDK for Python as it is, against the server.
@Suite("Sentry's SDK works unmodified", .sentryClient) struct SentryPeerTests {
  @Test(
    "errors, messages, attachments, users, sessions and transactions by a DSN, in each of its encodings",
    arguments: ["gzip", "br", "none"])
  func events(encoding: String) async throws {
    let server = try await TestServer()
    let output = try await PythonClient.run(
      """
      import sys
      import sentry_sdk
      dsn, encoding = sys.argv[1:]
      sentry_sdk.init(dsn=dsn, release="shop@1.2", environment="beta", traces_sample_rate=1.0,
                      auto_session_tracking=False, _experiments={"transport_compression_algo": encoding})
      sentry_sdk.get_isolation_scope().start_session()
      sentry_sdk.set_user({"id": "u1"})
      def broken(rows):
          return rows["missing"]
      with sentry_sdk.start_transaction(op="job", name="nightly"):
          with sentry_sdk.new_scope() as scope:
              scope.add_attachment(bytes=b"hello", filename="log.txt")
              try:
                  broken({})
              except KeyError:
                  print(sentry_sdk.capture_exception())
      sentry_sdk.capture_message("lost the parcel")
      sentry_sdk.get_isolation_scope().end_session()
      sentry_sdk.flush(20)
      """, [server.run.ready.dsn, encoding])
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 2)
    let id = output.split(separator: "\n").first.map(String.init)
    let crash = try #require(crashes.first { $0["event"] as? String == id })
    let told = ["title", "version", "environment", "user", "level"].map { crash[$0] as? String }
    #expect(told == ["KeyError: 'missing'", "shop@1.2", "beta", "u1", "error"])
    let groups = try await server.list("/api/v1/crash-groups", "groups")
    #expect(Set(groups.compactMap { $0["title"] as? String }) == ["KeyError: 'missing'", "lost the parcel"])
    #expect(groups.contains { $0["function"] as? String == "broken" })
    let number = Int64(crash["id"] as? Int ?? 0)
    let kept = try await server.services.store.read { try CrashStore.attachments(of: number, in: $0) }
    #expect(kept.map(\.filename) == ["log.txt"])
    let counts = server.services.counts.all
    #expect(counts["left-out.transaction"] == 1)
    #expect((counts["accepted.session"] ?? 0) > 0)
    #expect(!counts.keys.contains { $0.hasPrefix("refused.") || $0 == "left-out.other" }, "\(counts)")
    #expect(try await server.send("GET", "/crashes/\(number)").status == 200)
    await server.end()
  }

  @Test("who comes too often is told so in its own words, waits, goes on, and reports what it dropped")
  func limited() async throws {
    let server = try await TestServer { $0.limits.rate = 1 }
    _ = try await PythonClient.run(
      """
      import sys, time
      import sentry_sdk
      sentry_sdk.init(dsn=sys.argv[1], auto_session_tracking=False)
      client = sentry_sdk.get_client()
      for number in range(4):
          sentry_sdk.capture_message("early %d" % number)
      client.flush(10)
      limits = client.transport._disabled_until
      assert limits, "no limit was told"
      assert 0 < (max(limits.values()).timestamp() - time.time()) <= 2, limits
      time.sleep(2.1)
      sentry_sdk.capture_message("late")
      client.flush(10)
      """, [server.run.ready.dsn])
    let titles = try await server.list("/api/v1/crashes", "crashes").compactMap { $0["title"] as? String }
    #expect(titles.contains("late"))
    #expect(titles.contains("early 0"))
    #expect(titles.count < 5)
    #expect(server.services.counts["refused.server-rate"] > 0)
    let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { tasks in
      for _ in 0..<4 { tasks.addTask { try await server.envelope("{}", headers: ["Origin": "https://a.example"]) } }
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
    let limited = try #require(answers.first { $0.status == 429 })
    #expect(limited.headers["x-sentry-rate-limits"] == "1::key")
    #expect(limited.headers["retry-after"] == "1")
    #expect(limited.headers["x-sentry-error"] == "server-rate")
    #expect(limited.headers["access-control-allow-origin"] == "*")
    await server.end()
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where Sentry's SDK is not installed among the peers.
  static var sentryClient: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import sentry_sdk, brotli"]))?.status == 0,
      "sentry-sdk and brotli are not installed: run scripts/bootstrap --peers")
  }
}
