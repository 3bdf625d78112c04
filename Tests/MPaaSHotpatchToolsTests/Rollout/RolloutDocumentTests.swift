import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatchTools

@Suite("The rollout document") struct RolloutDocumentTests {
  static func full() throws -> RolloutDocument {
    var rollout = try Sample.rollout("3", percent: 10)
    rollout.allow = [RolloutBucket.listed("tester", salt: rollout.salt)]
    rollout.rules = [try RolloutRule("city in Hangzhou|Shanghai"), try RolloutRule("os_version version >=17,<18")]
    rollout.stage = .window
    rollout.window = Rollout.Window(
      start: Sample.start, end: Sample.start + 86_400, users: 500, population: 100_000)
    var document = try Sample.document(try Sample.rollout("2"), rollout)
    _ = document.record(
      sessions: 100, crashes: 1, baseline: 2000, of: 1, reason: "crashes", at: Sample.start + 10)
    return document
  }

  @Test("is read as it was written, and canonical")
  func roundTrip() throws {
    let document = try Self.full()
    let bytes = try document.encoded()
    #expect(try Sample.read(bytes) == document)
    #expect(document.rollouts[0].state == .superseded)
    #expect(document.version == 4)
  }

  @Test("of a text that is not the canonical spelling, or has a member that is not known, nothing is read")
  func strict() throws {
    let text = String(decoding: try Self.full().encoded(), as: UTF8.self)
    let changes = [
      text + "\n", " " + text, text.replacingOccurrences(of: "\"version\":4", with: "\"version\":4.0"),
      text.replacingOccurrences(of: "\"version\":4", with: "\"version\":4,\"version\":4"),
      text.replacingOccurrences(of: "\"app\":", with: "\"aaa\":1,\"app\":"),
      text.replacingOccurrences(of: "\"basis_points\":1000", with: "\"basis_points\":10001"),
      text.replacingOccurrences(of: "\"basis_points\":1000", with: "\"basis_points\":-1"),
      text.replacingOccurrences(of: "\"state\":\"running\"", with: "\"state\":\"walking\""),
      text.replacingOccurrences(of: "patches/com.example.shop/cart-3", with: "patches/com.example.bank/cart-3"),
      text.replacingOccurrences(of: "com.example.shop", with: "../shop"),
      text.replacingOccurrences(of: "\"sessions\":100", with: "\"sessions\":0"),
    ]
    for change in changes {
      #expect(change != text)
      let error = #expect(throws: TrustError.self) { try Sample.read(Array(change.utf8)) }
      #expect(error?.identifier == "rollout-malformed")
    }
  }

  @Test("mutated texts give an error or a document, never a crash")
  func fuzz() throws {
    let bytes = try Self.full().encoded()
    var random = SeededRandom(seed: 7)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !mutated.isEmpty {
        let place = Int.random(in: 0..<mutated.count, using: &random)
        switch random.next() % 4 {
        case 0: mutated[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: mutated.remove(at: place)
        case 2: mutated.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: mutated.removeLast(mutated.count - place)
        }
      }
      if let document = try? Sample.read(mutated) { #expect(try document.encoded() == mutated) }
    }
  }

  @Test("refusal 43: what targets does not list, or lists with other bytes, is refused; what is killed may be gone")
  func notInTargets() throws {
    var document = try Sample.document(try Sample.rollout("2"), try Sample.rollout("3"))
    let files = Dictionary(
      uniqueKeysWithValues: document.rollouts.map {
        ($0.target.path, TargetFile(length: $0.target.length, digests: FileDigests(sha256: $0.target.sha256)))
      })
    try document.check { (name) throws(TrustError) in files[name] }
    var other = files
    other["patches/com.example.shop/cart-3.mpatch"]?.length += 1
    var changed = files
    changed["patches/com.example.shop/cart-3.mpatch"]?.digests = FileDigests(sha256: Sample.digest(1))
    var missing = files
    missing["patches/com.example.shop/cart-3.mpatch"] = nil
    for targets in [other, changed, missing] {
      let error = #expect(throws: TrustError.self) {
        try document.check { (name) throws(TrustError) in targets[name] }
      }
      #expect(error?.identifier == "rollout-not-in-targets")
      #expect(error?.code.exit == .notPermitted)
    }
    _ = try document.rollBack(
      patch: "cart", channel: "release", to: DottedVersion("2"), reason: "bad", at: Sample.start)
    try document.check { (name) throws(TrustError) in missing[name] }
  }

