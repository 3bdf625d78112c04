import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Synchronization
import Testing

@testable import MPaaSHotpatchTools

/// A console in memory.
private final class ConsoleDouble: Sendable {
  struct State {
    var patches: [PatchEntry] = []
    var requests: [RolloutRequest] = []
    var notes: [RolloutNote] = []
    var isAway = false
  }

  struct Away: Error {}

  let state = Mutex(State())

  func console(takesRequests: Bool = true) -> RolloutWatch.Console {
    var console = RolloutWatch.Console(
      patches: { identity in
        try self.state.withLock { state in
          if state.isAway { throw Away() }
          return state.patches.filter { $0.identity == identity }
        }
      }, tell: { note, _ in self.state.withLock { $0.notes.append(note) } },
      requests: nil,
      end: { request, outcome in
        self.state.withLock { state in
          guard let index = state.requests.firstIndex(where: { $0.id == request.id }) else { return }
          (state.requests[index].state, state.requests[index].outcome) = (outcome.state, outcome.outcome)
        }
      })
    if takesRequests {
      console.requests = { self.state.withLock { $0.requests.filter { $0.state == .waiting } } }
    }
    return console
  }

  func ask(_ action: RolloutRequest.Action, _ id: String, points: Int? = nil, version: String = "1") {
    let request = RolloutRequest(
      id: id, app: "key", identity: Sample.app, patch: "cart", version: version, channel: "release", action: action,
      basisPoints: points, reason: "why", author: "ann", created: 1)
    state.withLock { $0.requests.insert(request, at: 0) }
  }
}

@Suite("The watch of rollouts") struct RolloutWatchTests {
  private let repository: PublishedRepository
  private let double = ConsoleDouble()

  init() throws {
    repository = try PublishedRepository()
    try repository.publish("1")
  }

  private func watch(takesRequests: Bool = true) -> RolloutWatch {
    RolloutWatch(
      repository.publisher, app: nil, keys: [repository.online], double.console(takesRequests: takesRequests),
      words: { ($0 as? TrustError)?.identifier ?? "\($0)" })
  }

  private func count(
    _ devices: Int64, _ crashed: Int64, baseline: PatchEntry.Devices? = .init(devices: 100_000, crashed: 200),
    population: Int64 = 120_000, version: String = "1"
  ) {
    let entry = PatchEntry(
      app: "key", identity: Sample.app, patch: "cart", version: version, firstSeen: 1, lastSeen: 2, devices: devices,
      crashed: crashed, baseline: baseline, population: population)
    double.state.withLock { $0.patches = [entry] }
  }

  private func events(_ watch: inout RolloutWatch) async throws -> [String] {
    var words: [String] = []
    try await watch.look { event in
      switch event {
      case .stopped(let change, _): words.append(change.rollout.state.rawValue)
      case .requested(let request, let outcome):
        words.append("\(request.action.rawValue) \(outcome.state.rawValue) \(outcome.outcome)")
      }
    }
    return words
  }

  private var state: Rollout.State? {
    get throws { try repository.publisher.document(app: Sample.app)?.rollouts.last?.state }
  }

  @Test("what crashes no more often goes on, and no new document is made for it")
  func good() async throws {
    count(20_000, 41)
    let before = try repository.publisher.document(app: Sample.app)
    var watch = watch()
    #expect(try await events(&watch).isEmpty)
    #expect(try repository.publisher.document(app: Sample.app) == before)
  }

  @Test("what crashes more often is stopped for new devices while few were counted, everywhere then, and once")
  func bad() async throws {
    count(100, 20)
    var watch = watch()
    #expect(try await events(&watch) == ["paused"])
    #expect(try await events(&watch).isEmpty)
    #expect(try state == .paused)
    count(1_300, 200)
    #expect(try await events(&watch) == ["halted"])
    #expect(try await events(&watch).isEmpty)
    #expect(try state == .halted)
    let history = try #require(try repository.publisher.document(app: Sample.app)?.rollouts.last?.history)
    #expect(history.map(\.kind) == [.published, .paused, .halted])
  }

  @Test("nothing is said of few devices, or where there are none without a patch")
  func unknown() async throws {
    var watch = watch()
    count(49, 49)
    #expect(try await events(&watch).isEmpty)
    count(5_000, 5_000, baseline: nil)
    #expect(try await events(&watch).isEmpty)
    count(5_000, 5_000, baseline: .init(devices: 0, crashed: 0))
    #expect(try await events(&watch).isEmpty)
    count(5_000, 5_000, version: "1.x")
    #expect(try await events(&watch).isEmpty)
    #expect(try state == .running)
  }

  @Test("a resumed rollout is not stopped by the crashes that stopped it before")
  func resumed() async throws {
    count(1_300, 200)
    var watch = watch()
    #expect(try await events(&watch) == ["halted"])
    double.ask(.resume, "1")
    #expect(try await events(&watch) == ["resume done "])
    #expect(try await events(&watch).isEmpty)
    #expect(try state == .running)
    count(1_400, 300)
    #expect(try await events(&watch) == ["halted"])
  }

  @Test("changes that are asked for are made in their order, with who asked for them and why")
  func requests() async throws {
    double.ask(.pause, "1")
    double.ask(.percentage, "2", points: 500)
    double.ask(.resume, "3")
    var watch = watch()
    #expect(try await events(&watch) == ["pause done ", "percentage done ", "resume done "])
    let rollout = try #require(try repository.publisher.document(app: Sample.app)?.rollouts.last)
    #expect(rollout.basisPoints == 500 && rollout.state == .running)
    #expect(rollout.history.last?.reason == "ann: why")
    #expect(double.state.withLock { $0.requests.allSatisfy { $0.state == .done } })
  }

  @Test("a change that was made before the console could be told is not made again")
  func repeated() async throws {
    double.ask(.pause, "1")
    var first = watch()
    _ = try await events(&first)
    let before = try repository.publisher.document(app: Sample.app)
    double.state.withLock { $0.requests[0].state = .waiting }
    var second = watch()
    #expect(try await events(&second) == ["pause done "])
    #expect(try repository.publisher.document(app: Sample.app) == before)
  }

  @Test("a change that cannot be is refused with the reason, and where changes are not made they go on waiting")
  func refused() async throws {
    double.ask(.halt, "1", version: "9")
    var other = watch(takesRequests: false)
    #expect(try await events(&other).isEmpty)
    #expect(double.state.withLock { $0.requests[0].state } == .waiting)
    var watch = watch()
    #expect(try await events(&watch) == ["halt refused rollout-unknown"])
  }

  @Test("the console is told how rollouts stand once, and again when they have changed")
  func notes() async throws {
    var watch = watch()
    _ = try await events(&watch)
    _ = try await events(&watch)
    #expect(double.state.withLock { $0.notes.count } == 1)
    double.ask(.percentage, "1", points: 2_000)
    _ = try await events(&watch)
    let notes = double.state.withLock { $0.notes }
    #expect(notes.map { $0.rollouts.first?.basisPoints } == [10_000, 2_000])
    #expect(notes.last?.rollouts.first?.reason == "ann: why")
  }

  @Test("a console that is away is an error, and changes nothing")
  func away() async throws {
    double.state.withLock { $0.isAway = true }
    var watch = watch()
    await #expect(throws: ConsoleDouble.Away.self) { try await watch.look { _ in } }
    #expect(try state == .running)
  }
}
