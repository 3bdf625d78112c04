import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer
import Synchronization

@testable import MPaaSLogUpload
@testable import MPaaSLogs

/// A server of this process that stores each batch once, unless the test has it fail.
final class ScriptedLogServer: Sendable {
  /// The fate of a request.
  enum Fate: Sendable {
    case stored
    /// Stored, but the answer never arrives.
    case answerLost
    case status(Int, retryAfter: Int? = nil)
    case unreachable
  }

  struct State {
    var batches: [String: RecordBatch] = [:]
    /// Batches in the order in which they came, each time that they came.
    var arrivals: [String] = []
    var alive: [String: AliveReport] = [:]
    var ends: [String: TerminationReport] = [:]
    var lines: [String] = []
    var requests = 0
  }

  private let state = Mutex(State())
  private let fate: @Sendable (_ number: Int, _ lines: Int) -> Fate

  init(_ fate: @escaping @Sendable (_ number: Int, _ lines: Int) -> Fate = { _, _ in .stored }) { self.fate = fate }

  var now: State { state.withLock { $0 } }

  var server: LogServer {
    LogServer(
      "http://server/", token: "t",
      client: HTTPClient(exchange: { [self] call throws(HTTPError) in
        try answer(call)
      }))
  }

  private func answer(_ call: HTTPCall) throws(HTTPError) -> HTTPReply {
    var body: [UInt8] = []
    for case .bytes(let bytes) in call.body ?? [] { body += bytes.array }
    let data = Data(body)
    let batch = try? JSONDecoder().decode(RecordBatch.self, from: data)
    let alive = call.url.hasSuffix(ServerPaths.alive) ? try? JSONDecoder().decode(AliveReport.self, from: data) : nil
    let end =
      call.url.hasSuffix(ServerPaths.terminations) ? try? JSONDecoder().decode(TerminationReport.self, from: data) : nil
    let number = state.withLock { state in
      defer { state.requests += 1 }
      return state.requests
    }
    let outcome = fate(number, batch?.lines.count ?? 1)
    switch outcome {
    case .unreachable: throw HTTPError(.unreachable, url: call.url)
    case .status(let status, let pause):
      return HTTPReply(status: status, retryAfter: pause.map { .seconds($0) })
    default: break
    }
    let receipt = state.withLock { state in
      let id = batch?.id ?? alive?.id ?? end?.id ?? ""
      let isKnown = state.batches[id] != nil || state.alive[id] != nil || state.ends[id] != nil
      state.arrivals.append(id)
      if let batch, !isKnown {
        state.batches[id] = batch
        state.lines += batch.lines
      }
      if let alive { state.alive[id] = alive }
      if let end { state.ends[id] = end }
      return Receipt(id: id, duplicate: isKnown)
    }
    if case .answerLost = outcome { throw HTTPError(.timedOut, url: call.url) }
    return HTTPReply(status: 200, body: Array((try? JSONEncoder().encode(receipt)) ?? Data()))
  }
}
