import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatch

@Suite("Who gets a patch") struct RolloutDecisionTests {
  static func refusal(_ rollout: Rollout, _ device: DeviceFacts = Sample.device, at time: Date = Sample.start)
    -> TrustError?
  {
    rollout.decision(for: device, at: time).refusal
  }

  @Test("at 100 % without rules everybody in the app's version and channel, and every check is told")
  func everybody() throws {
    let decision = try Sample.rollout("3").decision(for: Sample.device, at: Sample.start)
    #expect(decision.isOffered)
    #expect(decision.reasons.map(\.check) == [.state, .channel, .appVersion, .denied, .allowed, .bucket])
    #expect(decision.reasons.filter { !$0.holds }.map(\.check) == [.allowed])
  }

  @Test("refusal 39: a document of another app decides nothing")
  func otherApp() throws {
    var device = Sample.device
    device.app = "com.example.bank"
    let document = try Sample.document(try Sample.rollout("3"))
    let error = #expect(throws: TrustError.self) { try document.offers(for: device, at: Sample.start) }
    #expect(error?.identifier == "patch-other-app")
    #expect(error?.code.exit == .notPermitted)
    #expect(throws: TrustError.self) { try document.decisions(for: device, at: Sample.start) }
  }

  @Test(
    "refusal 40: an app whose version is outside the range, or is none, gets nothing", arguments: ["7.9", "9.0", "x"])
  func appVersion(_ version: String) throws {
    var device = Sample.device
    device.appVersion = version
    let error = try #require(Self.refusal(try Sample.rollout("3"), device))
    #expect(error.identifier == "patch-app-version")
    #expect(error.code.exit == .notPermitted)
  }

  @Test("refusal 41: an app on another channel gets nothing")
  func channel() throws {
    var device = Sample.device
    device.channel = "beta"
    let error = try #require(Self.refusal(try Sample.rollout("3"), device))
    #expect(error.identifier == "patch-channel")
    #expect(error.code.exit == .notPermitted)
  }

  @Test("refusal 42: who is denied, outside the percentage or the rules gets nothing, nor anybody of what does not run")
  func notForThisDevice() throws {
    var denied = try Sample.rollout("3")
    denied.deny = [RolloutBucket.listed("user-1", salt: denied.salt)]
    denied.allow = denied.deny
    #expect(Self.refusal(denied)?.identifier == "patch-not-for-this-device")
    #expect(Self.refusal(denied)?.values["reason"] == "denied")
    #expect(denied.isWithdrawn(from: Sample.device))

    let none = try Sample.rollout("3", percent: 0)
    #expect(Self.refusal(none)?.values["reason"] == "bucket")

    var ruled = try Sample.rollout("3")
    ruled.rules = [try RolloutRule("city equals Shanghai")]
    #expect(Self.refusal(ruled)?.values["reason"] == "rule")

    for (state, identifier) in [
      (Rollout.State.paused, "rollout-paused"), (.halted, "rollout-halted"), (.killed, "rollout-killed"),
      (.superseded, "rollout-superseded"),
    ] {
      var stopped = try Sample.rollout("3")
      stopped.allow = [RolloutBucket.listed("user-1", salt: stopped.salt)]
      stopped.state = state
      #expect(Self.refusal(stopped)?.identifier == identifier)
      #expect(Self.refusal(stopped)?.code.exit == .notPermitted)
      #expect(stopped.isWithdrawn(from: Sample.device) == (state == .halted || state == .killed))
    }
  }

  @Test("who is on the allow list passes rules, window and percentage, not app version and channel")
  func allowed() throws {
    var rollout = try Sample.rollout("3", percent: 0)
    rollout.stage = .list
    rollout.rules = [try RolloutRule("city equals Shanghai")]
    #expect(Self.refusal(rollout)?.values["reason"] == "allowed")
    rollout.allow = [RolloutBucket.listed("user-1", salt: rollout.salt)]
    #expect(Self.refusal(rollout) == nil)
    var old = Sample.device
    old.appVersion = "7.0"
    #expect(Self.refusal(rollout, old)?.identifier == "patch-app-version")
  }

  @Test("the time window takes as many as it says, from its start to before its end")
  func window() throws {
    var rollout = try Sample.rollout("3")
    rollout.stage = .window
    rollout.window = Rollout.Window(
      start: Sample.start, end: Sample.start + 3600, users: 1_000, population: 10_000)
    let users = (0..<10_000).map { number in
      var device = Sample.device
      device.id = "user-\(number)"
      return device
    }
    let taken = users.count { Self.refusal(rollout, $0) == nil }
    #expect((900...1_100).contains(taken))
    for time in [Sample.start - 1, Sample.start + 3600] {
      #expect(users.allSatisfy { Self.refusal(rollout, $0, at: time) != nil })
    }
    let lucky = try #require(users.first { Self.refusal(rollout, $0) == nil })
    #expect(Self.refusal(rollout, lucky, at: Sample.start + 3600)?.values["reason"] == "window")
  }

  @Test(
    "rules compare as mPaaS does",
    arguments: [
      ("city contains zhou", true), ("city contains shang", false), ("city equals HANGZHOU", true),
      ("city in Shanghai|Hangzhou", true), ("city in Shanghai|Hang", false), ("model contains iPhone16", true),
      ("network equals 5g", false), ("os_version version >=17,<18", true), ("os_version version >=17.5", false),
      ("os_version version 16|17.4.0", true), ("city version >=1", false),
    ])
  func rules(_ text: String, _ holds: Bool) throws {
    let rule = try RolloutRule(text)
    #expect(rule.holds(for: Sample.device) == holds)
    #expect(rule.description == text)
    let unknown = DeviceFacts(id: "user-1", app: Sample.app, appVersion: "8.1.0")
    #expect(!rule.holds(for: unknown))
  }

  @Test(
    "a rule that cannot be understood is refused",
    arguments: ["", "city", "city in", "town in Hangzhou", "city like H", "os_version version new"])
  func malformedRule(_ text: String) {
    let error = #expect(throws: TrustError.self) { try RolloutRule(text) }
    #expect(error?.identifier == "rollout-rule-malformed")
  }

  @Test("of each patch the newest version that is offered comes, an older one where the newest is not for the device")
  func offers() throws {
    var document = try Sample.document(
      try Sample.rollout("1", patch: "login"), try Sample.rollout("1"), try Sample.rollout("2", percent: 0))
    #expect(try document.offers(for: Sample.device, at: Sample.start).map(\.patch) == ["login"])
    _ = try document.rollBack(
      patch: "cart", channel: "release", to: DottedVersion("1"), reason: "bad", at: Sample.start)
    let offers = try document.offers(for: Sample.device, at: Sample.start)
    #expect(offers.map { "\($0.patch) \($0.version)" } == ["cart 1", "login 1"])
    let decisions = try document.decisions(for: Sample.device, at: Sample.start)
    #expect(decisions.map { "\($0.patch) \($0.version)" } == ["cart 2", "cart 1", "login 1"])
  }
}
