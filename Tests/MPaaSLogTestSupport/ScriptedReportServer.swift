import Crypto
import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer
import Synchronization

@testable package import MPaaSLogUpload

/// A server of this process that stores each report once, unless the test has something else happen to a request.
package final class ScriptedReportServer: Sendable {
  package enum Fate: Sendable {
    case stored
    /// Stored, but the answer never arrives.
    case answerLost
    /// The answer of a network's portal to everything.
    case portal
    case status(Int, code: String = "", retryAfter: Int? = nil)
    case unreachable
  }

  package struct State {
    package var reports: Set<String> = []
    /// Digests of what came, each time that it came.
    package var arrivals: [String] = []
    package var paths: [String] = []
    package var requests = 0
  }

  private let state = Mutex(State())
  private let fate: Mutex<@Sendable (_ number: Int) -> Fate>

  package init(_ fate: @escaping @Sendable (_ number: Int) -> Fate = { _ in .stored }) { self.fate = Mutex(fate) }

  package var now: State { state.withLock { $0 } }

  /// Has other things happen from now on.
  package func become(_ fate: @escaping @Sendable (_ number: Int) -> Fate) { self.fate.withLock { $0 = fate } }

  /// A queue of reports for it, in a folder that other queues may have too.
  package func queue(
    _ folder: String, clock: MonitorClock = .live
  ) throws -> ReportQueue {
    var options = TransferOptions()
    options.firstPause = 0.01
    options.longestPause = 0.01
    let client = HTTPClient(exchange: { [self] call throws(HTTPError) in try answer(call) })
    return try ReportQueue(
      to: LogServer("http://server/", token: "t", client: client), in: folder, options: options, client: client,
      clock: clock, times: TransferTimes(now: TransferTimes.live.now, jitter: { $0 }))
  }

  private func answer(_ call: HTTPCall) throws(HTTPError) -> HTTPReply {
    var hash = SHA256()
    for piece in call.body ?? [] {
      guard case .file(let path, _, _) = piece, let bytes = FileManager.default.contents(atPath: path) else { continue }
      hash.update(data: bytes)
      bytes.withUnsafeBytes { call.passing?($0) }
    }
    let digest = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let number = state.withLock { state in
      defer { state.requests += 1 }
      state.paths.append(call.url)
      return state.requests
    }
    let outcome = fate.withLock { $0 }(number)
    switch outcome {
    case .unreachable: throw HTTPError(.unreachable, url: call.url)
    case .portal: return HTTPReply(status: 200, body: Array("<html>Sign in</html>".utf8))
    case .status(let status, let code, let pause):
      let said = Data("{\"code\":\"\(code)\",\"message\":\"no\"}".utf8)
      return HTTPReply(status: status, body: Array(said), retryAfter: pause.map { .seconds($0) })
    default: break
    }
    let isKnown = state.withLock { state in
      state.arrivals.append(digest)
      return !state.reports.insert(digest).inserted
    }
    if case .answerLost = outcome { throw HTTPError(.timedOut, url: call.url) }
    let receipt = Receipt(id: String(digest.prefix(32)), duplicate: isKnown, group: "g", sha256: digest)
    return HTTPReply(status: 201, body: Array((try? JSONEncoder().encode(receipt)) ?? Data()))
  }
}
