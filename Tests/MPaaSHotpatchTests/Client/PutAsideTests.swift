import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatch

@Suite("Versions of which nobody knows how their starts ended") struct PutAsideTests {
  private static let day = ClientState.firstRest

  /// A start at a time, after one with an unknown end.
  @discardableResult
  private static func boot(
    _ state: inout ClientState, day: Double, healthy: Bool = false, end: RunEnd = .unknown
  ) -> [ClientState.BootEvent] {
    let time = Sample.start + day * Self.day
    let events = state.beginBoot(after: end, at: time)
    state.recordBoot(of: state.runnable, at: time)
    if healthy { ClientStateTests.confirm(&state) }
    return events
  }

  private static func running(_ state: ClientState) -> [String] { state.runnable.map(\.version.text) }

  @Test("are put aside after three in a row, and the one before runs; they are tried again, and rest longer each time")
  func ladder() throws {
    var state = try ClientStateTests.healthyThenNew()
    for _ in 0..<3 {
      Self.boot(&state, day: 0)
      #expect(Self.running(state) == ["2"])
    }
    let events = Self.boot(&state, day: 0, healthy: true)
    #expect(events.count == 2)
    #expect(events.first == .failed(inARow: 3))
    guard case .putAside(let version, let until, let replacement) = events.last else {
      Issue.record("nothing was put aside: \(events)")
      return
    }
    #expect(version.version.text == "2")
    #expect(until == Sample.start + Self.day)
    #expect(replacement?.text == "1")
    #expect(Self.running(state) == ["1"])
    #expect(!state.isSafeMode)
    // A version that rests is not installed anew.
    let offered = try ClientStateTests.installed("2", digest: 2)
    try state.install(offered, isRollback: false)
    #expect(Self.running(state) == ["1"])
    // Each try that ends in silence doubles the rest: 1, 2, 4, 8, 16, 32, 32 days.
    var (now, rest) = (0.0, 1.0)
    for _ in 0..<8 {
      Self.boot(&state, day: now + rest - 0.1, healthy: true)
      #expect(Self.running(state) == ["1"])
      Self.boot(&state, day: now + rest, healthy: false)
      #expect(Self.running(state) == ["2"])
      (now, rest) = (now + rest, min(rest * 2, 32))
      Self.boot(&state, day: now, healthy: true)
      #expect(Self.running(state) == ["1"])
    }
    #expect(state.knownBad.isEmpty)
    // One good start, and all is forgotten.
    Self.boot(&state, day: now + rest, healthy: true)
    #expect(Self.running(state) == ["2"])
    for _ in 0..<3 {
      Self.boot(&state, day: now + rest)
      #expect(Self.running(state) == ["2"])
    }
    Self.boot(&state, day: now + rest)
    #expect(Self.running(state) == ["1"])
    #expect(state.slots["cart"]?.current?.aside?.until == Sample.start + (now + rest + 1) * Self.day)
  }

  @Test("run again at once where starts without them end in silence as often")
  func silenceWithout() throws {
    var state = try ClientStateTests.healthyThenNew()
    for _ in 0..<4 { Self.boot(&state, day: 0) }
    #expect(Self.running(state) == ["1"])
    // Starts that the user ended in order say nothing, and a good one begins the count anew.
    Self.boot(&state, day: 0)
    Self.boot(&state, day: 0, end: .quit)
    Self.boot(&state, day: 0, healthy: true)
    for _ in 0..<3 {
      Self.boot(&state, day: 0)
      #expect(Self.running(state) == ["1"])
    }
    Self.boot(&state, day: 0)
    #expect(Self.running(state).contains("2"))
    // One more, and it rests for no longer than before.
    Self.boot(&state, day: 0)
    #expect(state.slots["cart"]?.current?.aside?.until == Sample.start + Self.day)
  }

