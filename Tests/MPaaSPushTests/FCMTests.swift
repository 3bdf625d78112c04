import Foundation
import MPaaSLock
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import Testing

@Suite("Messages by FCM") struct FCMTests {
  /// A double of FCM, and an account that it knows.
  private struct Bench {
    let double: PushDouble
    let account: FCMAccount

    init(
      now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }, email: String = "a@shop"
    ) async throws {
      let (secret, open) = try DoubleBench.newAccountKey()
      let configuration = try DoubleBench.configuration([
        "fcm": [
          "project": "shop", "client_email": "a@shop", "public_key": .string(open), "tokens": ["good\"1", "good2"],
          "unregistered": ["gone"],
        ]
      ])
      double = try await PushDouble.listen(on: "127.0.0.1:0", configuration, now: now)
      let file: JSONValue = [
        "project_id": "shop", "client_email": .string(email), "private_key": .string(secret),
        "token_uri": .string(double.url + "/token"),
      ]
      account = try Array(file.line.utf8).withUnsafeBytes { try FCMAccount($0) }
    }

    func send(
      _ tokens: [String], access: FCMAccess, validatedOnly: Bool = false
    ) async throws -> DoubleBench.Outcomes {
      var message = FCMMessage()
      (message.title, message.data, message.isValidatedOnly) = ("Shop", ["order": "42"], validatedOnly)
      let provider = try FCMProvider([message], access: access) { 0 }
      let trust = try PushTrust(authorities: Array(double.authority.utf8))
      let sender = PushSender(
        provider, to: try PushAddress(double.url), trust: trust, options: DoubleBench.options)
      let outcomes = DoubleBench.Outcomes()
      try await sender.send(tokens.enumerated().map { PushJob(number: $0, token: $1) }) { outcomes.add($0) }
      return outcomes
    }

    func access(now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }) throws -> FCMAccess {
      FCMAccess(account, trust: try PushTrust(authorities: Array(double.authority.utf8)), now: now)
    }
  }

  @Test("go to tokens with an access token of the account; a token that has ended is told as such")
  func messages() async throws {
    let bench = try await Bench()
    let access = try bench.access()
    try await access.renew()
    let outcomes = try await bench.send(["good\"1", "gone", "other", "good2"], access: access)
    #expect(outcomes.accepted == 2)
    #expect(
      outcomes.failures == [
        PushFailure(status: 404, reason: "UNREGISTERED"), PushFailure(status: 400, reason: "INVALID_ARGUMENT"),
      ])
    let trial = try await bench.send(["good2"], access: access, validatedOnly: true)
    #expect(trial.all[0] == [.accepted(id: "projects/shop/messages/fake_message_id")])
    await bench.double.close()
  }

  @Test("get a new access token when the old one has ended")
  func renewal() async throws {
    let clock = Lock(Date().timeIntervalSince1970)
    let now: @Sendable () -> Double = { clock.withLock { $0 } }
    let bench = try await Bench(now: now)
    let access = try bench.access(now: now)
    try await access.renew()
    clock.withLock { $0 += 3700 }
    #expect(try await bench.send(["good2"], access: access).accepted == 1)
    #expect(bench.double.records.map(\.status).contains(401))
    await bench.double.close()
  }

  @Test("are not sent by an account that the server of access tokens refuses")
  func refusedAccount() async throws {
    let bench = try await Bench(email: "b@shop")
    let error = await #expect(throws: PushError.self) { try await bench.access().renew() }
    #expect(error?.diagnostic.id == "push-access-refused")
    await bench.double.close()
  }
}
