package import MPaaSHAR
import MPaaSLock
package import MPaaSMock

/// A recording as a source of answers.
package final class HARSource: MockSource {
  package static let word = "har"

  private let replay: Lock<HARReplay>

  package init(_ replay: HARReplay) { self.replay = Lock(replay) }

  package var name: String { Self.word }

  package func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    let found = replay.withLock { replay in
      replay.answer(
        method: request.method, url: request.target, headers: request.headers.map { HARField($0.name, $0.value) },
        body: request.body)
    }
    guard let found else { return .none([]) }
    let answer = MockAnswer(found.status, headers: found.headers.map { ($0.name, $0.value) }, body: found.body)
    return .answer(answer, by: MockOrigin(Self.word, id: String(found.index), name: found.entry.request.url))
  }

  /// Begins all sequences again.
  package func restart() { replay.withLock { $0.restart() } }
}

extension HARExchange {
  /// Takes a request to the mock with its answer.
  ///
  /// - Parameters:
  ///   - time: The moment of the request in seconds since 1970.
  ///   - milliseconds: The time until the answer was there.
  package init(_ request: MockRequest, _ answer: MockAnswer, at time: Double, took milliseconds: Double) {
    self.init(
      started: time, method: request.method, url: request.absoluteURL,
      requestHeaders: request.headers.map { HARField($0.name, $0.value) }, requestBody: request.body,
      status: answer.status, reason: answer.reason ?? "",
      responseHeaders: answer.headers.map { HARField($0.name, $0.value) }, responseBody: answer.body)
    timings = (0, milliseconds, 0)
    version = request.version
  }
}
