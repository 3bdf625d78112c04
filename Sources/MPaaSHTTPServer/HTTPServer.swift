import CMicroHTTP
package import MPaaSSupport
package import MPaaSTransferTools

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why no server could be started.
package enum HTTPServerError: Error, Sendable, Equatable {
  /// libmicrohttpd is not installed, or lacks something.
  case noLibrary(reason: String)
  /// Not `HOST:PORT`.
  case badAddress(String)
  case notListening(String, Errno)
}

extension HTTPServerError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    switch self {
    case .noLibrary(let reason): Diagnostic("microhttpd-missing", ["reason": reason], exit: .unreachable)
    case .badAddress(let address): Diagnostic("listen-address-malformed", ["address": address], exit: .usage)
    case .notListening(let address, let code):
      Diagnostic("listen-failed", ["address": address, "reason": code.description], exit: .cannotCreate)
    }
  }
}

/// A server over HTTP on libmicrohttpd, with a thread for each connection.
///
/// A single byte range of a file is answered, too. It ends when its owner lets it go or says so.
package final class HTTPServer: Sendable {
  /// Answers a path, percent escapes taken out; called on many threads at once.
  package typealias Handler = @Sendable (_ path: String) -> HTTPAnswer
  /// Answers any request; called on many threads at once.
  package typealias RequestHandler = @Sendable (_ request: ServedRequest) -> HTTPAnswer

  /// `http://HOST:PORT`, as clients reach it.
  package let url: String
  package let port: UInt16
  /// `@unchecked Sendable`: used at the start and at the end only.
  private struct Running: @unchecked Sendable {
    let server: OpaquePointer
    let context: Unmanaged<Callbacks>
  }
  private let running: Running

  /// Starts to serve what paths name: GET and HEAD.
  ///
  /// - Parameters:
  ///   - address: `HOST:PORT`, `[ADDRESS]:PORT`; port 0 lets the system choose.
  ///   - noteRequest: Told after each answer: method, path, status.
  package convenience init(
    listen address: String, noteRequest: @escaping @Sendable (String, String, Int) -> Void = { _, _, _ in },
    handler: @escaping Handler
  ) throws(HTTPServerError) {
    try self.init(listen: address, bodyLimit: 0, noteRequest: noteRequest) { request in
      request.method == "GET" || request.method == "HEAD"
        ? handler(request.path) : HTTPAnswer(405, text: "only GET and HEAD\n")
    }
  }

  /// Starts to serve requests of any method, with their queries and bodies.
  ///
  /// - Parameters:
  ///   - address: `HOST:PORT`, `[ADDRESS]:PORT`; port 0 lets the system choose.
  ///   - bodyLimit: The most bytes that a body may have.
  ///   - noteRequest: Told after each answer: method, path, status.
  package init(
    listen address: String, bodyLimit: Int, noteRequest: @escaping @Sendable (String, String, Int) -> Void,
    requestHandler: @escaping RequestHandler
  ) throws(HTTPServerError) {
    if let reason = mp_http_missing() { throw .noLibrary(reason: String(cString: reason)) }
    guard let (host, portText) = Self.parts(of: address) else { throw .badAddress(address) }
    let socket = mp_http_listen(host, portText)
    guard socket >= 0 else { throw .notListening(address, Errno(rawValue: -socket)) }
    var name = [CChar](repeating: 0, count: 64)
    var number: UInt16 = 0
    guard mp_http_bound(socket, &name, name.count, &number) == 0 else {
      close(socket)
      throw .badAddress(address)
    }
    let bound = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    url = "http://" + (bound.contains(":") ? "[\(bound)]" : bound) + ":\(number)"
    port = number
    let context = Unmanaged.passRetained(Callbacks(handler: requestHandler, noteRequest: noteRequest))
    let server = mp_http_start(
      socket, ConnectionLimit.make(), Self.idleSeconds, bodyLimit,
      { context, exchange, method, path in
        guard let context, let exchange, let method, let path else { return }
        Unmanaged<Callbacks>.fromOpaque(context).takeUnretainedValue()
          .answer(exchange, String(cString: method), String(cString: path))
      }, context.toOpaque())
    guard let server else {
      close(socket)
      context.release()
      throw .notListening(address, .resourceTemporarilyUnavailable)
    }
    running = Running(server: server, context: context)
  }

  deinit {
    mp_http_stop(running.server)
    running.context.release()
  }

  /// Seconds after which a connection is ended whose client sends or takes nothing.
  private static let idleSeconds: UInt32 = 30

  /// Host and port of `HOST:PORT`; nil for anything else.
  static func parts(of address: String) -> (host: String, port: String)? {
    guard let colon = address.lastIndex(of: ":") else { return nil }
    var host = address[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    let port = address[address.index(after: colon)...]
    guard !host.isEmpty, UInt16(port) != nil, port.allSatisfy(\.isNumber) else { return nil }
    return (String(host), String(port))
  }
}

/// The functions that the C library calls for each request.
private final class Callbacks: Sendable {
  private let handler: HTTPServer.RequestHandler
  private let noteRequest: @Sendable (String, String, Int) -> Void

  init(handler: @escaping HTTPServer.RequestHandler, noteRequest: @escaping @Sendable (String, String, Int) -> Void) {
    self.handler = handler
    self.noteRequest = noteRequest
  }

  func answer(_ exchange: OpaquePointer, _ method: String, _ path: String) {
    var answer = handler(ServedRequest(method: method, path: path, content: ExchangeContent(exchange: exchange)))
    let range = mp_http_request_header(exchange, "Range").map { String(cString: $0) }
    if let known = mp_http_request_header(exchange, "If-None-Match") {
      answer.dropBody(ifKnown: String(cString: known))
    }
    send(&answer, range, exchange)
    for header in answer.headers { mp_http_answer_header(exchange, header.name, header.value) }
    noteRequest(method, path, answer.status)
  }

  private func send(_ answer: inout HTTPAnswer, _ range: String?, _ exchange: OpaquePointer) {
    switch answer.body {
    case .bytes(let bytes):
      mp_http_answer_bytes(exchange, UInt32(answer.status), bytes, bytes.count)
    case .file(let path, var offset, var size):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        answer = HTTPAnswer(404, text: "not found\n")
        return send(&answer, nil, exchange)
      }
      answer.headers.append(("Accept-Ranges", "bytes"))
      if answer.status == 200, let range, let part = ByteRange(range, of: size) {
        answer.status = part.isEmpty ? 416 : 206
        answer.headers.append(("Content-Range", part.header(of: size)))
        offset += part.start
        size = part.count
      }
      mp_http_answer_file(exchange, UInt32(answer.status), descriptor, offset, size)
    }
  }
}

