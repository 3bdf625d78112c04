import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatch

/// Lives of an app with a new patch: many starts, each with a network, a user and an end of its own.
@Suite("Good and bad patches over many starts") struct HealthSimulationTests {
  /// The time that the network takes until the new patch is in place, in seconds.
  enum Network: CaseIterable {
    case fast, slow

    func delay(_ random: inout SeededRandom) -> Double {
      switch self {
      case .fast: Double.random(in: 0.1...1, using: &random)
      case .slow: Double.random(in: 2...90, using: &random)
      }
    }
  }

  struct Patch {
    /// In how many of its starts it crashes, and after how many seconds at most.
    var crashes = 0.0
    var within = 0.0
  }

  static let ownTime = 10.0

  /// One start: the app says its word early, the patch comes when the network has brought it, and then proves itself
  /// for its own time, or crashes, or the user leaves.
  static func run(
    _ repository: FakeRepository, _ folder: TemporaryFolder, _ patch: Patch, _ network: Network, stay: Double,
    ownCrash: Double = 0, _ random: inout SeededRandom
  ) throws -> RunEnd {
    var core = try repository.launch(folder)
    let start = try #require(core.state.pendingBoot?.number)
    let stored = core.running["cart"]
    let word = Double.random(in: 0.5...3, using: &random)
    let arrival = network.delay(&random)
    func crash(from begin: Double) -> Double {
      guard Double.random(in: 0..<1, using: &random) < patch.crashes else { return .infinity }
      return begin + Double.random(in: 0...patch.within, using: &random)
    }
    func isBad() -> Bool { core.running["cart"]?.version.text == "2" }
    var crashTime = isBad() ? crash(from: 0) : .infinity
    if Double.random(in: 0..<1, using: &random) < ownCrash {
      crashTime = min(crashTime, Double.random(in: 0...stay, using: &random))
    }
    // The steps that happen, in the order of time.
    let early = ClientState.HealthWord(start: start, digests: Set(core.running.values.map(\.sha256)))
    var steps: [(time: Double, body: (inout ClientCore) throws -> Void)] = [
      (word, { try $0.confirmHealthy(early) }), (Self.ownTime, { try $0.confirmHealthy(early) }),
    ]
    if arrival < min(crashTime, stay) {
      for step in steps where step.time <= arrival { try step.body(&core) }
      steps.removeAll { $0.time <= arrival }
      core.sync(runsNew: true)
      if let new = core.running["cart"], new.sha256 != stored?.sha256 {
        if isBad() { crashTime = min(crashTime, crash(from: arrival)) }
        let own = ClientState.HealthWord(start: start, digests: [new.sha256])
        steps.append((arrival + Self.ownTime, { try $0.confirmHealthy(own) }))
      }
    }
    let end = min(crashTime, stay)
    for step in steps where step.time <= end { try step.body(&core) }
    return crashTime <= stay ? .crashed : .quit
  }

  /// A device that has a healthy version 1, and is offered version 2.
  static func device() throws -> (FakeRepository, TemporaryFolder) {
    let (repository, folder) = (FakeRepository(), try TemporaryFolder())
    try repository.publish("1")
    var core = try repository.launch(folder)
    core.sync(runsNew: true)
    try core.confirmHealthy()
    repository.contents.withLock { $0.end = .quit }
    // Slow networks may take days.
    try repository.publish("2") { $1.expires = Sample.start + 400 * 86_400 }
    return (repository, folder)
  }

  @Test("a bad patch is out after at most three crashes, on slow and fast networks", arguments: Network.allCases)
  func bad(_ network: Network) throws {
    var random = SeededRandom(seed: network == .fast ? 21 : 22)
    var (most, last) = (0, 0)
    for round in 0..<SeededRandom.rounds(or: 20) {
      let (repository, folder) = try Self.device()
      // From one that crashes at once to one that crashes in every second start, after it was healthy.
      let patch = Patch(
        crashes: [1, 0.5, 0.75].randomElement(using: &random) ?? 1,
        within: [0.4, 8, 25].randomElement(using: &random) ?? 1)
      var crashes = 0
      var rest = 6
      for number in 0..<200 where rest > 0 {
        let stay = Double.random(in: 0...1, using: &random) < 0.2 ? Double.random(in: 0.2...5, using: &random) : 150
        let end = try Self.run(repository, folder, patch, network, stay: stay, &random)
        repository.contents.withLock { $0.end = end }
        if end == .crashed { (crashes, last) = (crashes + 1, max(last, number)) }
        if try PatchStore(folder.path).load().knownBad.isEmpty == false { rest -= 1 }
      }
      most = max(most, crashes)
      let state = try PatchStore(folder.path).load()
      #expect(crashes <= 3, "round \(round): \(crashes) crashes of \(patch)")
      #expect(state.knownBad.map(\.version.text) == ["2"], "round \(round): \(patch)")
      #expect(repository.running == "1", "round \(round)")
    }
    #expect(most >= 2)
  }

