import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatch

@Suite("The boot state machine") struct ClientStateTests {
  static func installed(_ version: String, digest: Int, patch: String = "cart") throws -> ClientState.Installed {
    ClientState.Installed(
      patch: patch, version: try #require(DottedVersion(version)), channel: "release", sha256: Sample.digest(digest),
      length: 100)
  }

  /// A start of the app, that crashes or not, after one that ended as it was healthy or not.
  @discardableResult
  static func boot(
    _ state: inout ClientState, healthy: Bool, badEnd: RunEnd = .crashed
  ) -> [ClientState.BootEvent] {
    let events = state.beginBoot(after: state.pendingBoot?.isHealthy == true ? .quit : badEnd, at: Sample.start)
    state.recordBoot(of: state.runnable, at: Sample.start)
    if healthy { confirm(&state) }
    return events
  }

  static func confirm(_ state: inout ClientState) {
    guard let boot = state.pendingBoot else { return }
    state.confirmHealthy(.init(start: boot.number, digests: Set(boot.digests)))
  }

  static func healthyThenNew() throws -> ClientState {
    var state = ClientState()
    try state.install(try installed("1", digest: 1), isRollback: false)
    boot(&state, healthy: true)
    try state.install(try installed("2", digest: 2), isRollback: false)
    return state
  }

  @Test(
    "refusal 65: after two failed starts a version is known-bad, the last good one runs, and it is not installed again")
  func knownBad() throws {
    var state = try Self.healthyThenNew()
    Self.boot(&state, healthy: false)
    let events1 = Self.boot(&state, healthy: false)
    #expect(events1 == [.failed(inARow: 1)])
    let bad = try Self.installed("2", digest: 2)
    let events = Self.boot(&state, healthy: true)
    #expect(events.count == 2)
    guard case .knownBad(let marked, let replacement) = events.last else {
      Issue.record("nothing was marked: \(events)")
      return
    }
    #expect(marked.version == bad.version)
    #expect(replacement?.text == "1")
    #expect(state.runnable.map(\.version.text) == ["1"])
    let before = state
    let error = #expect(throws: TrustError.self) { try state.install(bad, isRollback: false) }
    #expect(error?.identifier == "patch-known-bad")
    #expect(error?.code.exit == .notPermitted)
    #expect(state == before)
    try state.install(try Self.installed("3", digest: 3), isRollback: false)
    #expect(state.runnable.map(\.version.text) == ["3"])
  }

  @Test("the very first patch of an app falls back to none")
  func firstPatch() throws {
    var state = ClientState()
    try state.install(try Self.installed("1", digest: 1), isRollback: false)
    Self.boot(&state, healthy: false)
    Self.boot(&state, healthy: false)
    Self.boot(&state, healthy: true)
    #expect(state.runnable.isEmpty)
    #expect(state.knownBad.map(\.version.text) == ["1"])
  }

  @Test("a crash is forgiven after twenty good starts, and not before")
  func forgiven() throws {
    var state = try Self.healthyThenNew()
    Self.boot(&state, healthy: true)
    for _ in 0..<5 {
      Self.boot(&state, healthy: false)
      for _ in 0..<ClientState.goodStartsUntilForgiven { Self.boot(&state, healthy: true) }
    }
    Self.boot(&state, healthy: true)
    #expect(state.knownBad.isEmpty)
    #expect(state.runnable.map(\.version.text) == ["2"])
    for _ in 0..<3 {
      Self.boot(&state, healthy: false)
      for _ in 0..<3 { Self.boot(&state, healthy: true) }
    }
    #expect(state.knownBad.map(\.version.text) == ["2"])
    #expect(state.runnable.map(\.version.text) == ["1"])
  }