extension HTTPAnswer {
  /// Makes the answer 304 where the client has what bears the same entity tag (RFC 9110, 13.1.2).
  fileprivate mutating func dropBody(ifKnown tags: String) {
    guard status == 200, let own = headers.first(where: { $0.name == "ETag" })?.value else { return }
    let known = tags.split(separator: ",").map { $0.drop { $0 == " " } }
    guard known.contains("*") || known.contains(where: { $0 == own || $0 == "W/" + own }) else { return }
    status = 304
    body = .bytes([])
  }
}

/// A single range of bytes that a request asks for.
///
/// - Source: RFC 9110, 14.1.2.
struct ByteRange: Equatable {
  var start: UInt64
  var count: UInt64

  var isEmpty: Bool { count == 0 }

  /// Nil for what is no single range, which is answered with the whole; empty for one that lies outside.
  init?(_ text: String, of size: UInt64) {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (UInt64(ends[0]), UInt64(ends[1])) {
    case (let first?, let last?) where first <= last:
      start = first
      count = first < size ? min(last, size - 1) - first + 1 : 0
    case (let first?, nil) where ends[1].isEmpty:
      start = first
      count = first < size ? size - first : 0
    case (nil, let last?) where ends[0].isEmpty:
      start = size - min(last, size)
      count = min(last, size)
    default: return nil
    }
    if count == 0 { start = 0 }
  }

  func header(of size: UInt64) -> String {
    isEmpty ? "bytes */\(size)" : "bytes \(start)-\(start + count - 1)/\(size)"
  }
}
