import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatchTools

@Suite("Publishing into a repository") struct RolloutPublisherTests {
  @Test("what is published reaches a client by the repository alone, and a rollback too")
  func endToEnd() throws {
    let repository = try PublishedRepository()
    #expect(try repository.start().running == nil)
    #expect(try repository.publish("1").isComplete)
    #expect(try repository.start().running == "1")
    try repository.publish("2")
    #expect(try repository.start().running == "2")
    try repository.change { document throws(TrustError) in
      _ = try document.rollBack(
        patch: "cart", channel: "release", to: DottedVersion("1"), reason: "wrong", at: Date())
    }
    let after = try repository.start()
    #expect(after.refusals == [])
    #expect(try repository.start().running == "1")
    #expect(try repository.publisher.documents().map(\.app) == [Sample.app])
    var check = RepositoryCheck(repository.editor.folder, now: Date())
    try check.run()
    #expect(check.findings.filter { $0.severity != .advice }.isEmpty)
  }

  @Test("while signatures of others are missing the document waits, and the same call goes on where it stopped")
  func waits() throws {
    let repository = try PublishedRepository(people: 3, threshold: 2)
    let one = try repository.publish("1", keys: [repository.offline[0], repository.online])
    #expect(!one.isComplete)
    #expect(try repository.publisher.document(app: Sample.app) == nil)
    #expect(try repository.start().running == nil)
    let two = try repository.publish("1", keys: [repository.offline[1], repository.online])
    #expect(two.isComplete)
    #expect(try repository.start().running == "1")
  }

  @Test("the same bundle can be published again, one of other content cannot, and none that was withdrawn")
  func again() throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let (publisher, app) = (repository.publisher, Sample.app)
    let manifest = try PublishedRepository.manifest("1")
    let same = Rollout(manifest, bundle: PublishedRepository.bundle("1"), basisPoints: 100)
    let other = Rollout(manifest, bundle: PublishedRepository.bundle("2"), basisPoints: 100)
    try publisher.checkPublication(of: same, app: app)
    #expect(try publisher.document(app: app)?.index(ofSame: same) == 0)
    #expect(try publisher.document(app: app)?.index(ofSame: other) == nil)
    #expect(throws: TrustError(.patchVersionChanged, ["patch": "cart", "version": "1", "known": "1"])) {
      try publisher.checkPublication(of: other, app: app)
    }
    try repository.change { document throws(TrustError) in
      _ = try document.rollBack(patch: "cart", channel: "release", to: nil, reason: "bad", at: Date())
    }
    let withdrawn = #expect(throws: TrustError.self) { try publisher.checkPublication(of: same, app: app) }
    #expect(withdrawn?.identifier == "rollout-state")
    try repository.publish("2")
    let lower = #expect(throws: TrustError.self) { try publisher.checkPublication(of: other, app: app) }
    #expect(lower?.identifier == "patch-version-lower")
  }

  @Test("refusal 43: a document that names what targets does not list is not published, and clients refuse one")
  func notInTargets() throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let forged = Rollout(
      try PublishedRepository.manifest("2"), bundle: PublishedRepository.bundle("2"), basisPoints: 10_000)
    let error = #expect(throws: TrustError.self) {
      try repository.change { document throws(TrustError) in
        try document.publish(forged, reason: "", at: Date())
      }
    }
    #expect(error?.identifier == "rollout-not-in-targets")
    // A thief of the director's key publishes it all the same.
    var document = try #require(try repository.publisher.document(app: Sample.app))
    try document.publish(forged, reason: "", at: Date())
    let bytes = try document.encoded()
    _ = try repository.editor.edit(keys: [repository.online]) { draft throws(TrustError) in
      try draft.add(.bytes(bytes), as: RolloutDocument.path(app: Sample.app))
    }
    let outcome = try repository.start()
    #expect(outcome.refusals == ["rollout-not-in-targets"])
    #expect(outcome.running == nil)
  }

  @Test("refusal 31: another bundle under a version that was published is refused")
  func changedBundle() throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    let before = try repository.publisher.document(app: Sample.app)
    let error = #expect(throws: TrustError.self) {
      try repository.publisher.add(
        Bytes(Array("cart 1 ".utf8)), try PublishedRepository.manifest("1"), keys: repository.keys)
    }
    #expect(error?.identifier == "patch-version-changed")
    #expect(try repository.publisher.document(app: Sample.app) == before)
  }

  @Test("refusal 34: with the clock set back nothing new is taken, and what is installed runs")
  func clockSetBack() throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    #expect(try repository.start(now: { Date() + 3600 }).running == "1")
    try repository.publish("2")
    let outcome = try repository.start(now: { Date() })
    #expect(outcome.refusals == ["clock-set-back"])
    #expect(outcome.running == "1")
  }

  @Test("expired metadata stops new installs, not the running patch")
  func expired() throws {
    let repository = try PublishedRepository()
    try repository.publish("1")
    #expect(try repository.start().running == "1")
    let outcome = try repository.start(now: { Date() + 40 * 86_400 })
    #expect(outcome.running == "1")
    #expect(outcome.refusals.count == 1)
    #expect(outcome.refusals.first?.hasSuffix("expired") == true || outcome.refusals == ["timestamp-frozen"])
  }

  @Test("crash totals are read strictly, and halt by the rate that they tell")
  func totals() throws {
    func read(_ text: String) throws -> CrashTotals {
      try Array(text.utf8).withUnsafeBytes { try CrashTotals(reading: $0) }
    }
    let patches = #""patches":[{"patch":"cart","version":"1","sessions":1200,"crashes":30}]"#
    let totals = try read(#"{"baseline":{"sessions":100000,"crashes":200},\#(patches)}"#)
    #expect(totals.baseline == 2009)
    #expect(try read(#"{"baseline":{"per_million":2000},"patches":[]}"#).baseline == 2000)
    var document = try Sample.document(try Sample.rollout("1"))
    let halted = try document.record(totals, reason: "r", at: Sample.start)
    #expect(halted.map(\.version.text) == ["1"])
    // The number of devices is not told: that is not enough to stop it everywhere.
    #expect(document.rollouts[0].state == .paused)
    for text in [
      "", "[]", "{}", #"{"baseline":{"sessions":1,"crashes":2},"patches":[]}"#,
      #"{"baseline":{"per_million":1},"patches":[{"patch":"c","version":"1","sessions":1,"crashes":2}]}"#,
    ] {
      let error = #expect(throws: TrustError.self) { try read(text) }
      #expect(error?.identifier == "crash-totals-malformed")
    }
  }

  @Test("users are on one list at a time, and stand there without their names")
  func lists() throws {
    var rollout = try Sample.rollout("1", percent: 0)
    var changes = RolloutChanges(reason: "")
    changes.deny = ["user-1"]
    changes.basisPoints = 250
    changes.apply(to: &rollout)
    #expect(rollout.isWithdrawn(from: Sample.device))
    #expect(rollout.basisPoints == 250)
    changes.deny = []
    changes.allow = ["user-1", "user-2"]
    changes.apply(to: &rollout)
    #expect(rollout.deny.isEmpty)
    #expect(rollout.allow.count == 2)
    #expect(!rollout.allow.joined().contains("user"))
  }
}
