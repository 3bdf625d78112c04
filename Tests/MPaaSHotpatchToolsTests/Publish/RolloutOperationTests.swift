import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatchTools

@Suite("The operations of a rollout") struct RolloutOperationTests {
  let repository: PublishedRepository
  var publisher: RolloutPublisher { repository.publisher }

  init() throws {
    repository = try PublishedRepository()
  }

  /// A bundle that is valid now, and who verifies it.
  static func bundle(_ version: String) throws -> (bytes: Bytes, verifier: BundleVerifier) {
    var sample = try BundleSample()
    sample.manifest.version = try #require(DottedVersion(version))
    sample.manifest.issued = Date() - 3600
    sample.manifest.expires = Date() + 86_400
    return (Bytes(try sample.bundle()), sample.verifier)
  }

  @Test("a bundle begins with one user in a hundred, and the same call changes what is asked to be otherwise")
  func publish() throws {
    let (bytes, verifier) = try Self.bundle("1.2")
    let first = try publisher.publish(bytes, verifiedBy: verifier, RolloutChanges(reason: "new")) { repository.keys }
    #expect(first.outcome.isComplete)
    #expect(first.rollout.basisPoints == 100)
    #expect(first.superseded == [])
    var changes = RolloutChanges(reason: "more")
    changes.basisPoints = 2500
    let second = try publisher.publish(bytes, verifiedBy: verifier, changes) { repository.keys }
    #expect(second.rollout.basisPoints == 2500)
    #expect(second.documentVersion > first.documentVersion)
    #expect(try publisher.document(app: Sample.app)?.rollouts.count == 1)
  }

  @Test("a newer version takes the place of the older one, and says so")
  func supersedes() throws {
    for version in ["1.2", "1.3"] {
      let (bytes, verifier) = try Self.bundle(version)
      let change = try publisher.publish(bytes, verifiedBy: verifier, RolloutChanges(reason: "")) { repository.keys }
      #expect(change.superseded == (version == "1.3" ? ["cart 1.2"] : []))
    }
  }