  @Test("are known-bad for crashes alone, however many starts end in silence")
  func crashes() throws {
    var state = try ClientStateTests.healthyThenNew()
    for day in 0..<100 { for _ in 0..<4 { Self.boot(&state, day: Double(day)) } }
    #expect(state.knownBad.isEmpty)
    state = try ClientStateTests.healthyThenNew()
    Self.boot(&state, day: 0)
    Self.boot(&state, day: 0)
    Self.boot(&state, day: 0, end: .crashed)
    #expect(state.knownBad.isEmpty)
    #expect(Self.running(state) == ["2"])
    Self.boot(&state, day: 0, end: .crashed)
    #expect(state.knownBad.map(\.version.text) == ["2"])
    #expect(Self.running(state) == ["1"])
  }

  @Test("do not rest for ever where the clock is set back")
  func clockSetBack() throws {
    var state = try ClientStateTests.healthyThenNew()
    for _ in 0..<4 { Self.boot(&state, day: 5000, healthy: false) }
    #expect(Self.running(state) == ["1"])
    Self.boot(&state, day: 0)
    #expect(Self.running(state) == ["2"])
  }

  @Test("rest beside the others, and a version that was healthy is not blamed for a new one")
  func besideOthers() throws {
    var state = try ClientStateTests.healthyThenNew()
    let other = try ClientStateTests.installed("7", digest: 7, patch: "login")
    try state.install(other, isRollback: false)
    Self.boot(&state, day: 0)
    state.confirmHealthy(.init(start: state.starts, digests: [other.sha256]))
    for _ in 0..<3 { Self.boot(&state, day: 0) }
    #expect(Self.running(state) == ["1", "7"])
    #expect(state.slots["login"]?.current?.silentStarts == 0)
  }

  /// A device whose version 2 was put aside, so that 1 runs.
  static func device(_ repository: FakeRepository, _ folder: TemporaryFolder) throws -> ClientCore {
    try repository.publish("1")
    var core = try repository.launch(folder)
    core.sync(runsNew: true)
    try core.confirmHealthy()
    repository.contents.withLock { $0.end = .quit }
    try repository.publish("2")
    core = try repository.launch(folder)
    core.sync(runsNew: true)
    repository.contents.withLock { $0.end = .unknown }
    for _ in 0..<3 { core = try repository.launch(folder) }
    return core
  }

  @Test("are told by the client, and the version that stands in for them is withdrawn and verified like any other")
  func client() throws {
    let (repository, folder) = (FakeRepository(), try TemporaryFolder())
    var core = try Self.device(repository, folder)
    let told = HotpatchEvent.putAside(
      .init(name: "cart", version: "2"), until: Sample.start + Self.day, to: .init(name: "cart", version: "1"))
    #expect(repository.running == "1")
    #expect(repository.events.contains(told))
    core.sync(runsNew: true)
    #expect(repository.running == "1")
    #expect(repository.refusals.isEmpty)
    // Neither it nor what it stands in for runs where its bundle was changed.
    let first = try #require(core.state.slots["cart"]?.lastGood)
    try Data("bundle of 3".utf8).write(to: URL(filePath: core.store.bundle(first.sha256)))
    core = try repository.launch(folder)
    #expect(repository.refusals == ["installed-patch-changed"])
    #expect(repository.running == nil)
    #expect(core.state.slots["cart"]?.current?.version.text == "2")
  }

  @Test("leave what stands in for them to the director, who takes it out while it runs")
  func withdrawn() throws {
    let (repository, folder) = (FakeRepository(), try TemporaryFolder())
    var core = try Self.device(repository, folder)
    #expect(repository.running == "1")
    try repository.change { document in
      let index = try #require(document.rollouts.firstIndex { $0.version.text == "1" })
      document.rollouts[index].state = .halted
    }
    core.sync(runsNew: true)
    #expect(repository.running == nil)
    #expect(repository.events.contains(.rolledBack(.init(name: "cart", version: "1"), to: nil)))
  }
}
