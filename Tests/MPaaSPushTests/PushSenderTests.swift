import Foundation
import MPaaSLock
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The sender of notifications") struct PushSenderTests {
  @Test("delivers each notification once, over one stream until the first answer, then as many as are allowed")
  func streams() async throws {
    let bench = try await DoubleBench(tokens: 200) {
      $0.behavior.streams = 7; $0.behavior.latency = 1
    }
    let outcomes = try await bench.send(200)
    #expect(outcomes.accepted == 200)
    #expect(bench.delivered.all.sorted() == (0..<200).map(DoubleBench.token))
    #expect((2...7).contains(bench.double.mostRequests))
    let times = bench.double.records.map(\.time)
    #expect(times[1] - times[0] >= 0.001)
    // All were sent with one provider token and over one connection.
    #expect(Set(bench.double.records.map(\.connection)) == [1])
    await bench.double.close()
  }

  @Test("follows a limit that the server lowers and raises while it is at work")
  func changingLimit() async throws {
    let bench = try await DoubleBench(tokens: 600) {
      $0.behavior.streams = 50; $0.behavior.latency = 1
    }
    let changes = Task {
      for streams in [3, 100, 1, 40] {
        try await Task.sleep(for: .milliseconds(5))
        bench.double.behavior.streams = streams
      }
    }
    let outcomes = try await bench.send(600)
    try await changes.value
    #expect(outcomes.accepted == 600)
    #expect(Set(bench.delivered.all).count == 600)
    #expect(bench.delivered.all.count == 600)
    await bench.double.close()
  }

  @Test("loses none and repeats none when connections end again and again with GOAWAY", arguments: [0, 2])
  func goAway(latency: Int) async throws {
    // With MPAAS_FUZZ_ROUNDS=100000 a hundred times.
    let (count, times) = SeededRandom.rounds(or: 0) >= 1000 ? (SeededRandom.rounds(or: 0), 100) : (1000, 20)
    let bench = try await DoubleBench(tokens: count) {
      $0.behavior.goAwayAfter = count / times
      $0.behavior.latency = latency
    }
    var options = DoubleBench.options
    options.connections = 2
    let outcomes = try await bench.send(count, options: options)
    #expect(outcomes.accepted == count)
    #expect(outcomes.all.values.allSatisfy { $0.count == 1 })
    #expect(bench.delivered.all.sorted() == (0..<count).map(DoubleBench.token))
    #expect(try #require(bench.double.records.last).connection >= times - 1)
    await bench.double.close()
  }

  @Test("lists what was never answered as unknown, and sends none of it again")
  func unknown() async throws {
    let bench = try await DoubleBench(tokens: 100) {
      $0.behavior.goAwayAfter = 30
      $0.behavior.dropsAtGoAway = true
      $0.behavior.latency = 2
    }
    let outcomes = try await bench.send(100)
    #expect(outcomes.all.count == 100)
    #expect(outcomes.unknown > 0)
    #expect(outcomes.accepted + outcomes.unknown == 100)
    // The double took each once, though it did not answer all.
    #expect(bench.delivered.all.sorted() == (0..<100).map(DoubleBench.token))
    await bench.double.close()
  }

  @Test("tries again after 429, 500 and 503 only, as often as it may, and not before Retry-After")
  func backoff() async throws {
    let bench = try await DoubleBench(tokens: 4) {
      $0.behavior.answers = [
        DoubleBench.token(0): [.tooManyRequests, .internalServerError, .serviceUnavailable],
        DoubleBench.token(1): [.badCollapseID],
        DoubleBench.token(2): Array(repeating: .internalServerError, count: 9),
      ]
    }
    let outcomes = try await bench.send(4)
    #expect(outcomes.accepted == 2)
    #expect(
      outcomes.failures == [
        PushFailure(status: 400, reason: "BadCollapseId"), PushFailure(status: 500, reason: "InternalServerError"),
      ])
    let ids = bench.double.records.filter { $0.path.hasSuffix(DoubleBench.token(2)) }.map(\.id)
    #expect(ids.count == 5)
    #expect(Set(ids).count == 1, "an attempt has the ID of the first")
    await bench.double.close()

    var patient = PushBackoff()
    patient.first = 1
    #expect(patient.wait(after: 1, retryAfter: 7, jitter: 0) == 7)
    #expect((1...7).map { patient.wait(after: $0, retryAfter: nil, jitter: 1) } == [1, 2, 4, 8, 16, 32, 60])
    #expect(patient.wait(after: 40, retryAfter: nil, jitter: 0) == 30)
  }

  @Test("stops at the first refusal of its key, without a request for each token")
  func refusedKey() async throws {
    let bench = try await DoubleBench(tokens: 50)
    let other = try ProviderKey(pem: DoubleBench.newKey(), keyID: DoubleBench.keyID, teamID: DoubleBench.team)
    let outcomes = try await bench.send(50, key: other)
    #expect(outcomes.failures == Array(repeating: PushFailure(status: 403, reason: "InvalidProviderToken"), count: 50))
    #expect(bench.double.records.count == 1)
    await bench.double.close()
  }

  @Test("makes a new token when the server finds the old one expired, and sends the notification again")
  func expiredToken() async throws {
    // The server's clock is 45 minutes ahead of a token that is 30 minutes old.
    let start = Date().timeIntervalSince1970
    let clock = Lock(start)
    let bench = try await DoubleBench(tokens: 2, time: start + 4500)
    let tokens = ProviderTokens(bench.key) { clock.withLock { $0 } }
    let old = try tokens.token()
    clock.withLock { $0 += 1800 }
    let provider = try APNsProvider([bench.notification], tokens: tokens) { 0 }
    let sender = PushSender(
      provider, to: try PushAddress(bench.double.url), trust: try bench.trust, options: DoubleBench.options)
    let outcomes = DoubleBench.Outcomes()
    try await sender.send((0..<2).map { PushJob(number: $0, token: DoubleBench.token($0)) }) { outcomes.add($0) }
    #expect(outcomes.accepted == 2)
    #expect(bench.double.records.map(\.status) == [403, 200, 200])
    #expect(try tokens.token() != old)
    await bench.double.close()
  }

  @Test("tells what is wrong with a server that cannot be reached or trusted, and sends nothing")
  func unreachable() async throws {
    let bench = try await DoubleBench()
    let provider = try APNsProvider([bench.notification], tokens: ProviderTokens(bench.key) { 0 }) { 0 }
    var options = DoubleBench.options
    options.backoff.attempts = 2
    let untrusted = PushSender(
      provider, to: try PushAddress(bench.double.url), trust: try PushTrust(authorities: nil), options: options)
    await bench.expectUnreachable(untrusted)
    await bench.double.close()
    let closed = PushSender(
      provider, to: try PushAddress(bench.double.url), trust: try bench.trust, options: options)
    await bench.expectUnreachable(closed)
    #expect(bench.double.records.isEmpty)
  }

  @Test("counts a notification as unknown when the server keeps silent")
  func silence() async throws {
    let bench = try await DoubleBench(tokens: 1) { $0.behavior.latency = 60_000 }
    var options = DoubleBench.options
    options.patience = 0.02
    let outcomes = try await bench.send(1, options: options)
    #expect(outcomes.all == [0: [.unknown("NoAnswer")]])
    await bench.double.close()
  }

  @Test("leaves a connection whose server allows no stream any more, so that each notification comes to an end")
  func noStreams() async throws {
    let bench = try await DoubleBench(tokens: 2) { $0.behavior.streams = 0 }
    var options = DoubleBench.options
    (options.patience, options.backoff.attempts) = (0.02, 2)
    let outcomes = try await bench.send(2, options: options)
    #expect(outcomes.all.mapValues(\.count) == [0: 1, 1: 1])
    await bench.double.close()
  }

  @Test("keeps to a rate")
  func rate() async throws {
    let bench = try await DoubleBench(tokens: 20)
    var options = DoubleBench.options
    options.rate = 500
    _ = try await bench.send(20, options: options)
    let times = bench.double.records.map(\.time)
    let (first, last) = try (#require(times.first), #require(times.last))
    #expect(last - first >= 0.03)
    await bench.double.close()
  }
}

extension DoubleBench {
  func expectUnreachable(_ sender: PushSender) async {
    let outcomes = Outcomes()
    let error = await #expect(throws: PushError.self) {
      try await sender.send([PushJob(number: 0, token: Self.token(0))]) { outcomes.add($0) }
    }
    #expect(error?.diagnostic.id == "push-unreachable")
    #expect(outcomes.all.isEmpty)
  }
}