  @Test("a version that was healthy and then crashes three times is known-bad once the app is well without it")
  func healthyAndThenBad() throws {
    var state = try Self.healthyThenNew()
    Self.boot(&state, healthy: true)
    for _ in 0..<3 { Self.boot(&state, healthy: false) }
    let events = Self.boot(&state, healthy: true)
    #expect(events == [.failed(inARow: 3), .safeMode])
    #expect(state.runnable.isEmpty)
    Self.boot(&state, healthy: true)
    #expect(state.knownBad.map(\.version.text) == ["2"])
    #expect(state.runnable.map(\.version.text) == ["1"])
  }

  @Test("an app that crashes without its patches as well does not blame them; one crash more with them asks again")
  func safeModeCrashes() throws {
    var state = try Self.healthyThenNew()
    Self.boot(&state, healthy: true)
    for _ in 0..<3 { Self.boot(&state, healthy: false) }
    Self.boot(&state, healthy: false)
    #expect(state.runnable.isEmpty)
    Self.boot(&state, healthy: false)
    #expect(state.runnable.map(\.version.text) == ["2"])
    #expect(state.knownBad.isEmpty)
    let events = Self.boot(&state, healthy: false)
    #expect(events.contains(.safeMode))
    // A user who leaves at once shows nothing: safe mode stays.
    let again = state.beginBoot(after: .quit, at: Sample.start)
    #expect(again == [.safeMode])
    #expect(state.knownBad.isEmpty)
  }

  @Test("a word about another start, or about a version that did not run when it was said, changes nothing")
  func wordsNameTheirStart() throws {
    var state = try Self.healthyThenNew()
    Self.boot(&state, healthy: true)
    let said = try #require(state.pendingBoot)
    let early = ClientState.HealthWord(start: said.number, digests: Set(said.digests))
    try state.install(try Self.installed("3", digest: 3), isRollback: false)
    state.recordBoot(adding: try Self.installed("3", digest: 3))
    let before = state
    state.confirmHealthy(early)
    #expect(state == before)
    #expect(state.slots["cart"]?.current?.isHealthy == false)
    Self.boot(&state, healthy: false)
    state.confirmHealthy(.init(start: said.number, digests: [Sample.digest(3)]))
    #expect(state.slots["cart"]?.current?.isHealthy == false)
    Self.confirm(&state)
    #expect(state.slots["cart"]?.current?.isHealthy == true)
  }

  @Test("starts that the user ends early say nothing, however many")
  func earlyQuits() throws {
    var state = try Self.healthyThenNew()
    for _ in 0..<50 {
      let events = Self.boot(&state, healthy: false, badEnd: .quit)
      #expect(events.isEmpty)
    }
    #expect(state.runnable.map(\.version.text) == ["2"])
    #expect(state.knownBad.isEmpty)
    #expect(!state.isSafeMode)
  }

  @Test("starts without patches that are never said to be healthy change nothing")
  func noPatches() {
    var state = ClientState()
    for _ in 0..<5 {
      let events = Self.boot(&state, healthy: false)
      #expect(events.isEmpty)
    }
    #expect(!state.isSafeMode)
  }

  @Test("refusal 30: a lower version than ever was here is refused, unless the newer ones are withdrawn")
  func versionLower() throws {
    var state = try Self.healthyThenNew()
    let before = state
    let old = try Self.installed("1.5", digest: 5)
    let error = #expect(throws: TrustError.self) { try state.install(old, isRollback: false) }
    #expect(error?.identifier == "patch-version-lower")
    #expect(error?.code.exit == .notPermitted)
    #expect(state == before)
    try state.install(old, isRollback: true)
    #expect(state.runnable.map(\.version.text) == ["1.5"])
    #expect(state.slots["cart"]?.newestVersion.text == "2")
    #expect(state.slots["cart"]?.lastGood == nil)
  }

  @Test("refusal 31: another bundle under a version that is known is refused, even as a rollback")
  func versionChanged() throws {
    var state = try Self.healthyThenNew()
    let before = state
    for (version, digest) in [("2", 9), ("1", 9), ("2.0", 9)] {
      let other = try Self.installed(version, digest: digest)
      for isRollback in [false, true] {
        let error = #expect(throws: TrustError.self) { try state.install(other, isRollback: isRollback) }
        #expect(error?.identifier == "patch-version-changed")
        #expect(error?.code.exit == .notPermitted)
      }
    }
    #expect(state == before)
    try state.install(try Self.installed("2", digest: 2), isRollback: false)
    #expect(state == before)
  }

