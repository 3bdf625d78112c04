import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

/// A server whose file changes while it is fetched, and whose answers break off.
private final class ChangingServer: Sendable {
  /// The server's words about a version, and whether it looks at `If-Range`.
  enum Manner: CaseIterable {
    case tag, tagWithoutIfRange, weakTag, date, dateWithoutIfRange, nothing

    var obeysIfRange: Bool { self == .tag || self == .date }
  }

  private struct State {
    var random: SeededRandom
    var manner = Manner.tag
    var version = 1
    var changes = 0
    /// Seconds; several versions may be of the same one.
    var now = 1_000_000
    var changed = 1_000_000
  }

  static let size = 1_200_000
  private let state: Mutex<State>

  /// One of so many answers is followed by a change.
  private let steadiness: UInt64

  init(seed: UInt64, steadiness: UInt64) {
    self.steadiness = steadiness
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  var changes: Int { state.withLock { $0.changes } }

  func begin(_ manner: Manner) { state.withLock { $0.manner = manner } }

  /// All bytes of a version are its number.
  static func body(_ version: Int) -> [UInt8] { Array(repeating: UInt8(truncatingIfNeeded: version), count: size) }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    state.withLock { state in
      let answer = Self.answer(request, state)
      // It changes after it was opened for this answer, as files do.
      if state.random.next() % steadiness == 0 {
        state.version += 1
        state.changes += 1
        state.now += Int(state.random.next() % 2)
        state.changed = state.now
      }
      state.now += Int(state.random.next() % 3)
      guard state.random.next() % 4 != 0 else { return [.send(answer)] }
      return [.send(Array(answer.prefix(Int(state.random.next() % UInt64(answer.count + 1))))), .close]
    }
  }

  private static func answer(_ request: ScriptedServer.Request, _ state: State) -> [UInt8] {
    var headers = ["Accept-Ranges: bytes", "Date: \(date(state.now))"]
    var validators: [String] = []
    switch state.manner {
    case .tag, .tagWithoutIfRange: validators = ["ETag: \"v\(state.version)\""]
    case .weakTag: validators = ["ETag: W/\"v\"", "Last-Modified: \(date(state.changed))"]
    case .date, .dateWithoutIfRange: validators = ["Last-Modified: \(date(state.changed))"]
    case .nothing: break
    }
    headers += validators
    let body = body(state.version)
    let condition = request.head.split(separator: "\r\n").first { $0.hasPrefix("If-Range: ") }?.dropFirst(10)
    let isOld = condition.map { condition in !validators.contains { $0.hasSuffix(": " + condition) } } ?? false
    let line = request.head.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }
    guard let line, !(isOld && state.manner.obeysIfRange) else { return whole("200 OK", headers, body) }
    let ends = line.dropFirst(13).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, first < size else {
      return whole("416 Range Not Satisfiable", ["Content-Range: bytes */\(size)"], [])
    }
    let last = (ends.last ?? nil) ?? size - 1
    return whole(
      "206 Partial Content", headers + ["Content-Range: bytes \(first)-\(last)/\(size)"], Array(body[first...last]))
  }

  private static func whole(_ status: String, _ headers: [String], _ body: [UInt8]) -> [UInt8] {
    guard case .send(let bytes) = ScriptedServer.answer(status, headers, body: body) else { return [] }
    return bytes
  }

  private static func date(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
  }
}

@Suite("A file that changes while it is fetched") struct ChangingFileTests {
  /// 1,000 changes by `MPAAS_FUZZ_ROUNDS=1000`.
  @Test("is of one version when it is whole, whatever servers say of versions", arguments: [1, 3])
  func changes(parts: Int) async throws {
    // Several parts take more answers of one version.
    let changing = ChangingServer(seed: UInt64(parts), steadiness: parts == 1 ? 2 : 8)
    let server = try ScriptedServer { changing.answer($0) }
    var round = 0
    var whole = 0
    while changing.changes < SeededRandom.rounds(or: 60) {
      let manner = ChangingServer.Manner.allCases[round % ChangingServer.Manner.allCases.count]
      changing.begin(manner)
      round += 1
      let bench = try QueueBench()
      var transfer = Transfer(.get, server.url + "/f", file: bench.folder.path + "/got")
      transfer.parts = parts
      try bench.queue.add(transfer)
      try await bench.run()
      guard let got = try? Data(contentsOf: bench.folder.url.appending(path: "got")) else { continue }
      whole += 1
      #expect(got.count == ChangingServer.size, "\(manner)")
      #expect(Set(got).count == 1, "\(manner): versions \(Set(got).sorted())")
    }
    #expect(whole > round / 2, "\(whole) of \(round) files came")
  }

  @Test("goes on only with the version that it began with, in another process too", arguments: [true, false])
  func laterRun(isSame: Bool) async throws {
    let bench = try QueueBench()
    let version = Mutex(1)
    let server = try ScriptedServer { request in
      let number = version.withLock { $0 }
      let body = ChangingServer.body(number)
      guard let start = request.start else {
        guard case .send(let bytes) = ScriptedServer.answer("200 OK", ["ETag: \"\(number)\""], body: body) else {
          return []
        }
        return request.number == 0 ? [.send(Array(bytes.prefix(900_000))), .close] : [.send(bytes)]
      }
      if request.number == 1 { return [.close] }
      // A server that does not look at If-Range.
      return [
        ScriptedServer.answer(
          "206 Partial Content",
          ["ETag: \"\(number)\"", "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"],
          body: Array(body[start...]))
      ]
    }
    let id = try bench.queue.add(Transfer(.get, server.url + "/f", file: bench.folder.path + "/got"))
    try await bench.run(.none)
    #expect(try bench.queue.record(id)?.state == .waiting)
    if !isSame { version.withLock { $0 = 2 } }
    let before = server.requests.count
    let later = try bench.reopened()
    bench.clock.advance(.seconds(100))
    try await later.run()
    let got = try Data(contentsOf: bench.folder.url.appending(path: "got"))
    #expect(got == Data(ChangingServer.body(isSame ? 1 : 2)))
    #expect(server.requests.dropFirst(before).first?.start != nil)
    #expect(server.requests.count == before + (isSame ? 1 : 2))
  }
}
