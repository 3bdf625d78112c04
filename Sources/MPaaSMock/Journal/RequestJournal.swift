import MPaaSLock
import MPaaSSupport

/// The last requests with what they were answered.
package final class RequestJournal: Sendable {
  /// The most requests.
  package static let most = 10_000
  /// The most bytes of their bodies and those of their answers.
  private static let mostBytes = 64 << 20

  package struct Entry: Sendable {
    package let number: UInt64
    package let request: MockRequest
    /// Seconds since 1970.
    package let time: Double
    package let origin: MockOrigin?
    package let answer: MockAnswer

    var size: Int { request.body.count + answer.body.count }
  }

  private struct State {
    /// As a ring, whose oldest entry is at `start` once it is full.
    var entries: [Entry] = []
    var start = 0
    var number: UInt64 = 0
    var bytes = 0

    var ordered: [Entry] { Array(entries[start...] + entries[..<start]) }

    mutating func keep(_ kept: [Entry]) {
      entries = kept
      start = 0
      bytes = kept.reduce(0) { $0 + $1.size }
    }
  }

  private let state = Lock(State())
  private let prefix: UInt64

  package init(random: MockRandom = MockRandom()) { prefix = random.next() }

  package func add(_ request: MockRequest, at time: Double, _ origin: MockOrigin?, _ answer: MockAnswer) {
    state.withLock { state in
      state.number += 1
      let entry = Entry(number: state.number, request: request, time: time, origin: origin, answer: answer)
      state.bytes += entry.size
      if state.entries.count < Self.most {
        state.entries.append(entry)
      } else {
        state.bytes -= state.entries[state.start].size
        state.entries[state.start] = entry
        state.start = (state.start + 1) % Self.most
      }
      guard state.bytes > Self.mostBytes else { return }
      // Large bodies push out what is oldest.
      var rest = state.ordered[...]
      var bytes = state.bytes
      while bytes > Self.mostBytes / 2, rest.count > 1, let first = rest.popFirst() { bytes -= first.size }
      state.keep(Array(rest))
    }
  }

  /// All requests, the newest first.
  package var entries: [Entry] { state.withLock { $0.ordered }.reversed() }

  package func entry(_ id: String) -> Entry? {
    guard let number = number(id) else { return nil }
    return state.withLock { state in state.ordered.first { $0.number == number } }
  }

  /// Takes requests out of the journal, and gives them.
  @discardableResult
  package func remove(where isChosen: (Entry) -> Bool) -> [Entry] {
    let all = state.withLock { $0.ordered }
    let chosen = all.filter(isChosen)
    let numbers = Set(chosen.map(\.number))
    state.withLock { state in state.keep(state.ordered.filter { !numbers.contains($0.number) }) }
    return chosen
  }

  package func removeAll() { state.withLock { $0.keep([]) } }

  /// The UUID of a request: it begins with the number, so that it need not be kept.
  package func id(of entry: Entry) -> String {
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return (digits(entry.number) + digits(prefix)).dashedUUID
  }

  private func number(_ id: String) -> UInt64? {
    let digits = id.filter { $0 != "-" }
    guard digits.count == 32, UInt64(digits.suffix(16), radix: 16) == prefix else { return nil }
    return UInt64(digits.prefix(16), radix: 16)
  }
}
