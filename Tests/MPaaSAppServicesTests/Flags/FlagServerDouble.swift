import MPaaSAppServices
import MPaaSLock

/// A server of the client API that lies in memory.
final class FlagServerDouble: Sendable {
  typealias Answer = @Sendable (FlagRequest) async throws -> FlagResponse

  /// A stream that a client has opened.
  final class Stream: Sendable {
    let request: FlagRequest
    private let receive: @Sendable (UnsafeRawBufferPointer) -> Bool
    private let end: AsyncStream<FlagResponse>.Continuation

    init(
      _ request: FlagRequest, _ receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool,
      _ end: AsyncStream<FlagResponse>.Continuation
    ) {
      self.request = request
      self.receive = receive
      self.end = end
    }

    /// Sends bytes; false where the client wants no more.
    @discardableResult
    func send(_ text: String) -> Bool {
      let isWanted = Array(text.utf8).withUnsafeBytes { receive($0) }
      if !isWanted { close() }
      return isWanted
    }

    func close(_ status: Int = 200) {
      end.yield(FlagResponse(status: status))
      end.finish()
    }
  }

  private struct State {
    var answer: Answer
    var streamStatus = 200
    var requests: [FlagRequest] = []
    var streams: [Stream] = []
  }

  private let state: Lock<State>

  init(_ answer: @escaping Answer = { _ in FlagResponse(status: 404) }) { state = Lock(State(answer: answer)) }

  /// A server that answers with a state under a validator, and 304 to who has it.
  convenience init(state text: String, etag: String = "\"1\"") {
    self.init()
    serve(text, etag: etag)
  }

  func serve(_ text: String, etag: String = "\"1\"") {
    answer { request in
      if request.method == "POST" { return FlagResponse(status: 202) }
      if request["If-None-Match"] == etag { return FlagResponse(status: 304, headers: ["etag": etag]) }
      return FlagResponse(status: 200, headers: ["etag": etag], body: Array(text.utf8))
    }
  }

  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
  func refuseStreams(_ status: Int) { state.withLock { $0.streamStatus = status } }

  var requests: [FlagRequest] { state.withLock { $0.requests } }
  var streams: [Stream] { state.withLock { $0.streams } }

  func requests(_ path: String) -> [FlagRequest] { requests.filter { $0.url.hasSuffix(path) } }

  /// The stream of a number from 0, when it is open.
  func stream(_ number: Int) async -> Stream? {
    await eventually { self.streams.count > number }
    let streams = streams
    return number < streams.count ? streams[number] : nil
  }

  var transport: FlagTransport {
    FlagTransport(
      exchange: { request in
        let answer = self.state.withLock { state in
          state.requests.append(request)
          return state.answer
        }
        return try await answer(request)
      },
      stream: { request, receive in
        let status = self.state.withLock { $0.streamStatus }
        guard status == 200 else { return FlagResponse(status: status) }
        let (end, continuation) = AsyncStream.makeStream(of: FlagResponse.self)
        self.state.withLock { $0.streams.append(Stream(request, receive, continuation)) }
        for await response in end { return response }
        throw CancellationError()
      })
  }
}

extension FlagRequest {
  /// The value of a field, whatever the case of its name.
  subscript(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
  var text: String { String(decoding: body ?? [], as: UTF8.self) }
}
