package import MPaaSSupport
import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks a server of the control API, ours or toxiproxy's.
package struct ControlClient: Sendable {
  package static let usualAddress = "127.0.0.1:8474"

  /// `host:port`.
  package let address: String
  private let target: ControlAddress

  /// - Parameter text: `host:port`, with `http://` before it or not.
  package init(_ text: String) throws(NetworkError) {
    var text = text[...]
    if text.hasPrefix("http://") { text = text.dropFirst("http://".count) }
    while text.hasSuffix("/") { text = text.dropLast() }
    address = String(text)
    target = try ControlAddress(address)
  }

  /// The answer to a request.
  ///
  /// - Throws: What the server refused, by the word it has for it; `net-api-unreachable`, `net-api-timed-out`,
  ///   `net-api-foreign`.
  @discardableResult
  package func ask(
    _ method: String = "GET", _ path: [String], query: [(String, String)] = [], _ body: JSONValue? = nil,
    within limit: Duration = .seconds(30)
  ) async throws(NetworkError) -> JSONValue {
    let (status, bytes) = try await exchange(method, path, query, body, limit)
    if status == 204 { return .null }
    let value = bytes.withUnsafeBytes { try? JSONValue(reading: $0) }
    guard (200..<300).contains(status), let value else {
      throw refusal(status, value?.object ?? [:])
    }
    return value
  }

  /// The text of an answer, such as that of `/metrics`.
  package func text(_ path: [String]) async throws(NetworkError) -> String {
    let (status, bytes) = try await exchange("GET", path, [], nil, .seconds(30))
    guard status == 200 else { throw refusal(status, [:]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(_ status: Int, _ object: JSONValue.Object) -> NetworkError {
    guard let message = object["error"]?.string else {
      return NetworkError(.apiForeign, ["address": address, "status": "\(status)"])
    }
    guard let code = object["code"]?.string, code.hasPrefix("net-"), let exit = object["exit"]?.integer(Int32.self)
    else { return NetworkError(.apiRefused, ["error": message, "status": "\(status)"]) }
    var values = (object["values"]?.object ?? [:]).compactMapValues(\.string)
    // Where the word is not known here, its sentence is.
    values["error"] = message
    return NetworkError(NetworkError.Code(DiagnosticID(code), exit: ExitStatus(rawValue: exit)), values)
  }

  private func exchange(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: JSONValue?, _ limit: Duration
  ) async throws(NetworkError) -> (Int, [UInt8]) {
    var uri = "/" + path.map(PercentText.encoded).joined(separator: "/")
    if !query.isEmpty {
      uri += "?" + query.map { "\(PercentText.encoded($0.0))=\(PercentText.encoded($0.1))" }.joined(separator: "&")
    }
    let bytes = body.map { Array($0.line.utf8) } ?? []
    var headers = HTTPHeaders([
      ("Host", address), ("User-Agent", "mpaas"), ("Accept", "application/json"), ("Connection", "close"),
    ])
    if body != nil { headers.add(name: "Content-Type", value: "application/json") }
    if method != "GET" { headers.add(name: "Content-Length", value: "\(bytes.count)") }
    let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: uri, headers: headers)
    let (seconds, attoseconds) = limit.components
    let patience = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    do {
      let address = try target.resolved()
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      let answer = loop.makePromise(of: (Int, [UInt8]).self)
      let connected = ClientBootstrap(group: loop).connectTimeout(.seconds(5)).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(AnswerCollector(answer, patience))
        }
      }.connect(to: address)
      connected.whenFailure { answer.fail($0) }
      connected.whenSuccess { channel in
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
      }
      return try await answer.futureResult.get()
    } catch is AnswerCollector.TimedOut {
      throw NetworkError(.apiTimedOut, ["address": self.address])
    } catch let error as HTTPParserError {
      throw NetworkError(.apiForeign, ["address": self.address, "status": "\(error)"])
    } catch {
      throw NetworkError(.apiUnreachable, ["address": self.address, "reason": ErrorWords.of(error)])
    }
  }
}

/// Takes an answer together.
private final class AnswerCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  struct TimedOut: Error {}

  private let answer: EventLoopPromise<(Int, [UInt8])>
  private let patience: TimeAmount
  private var status = 0
  private var body: [UInt8] = []
  private var isDone = false
  private var timer: Scheduled<Void>?

  init(_ answer: EventLoopPromise<(Int, [UInt8])>, _ patience: TimeAmount) {
    self.answer = answer
    self.patience = patience
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: patience) { [answer] in
      answer.fail(TimedOut())
      channel.close(promise: nil)
    }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = Int(head.status.code)
    case .body(let bytes): body += bytes.readableBytesView
    case .end:
      isDone = true
      answer.succeed((status, body))
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  private func fail(_ error: any Error) {
    guard !isDone else { return }
    isDone = true
    answer.fail(error)
  }
}