  @Test("keys are opened only for a bundle that has passed")
  func opensKeysLast() throws {
    let (bytes, _) = try Self.bundle("1.2")
    let (_, stranger) = try Self.bundle("1.2")
    var isOpened = false
    #expect(throws: TrustError.self) {
      try publisher.publish(bytes, verifiedBy: stranger, RolloutChanges(reason: "")) {
        isOpened = true
        return repository.keys
      }
    }
    #expect(!isOpened)
    #expect(try publisher.document(app: Sample.app) == nil)
  }

  @Test("while signatures are missing the document waits")
  func waits() throws {
    let repository = try PublishedRepository(people: 2, threshold: 2)
    let (bytes, verifier) = try Self.bundle("1.2")
    let change = try repository.publisher.publish(bytes, verifiedBy: verifier, RolloutChanges(reason: "")) {
      [repository.offline[0], repository.online]
    }
    #expect(!change.outcome.isComplete)
    #expect(change.documentVersion == 0)
  }

  @Test("halt stops new installs or all, and resume lets them go on")
  func halt() throws {
    try repository.publish("1")
    try repository.publish("2")
    let paused = try publisher.halt(RolloutChoice(), .installs, reason: "looking") { [repository.online] }
    #expect(paused.rollout.state == .paused)
    #expect(paused.rollout.version.text == "2")
    let halted = try publisher.halt(RolloutChoice(patch: "cart"), .everywhere, reason: "bad") { [repository.online] }
    #expect(halted.rollout.state == .halted)
    let resumed = try publisher.change(RolloutChoice(), RolloutChanges(reason: "good"), .resume) {
      [repository.online]
    }
    #expect(resumed.rollout.state == .running)
    #expect(resumed.rollout.history.last?.reason == "good")
  }

  @Test("rolling back goes to the version before, to one that is named, or to none")
  func rollBack() throws {
    try repository.publish("1")
    try repository.publish("2")
    try repository.publish("3")
    let back = try publisher.rollBack(RolloutChoice(), to: nil, reason: "") { [repository.online] }
    #expect(back.affected == ["cart 3"])
    #expect(back.rollout.version.text == "2")
    let named = try publisher.rollBack(RolloutChoice(), to: "1", reason: "") { [repository.online] }
    #expect(named.affected == ["cart 2"])
    let all = try publisher.rollBack(RolloutChoice(), to: "none", reason: "") { [repository.online] }
    #expect(all.affected == ["cart 1"])
    let error = #expect(throws: TrustError.self) {
      try publisher.rollBack(RolloutChoice(), to: "one", reason: "") { [repository.online] }
    }
    #expect(error?.identifier == "patch-version-malformed")
  }

  @Test("an app need not be named where the repository has rollouts of one only")
  func app() throws {
    let unknown = #expect(throws: TrustError.self) { try publisher.app(of: RolloutChoice()) }
    #expect(unknown?.identifier == "rollout-unknown")
    try repository.publish("1")
    #expect(try publisher.app(of: RolloutChoice()) == Sample.app)
    #expect(try publisher.app(of: RolloutChoice(app: "com.example.other")) == "com.example.other")
  }

  @Test("looking at totals, at the history and at what a device would get writes nothing")
  func reading() throws {
    try repository.publish("1")
    try repository.publish("2")
    let before = try publisher.document(app: Sample.app)
    let text =
      #"{"baseline":{"per_million":2000},"patches":[{"patch":"cart","version":"2","sessions":1200,"crashes":30}]}"#
    let totals = try Array(text.utf8).withUnsafeBytes { try CrashTotals(reading: $0) }
    let documents = try publisher.documents(app: Sample.app) { totals }
    #expect(documents.first?.rollouts.last?.state == .paused)
    let (app, events) = try publisher.history(of: RolloutChoice(version: "1"))
    #expect(app == Sample.app)
    #expect(events.map(\.change.kind) == [.published, .superseded])
    var device = DeviceDescription(id: "user-1")
    device.appVersion = "8.1.0"
    let forecast = try publisher.forecast(for: device, RolloutChoice(), after: RolloutChanges(reason: ""))
    #expect(forecast.offers.map(\.version.text) == ["2"])
    #expect(forecast.facts.channel == "release")
    #expect(try publisher.document(app: Sample.app) == before)
    let error = #expect(throws: TrustError.self) { try publisher.documents(app: "com.example.other") }
    #expect(error?.identifier == "rollout-unknown")
  }

  @Test("the keys that sign are those that are named, each for a role that publishing needs")
  func sealedKeys() throws {
    let store = KeyStore(folder: repository.home.path + "/config/keys")
    #expect(try publisher.sealedKeys(["online"], of: store).map(\.name) == ["online"])
    let none = #expect(throws: TrustError.self) { try publisher.sealedKeys([], of: store) }
    #expect(none?.identifier == "rollout-no-key")
    _ = try store.generate("patches", roles: [.patches], passphrase: nil)
    let other = #expect(throws: TrustError.self) { try publisher.sealedKeys(["patches"], of: store) }
    #expect(other?.identifier == "key-not-for-role")
  }

  @Test(
    "a percentage has at most two decimals and is at most a hundred",
    arguments: [
      ("12.5", 1250), ("100%", 10_000), ("0", 0), ("0.01", 1), ("101", nil), ("100.01", nil), ("1.234", nil),
      ("1.", nil), ("-1", nil), ("", nil),
    ] as [(String, Int?)])
  func percentage(_ text: String, _ basisPoints: Int?) {
    #expect(RolloutBucket.basisPoints(ofPercentage: text) == basisPoints)
  }

  @Test("a window is shorter than seven days, and for some of some users")
  func window() throws {
    let start = Sample.start
    let window = try Rollout.Window(from: start, to: start + 86_400, users: 5, of: 100, named: "w")
    #expect(window.basisPoints == 500)
    for (end, users, population) in [
      (start + 7 * 86_400, 1, 2), (start, 1, 2), (start + 60, nil, 2), (start + 60, 1, 0),
    ] as [(Date, Int?, Int?)] {
      #expect(throws: TrustError(.rolloutWindow, ["value": "w"])) {
        try Rollout.Window(from: start, to: end, users: users, of: population, named: "w")
      }
    }
  }

  @Test("identifiers stand one a line in a file")
  func identifiers() throws {
    let path = repository.home.path + "/testers"
    try Data("one\r\n\ntwo\n".utf8).write(to: URL(filePath: path))
    #expect(try RolloutChanges.identifiers(in: path) == ["one", "two"])
    #expect(try RolloutChanges.identifiers(in: nil) == [])
  }

  @Test("totals are signed from file to file, and read by the keys of the role statistics")
  func signedTotals() throws {
    let store = KeyStore(folder: repository.home.path + "/config/keys")
    let role = try #require(KeyRole.statistics)
    _ = try store.generate("counter", roles: [role], passphrase: nil)
    let (file, signed) = (repository.home.path + "/totals.json", repository.home.path + "/totals.dsse.json")
    let text = """
      {"schema":"mpaas-crash-totals/2","app":"\(Sample.app)","counted":"\(MetadataTime.text(Date() - 10))",\
      "population":100000,"baseline":{"per_million":2000},"patches":[]}
      """
    try Data(text.utf8).write(to: URL(filePath: file))
    let key = try store.signingKey("counter", for: role, passphrase: nil)
    #expect(try CrashTotals.sign(file: file, into: signed) { [key] } == [key.verificationKey.keyID])
    #expect(try CrashTotals(signedFile: signed, byKeys: [], of: store).isAuthenticated)
    #expect(try CrashTotals(signedFile: signed, byKeys: ["counter"], of: store).app == Sample.app)
    #expect(throws: TrustError.self) { try CrashTotals(signedFile: signed, byKeys: ["online"], of: store) }
    #expect(try !CrashTotals(shownFile: file, byKeys: [], of: store).isAuthenticated)
    let unsigned = #expect(throws: TrustError.self) { try CrashTotals(signedFile: file, byKeys: [], of: store) }
    #expect(unsigned?.identifier == "crash-totals-unsigned")
  }
}
