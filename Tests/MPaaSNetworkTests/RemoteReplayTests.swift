import MPaaSNetworkConditions
import MPaaSSupport
import Synchronization
import Testing

@Suite("A timeline on a server") struct RemoteReplayTests {
  /// A server that answers from a list, and remembers what it was asked.
  private final class ScriptedServer: Sendable {
    private struct State {
      var answers: [JSONValue]
      var requests: [String] = []
      var bodies: [JSONValue?] = []
      var pauses = 0
    }

    private let state: Mutex<State>

    init(_ answers: [JSONValue]) {
      state = Mutex(State(answers: answers))
    }

    var requests: [String] { state.withLock { $0.requests } }
    var bodies: [JSONValue?] { state.withLock { $0.bodies } }
    var pauses: Int { state.withLock { $0.pauses } }

    func replay(_ timeline: Timeline, proxies: [String]? = nil) -> RemoteReplay {
      RemoteReplay(timeline, proxies: proxies, pause: { self.state.withLock { $0.pauses += 1 } }) {
        method, path, body in
        self.state.withLock { state in
          state.requests.append(([method] + path).joined(separator: " "))
          state.bodies.append(body)
          return state.answers.isEmpty ? .null : state.answers.removeFirst()
        }
      }
    }
  }

  private static func timeline() throws -> Timeline {
    try Timeline(text: "name walk\nat 1s: loss 1% for 1s\nlength 3s", file: "t")
  }

  private static func answer(_ state: String, at seconds: Double, rounds: Int = 0) -> JSONValue {
    ["state": .string(state), "position_seconds": JSONValue(seconds) ?? .null, "rounds": JSONValue(rounds)]
  }

  @Test("is asked until it has ended, and each change is told once")
  func follows() async throws {
    let timeline = try Self.timeline()
    let server = ScriptedServer([
      Self.answer("playing", at: 0), Self.answer("playing", at: 0.2), Self.answer("playing", at: 1.23),
      Self.answer("playing", at: 2.5), Self.answer("ended", at: 3, rounds: 1),
    ])
    var notes: [String] = []
    let outcome = try await server.replay(timeline).follow { notes.append("\($0) \($1)") }
    #expect(outcome.state == "ended")
    #expect(outcome.rounds == 1)
    #expect(notes == ["0s normal", "1s200ms \(timeline.steps[0].label)", "2s500ms normal"])
    #expect(server.requests == Array(repeating: "GET timelines \(timeline.name)", count: 5))
    #expect(server.pauses == 4)
  }

  @Test("is begun for the proxies that were named, and left alone where it is to go on by itself")
  func detached() async throws {
    let timeline = try Self.timeline()
    let server = ScriptedServer([])
    let outcome = try await server.replay(timeline, proxies: ["web"]).play(isDetached: true) { _, _ in }
    #expect(outcome.state == "playing")
    #expect(server.requests == ["POST timelines"])
    #expect(server.bodies.first??.object?["proxies"]?.array == [.string("web")])
    #expect(server.bodies.first??.object?["name"]?.string == timeline.name)
  }

  @Test("a cancelled task asks once more and says how far it came")
  func cancelled() async throws {
    let timeline = try Self.timeline()
    let server = ScriptedServer([Self.answer("playing", at: 1, rounds: 2)])
    let following = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await server.replay(timeline).follow { _, _ in }
    }
    following.cancel()
    let outcome = try await following.value
    #expect(outcome.state == "playing")
    #expect(outcome.rounds == 2)
    #expect(server.pauses == 0)
  }

  @Test("what the server refuses ends it")
  func refused() async throws {
    let replay = RemoteReplay(try Self.timeline(), proxies: nil) { _, _, _ in
      throw NetworkError(.apiRefused, ["error": "no", "status": "400"])
    }
    await #expect(throws: NetworkError.self) { try await replay.play(isDetached: false) { _, _ in } }
  }
}