  @Test("refusal 32: a patch is installed only within its term")
  func term() throws {
    let manifest = PatchManifest(
      app: Sample.app, channel: "release", patch: "cart", version: try #require(DottedVersion("1")),
      appVersions: .all, issued: Sample.start, expires: Sample.start + 100, symbols: [],
      payload: PatchManifest.Payload(length: 1, sha256: Sample.digest(1), plainLength: 1), files: [], notes: "")
    try manifest.checkTerm(at: Sample.start)
    let early = #expect(throws: TrustError.self) { try manifest.checkTerm(at: Sample.start - 1) }
    #expect(early?.identifier == "patch-not-yet-valid")
    let late = #expect(throws: TrustError.self) { try manifest.checkTerm(at: Sample.start + 100) }
    #expect(late?.identifier == "patch-expired")
    #expect(late?.code.exit == .notPermitted)
    try manifest.checkTarget(Sample.device)
    for (change, identifier) in [
      ({ $0.app = "x" }, "patch-other-app"), ({ $0.channel = "x" }, "patch-channel"),
      ({ $0.appVersions = DottedVersionRange("<8") ?? .all }, "patch-app-version"),
    ] as [((inout PatchManifest) -> Void, String)] {
      var other = manifest
      change(&other)
      let error = #expect(throws: TrustError.self) { try other.checkTarget(Sample.device) }
      #expect(error?.identifier == identifier)
    }
  }

  @Test("is read as it was written; what is no state is an error and never a crash")
  func roundTrip() throws {
    var state = try Self.healthyThenNew()
    state.markBad(try Self.installed("2", digest: 2), at: Sample.start)
    state.recordBoot(of: state.runnable, at: Sample.start, processID: 77)
    Self.confirm(&state)
    state.slots["cart"]?.current?.aside = .init(until: Sample.start + 5)
    state.slots["cart"]?.current?.aside?.silentStarts = 2
    state.slots["cart"]?.current?.timesAside = 3
    let bytes = state.encoded
    #expect(try bytes.withUnsafeBytes { try ClientState(reading: $0) } == state)
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var mutated = bytes
      mutated[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      if random.next() % 8 == 0 { mutated.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      do {
        let read = try mutated.withUnsafeBytes { try ClientState(reading: $0) }
        #expect(read == state)
      } catch {
        #expect((error as? TrustError)?.identifier == "client-state-malformed")
      }
    }
  }

  @Test("a state of the version before is read, and what it called bad for a week only is not")
  func oldState() throws {
    let old = """
      {"failed_boots":1,"known_bad":[{"patch":"cart","sha256":"\(Sample.digest(9))","time":"2027-01-15T08:00:00Z",\
      "version":"0.9"},{"patch":"cart","sha256":"\(Sample.digest(8))","time":"2027-01-15T08:00:00Z",\
      "until":"2027-01-22T08:00:00Z","version":"0.8"}],"patches":{"cart":{"current":{"channel":"release","failed_boots":1,"healthy":true,\
      "length":100,"sha256":"\(Sample.digest(2))","version":"2"},"newest_digest":"\(Sample.digest(2))",\
      "newest_version":"2"}},"pending_boot":{"digests":["\(Sample.digest(2))"],"time":"2027-01-15T08:00:00Z"},\
      "schema":"mpaas-hotpatch-state/1"}
      """
    let state = try Array(old.utf8).withUnsafeBytes { try ClientState(reading: $0) }
    #expect(state.slots["cart"]?.current?.isHealthy == true)
    #expect(state.pendingBoot?.digests == [Sample.digest(2)])
    #expect(state.knownBad.count == 1)
  }
}