  @Test("a good patch whose users leave early is never known-bad", arguments: Network.allCases)
  func good(_ network: Network) throws {
    var random = SeededRandom(seed: network == .fast ? 23 : 24)
    for round in 0..<SeededRandom.rounds(or: 12) {
      let (repository, folder) = try Self.device()
      for _ in 0..<20 {
        let isShort = Double.random(in: 0...1, using: &random) < 0.8
        let stay = isShort ? Double.random(in: 0.05...9, using: &random) : 200
        let end = try Self.run(repository, folder, Patch(), network, stay: stay, ownCrash: 0.001, &random)
        repository.contents.withLock { $0.end = end }
      }
      let state = try PatchStore(folder.path).load()
      #expect(state.knownBad.isEmpty, "round \(round)")
      #expect(!state.isSafeMode, "round \(round)")
    }
  }

  /// The app's knowledge of the ends of its runs.
  enum Watch: CaseIterable {
    /// No crash reporter: nothing.
    case nothing
    /// A crash reporter, but the user ends the app by a swipe, which kills it.
    case swiped

    func told(_ end: RunEnd) -> RunEnd { self == .nothing || end == .quit ? .unknown : end }
  }

  @Test(
    "a good patch whose users leave early is never known-bad where nobody tells, and always runs again",
    arguments: Network.allCases, Watch.allCases)
  func goodUnseen(_ network: Network, _ watch: Watch) throws {
    for share in [0.2, 0.5, 0.8] {
      var random = SeededRandom(seed: UInt64(share * 10) + (network == .fast ? 50 : 60))
      let rounds = SeededRandom.rounds(or: 2)
      var (starts, with, bad) = (0, 0, 0)
      for round in 0..<rounds {
        let (repository, folder) = try Self.device()
        for _ in 0..<60 {
          let isShort = Double.random(in: 0...1, using: &random) < share
          let stay = isShort ? Double.random(in: 0.05...9, using: &random) : 200
          let end = try Self.run(repository, folder, Patch(), network, stay: stay, ownCrash: 0.0001, &random)
          let hours = Double.random(in: 0.2...6, using: &random)
          starts += 1
          if repository.running == "2" { with += 1 }
          repository.contents.withLock {
            $0.end = watch.told(end)
            $0.time += hours * 3600
          }
        }
        let state = try PatchStore(folder.path).load()
        #expect(state.knownBad.isEmpty, "round \(round)")
        #expect(!state.isSafeMode, "round \(round)")
        if !state.knownBad.isEmpty { bad += 1 }
        repository.contents.withLock { ($0.end, $0.time) = (.quit, $0.time + ClientState.longestRest) }
        for _ in 0..<2 where repository.running != "2" { _ = try repository.launch(folder) }
        #expect(repository.running == "2", "round \(round)")
      }
      print(
        "good, \(network), \(watch), \(Int(share * 100)) % leave early: \(rounds) runs, \(bad) known-bad,",
        "the patch runs in \(100 * with / starts) % of the starts")
    }
  }

  @Test(
    "a bad patch that hangs, or crashes unseen at once, is out after three starts, and tried ever less often",
    arguments: Network.allCases)
  func badUnseen(_ network: Network) throws {
    var random = SeededRandom(seed: network == .fast ? 70 : 71)
    let rounds = SeededRandom.rounds(or: 3)
    var (mostFirst, mostAll, all) = (0, 0, 0)
    for round in 0..<rounds {
      let (repository, folder) = try Self.device()
      // Before the app can say that it is healthy.
      let patch = Patch(crashes: 1, within: 0.4)
      var (failures, first, isOut) = (0, 0, false)
      // A month of a start every four hours.
      for _ in 0..<180 {
        let stay = Double.random(in: 0...1, using: &random) < 0.2 ? Double.random(in: 0.2...5, using: &random) : 150
        if try Self.run(repository, folder, patch, network, stay: stay, &random) == .crashed { failures += 1 }
        repository.contents.withLock {
          $0.end = .unknown
          $0.time += 4 * 3600
        }
        isOut = try isOut || PatchStore(folder.path).load().slots["cart"]?.current?.aside != nil
        if !isOut { first = failures }
      }
      let state = try PatchStore(folder.path).load()
      #expect(first <= 3, "round \(round): \(first) of \(patch)")
      #expect(failures <= 20, "round \(round): \(failures) in a month of \(patch)")
      #expect(state.knownBad.isEmpty, "round \(round)")
      #expect(state.slots["cart"]?.current?.version.text == "2", "round \(round)")
      (mostFirst, mostAll, all) = (max(mostFirst, first), max(mostAll, failures), all + failures)
    }
    let mean = Double(10 * all / rounds) / 10
    print(
      "bad and unseen, \(network): \(rounds) runs, out after at most \(mostFirst),",
      "in a month \(mean), at most \(mostAll)")
  }
}