  @Test("a new version takes the place of one on its way, and a halted one does not come back")
  func supersede() throws {
    var document = try Sample.document(try Sample.rollout("1"))
    try document.publish(try Sample.rollout("2", percent: 1), reason: "first", at: Sample.start)
    try document.halt(1, reason: "crashes", at: Sample.start)
    try document.publish(try Sample.rollout("3", percent: 1), reason: "second", at: Sample.start)
    #expect(document.rollouts.map(\.state) == [.superseded, .killed, .running])
    #expect(document.rollouts[1].history.map(\.kind) == [.published, .halted, .killed])
    let lower = #expect(throws: TrustError.self) {
      try document.publish(try Sample.rollout("2.5"), reason: "", at: Sample.start)
    }
    #expect(lower?.identifier == "patch-version-lower")
    let same = #expect(throws: TrustError.self) {
      try document.publish(try Sample.rollout("3"), reason: "", at: Sample.start)
    }
    #expect(same?.identifier == "rollout-published")
    #expect(same?.code.exit == .negative)
    var other = try Sample.rollout("3")
    other.target.sha256 = Sample.digest(9)
    let changed = #expect(throws: TrustError.self) { try document.publish(other, reason: "", at: Sample.start) }
    #expect(changed?.identifier == "patch-version-changed")
    #expect(changed?.code.exit == .notPermitted)
    // A rollout that was withdrawn is not changed any more; the others are.
    var changes = RolloutChanges(reason: "")
    changes.basisPoints = 500
    let killed = #expect(throws: TrustError.self) { try changes.apply(to: 1, of: &document, at: Sample.start) }
    #expect(killed?.identifier == "rollout-state")
    try changes.apply(to: 2, of: &document, at: Sample.start)
    #expect(document.rollouts[2].basisPoints == 500)
  }

  @Test("statistics halt a rollout once, and after it is resumed the crashes before do not count again")
  func halt() throws {
    var document = try Sample.document(try Sample.rollout("1"))
    let step1 = document.record(sessions: 1000, crashes: 3, baseline: 2000, of: 0, reason: "r", at: Sample.start)
    #expect(!step1)
    let step2 = document.record(sessions: 1200, crashes: 30, baseline: 2000, of: 0, reason: "r", at: Sample.start)
    #expect(step2)
    #expect(document.rollouts[0].state == .halted)
    let step3 = document.record(sessions: 1300, crashes: 31, baseline: 2000, of: 0, reason: "r", at: Sample.start)
    #expect(!step3)
    try document.resume(0, reason: "was the server", at: Sample.start)
    let step4 = document.record(sessions: 2300, crashes: 34, baseline: 2000, of: 0, reason: "r", at: Sample.start)
    #expect(!step4)
    #expect(document.rollouts[0].state == .running)
    let step5 = document.record(sessions: 2400, crashes: 70, baseline: 2000, of: 0, reason: "r", at: Sample.start)
    #expect(step5)
    let error = #expect(throws: TrustError.self) { try document.pause(0, reason: "", at: Sample.start) }
    #expect(error?.identifier == "rollout-state")
  }

  @Test("a rollback withdraws what is above its goal, or all, and says what; the goal runs again")
  func rollBack() throws {
    var document = try Sample.document(try Sample.rollout("1"), try Sample.rollout("2"), try Sample.rollout("3"))
    let withdrawn = try document.rollBack(
      patch: "cart", channel: "release", to: DottedVersion("1"), reason: "wrong totals", at: Sample.start)
    #expect(withdrawn.map(\.text) == ["2", "3"])
    #expect(document.rollouts.map(\.state) == [.running, .killed, .killed])
    #expect(document.rollouts[2].history.last?.reason == "wrong totals")
    let gone = #expect(throws: TrustError.self) {
      try document.rollBack(
        patch: "cart", channel: "release", to: DottedVersion("3"), reason: "", at: Sample.start)
    }
    #expect(gone?.identifier == "rollout-unknown")
    _ = try document.rollBack(patch: "cart", channel: "release", to: nil, reason: "all", at: Sample.start)
    #expect(document.rollouts.allSatisfy { $0.state == .killed })
  }

  @Test("a rollout is found by its patch, version or channel; several patches must be told apart")
  func index() throws {
    let document = try Sample.document(try Sample.rollout("1"), try Sample.rollout("2"))
    #expect(try document.index(patch: nil, version: nil, channel: nil) == 1)
    #expect(try document.index(patch: "cart", version: DottedVersion("1"), channel: nil) == 0)
    let two = try Sample.document(try Sample.rollout("1"), try Sample.rollout("1", patch: "login"))
    let error = #expect(throws: TrustError.self) { try two.index(patch: nil, version: nil, channel: nil) }
    #expect(error?.identifier == "rollout-ambiguous")
    #expect(error?.values["list"] == "cart (release), login (release)")
  }
}
