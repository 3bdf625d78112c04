import Foundation
import MPaaSTestSupport
import Synchronization

/// A bucket named `shop` on 127.0.0.1 that speaks as much of S3 as the package does, keeps objects in memory, and fails
/// as a test says; it ends with its owner.
///
/// It compares the key's identifier and the digests of bodies, not signatures.
public final class BucketDouble: Sendable {
  /// A request that came.
  public struct Request: Sendable {
    /// From 0, over all connections.
    public let number: Int
    /// `GET`, `PUT` and so on.
    public let method: String
    /// The name of the object, without the bucket.
    public let name: String
    /// The parameters of the query, unescaped.
    public let query: [String: String]
    /// Names in lower case.
    public let headers: [String: String]
  }

  /// A way to fail.
  public enum Fault: Sendable {
    /// An answer with an error in XML, before anything is done.
    case status(Int, String)
    /// The connection ends without an answer, before anything is done.
    case cut
    /// The request is done, and the connection ends without an answer.
    case cutAfter
    /// The connection ends in the middle of the answer's body.
    case cutBody
    /// The request is not done, though the answer begins as one that is well.
    case lateError(String)
  }

  private struct State {
    var objects: [String: [UInt8]] = [:]
    /// The headers of objects that begin with `x-amz-meta-`.
    var sayings: [String: [String: String]] = [:]
    var uploads: [String: [Int: [UInt8]]] = [:]
    var requests: [Request] = []
    var fault: (@Sendable (Request) -> Fault?)?
  }

  /// The identifier of the key that is taken.
  public static let key = "writer"
  /// The variables that have the key.
  public static let environment = ["AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": "secret/+="]

  private let listener: LoopbackListener
  private let state: Box

  private final class Box: Sendable {
    let value = Mutex(State())
  }

  /// Starts it on a free port.
  public init() throws {
    listener = try LoopbackListener()
    state = Box()
    listener.serve { [state] connection, _ in
      while Self.answer(connection, state) {}
    }
  }

  /// `http://127.0.0.1:PORT`.
  public var url: String { listener.url }
  /// The objects by their names.
  public var objects: [String: [UInt8]] { state.value.withLock { $0.objects } }
  /// Uploads in parts that are neither complete nor given up.
  public var uploads: Int { state.value.withLock { $0.uploads.count } }
  /// The requests so far, in the order in which they came.
  public var requests: [Request] { state.value.withLock { $0.requests } }

  /// The address of a place in the bucket.
  public func address(_ prefix: String = "blobs") -> String { "s3://shop/\(prefix)?endpoint=\(url)" }

  /// Has requests fail from now on, or no more.
  public func fail(_ fault: (@Sendable (Request) -> Fault?)?) { state.value.withLock { $0.fault = fault } }

  /// Takes an object away, or puts one there, behind everybody's back.
  public func set(_ name: String, _ bytes: [UInt8]?) { state.value.withLock { $0.objects[name] = bytes } }

  // MARK: - Answers

  /// Answers one request; false where the connection is over.
  private static func answer(_ connection: Int32, _ state: Box) -> Bool {
    let head = LoopbackListener.head(connection)
    guard head.hasSuffix("\r\n\r\n"), let (method, target, headers) = parsed(head) else { return false }
    if headers["expect"] != nil { _ = send("HTTP/1.1 100 Continue\r\n\r\n", [], connection) }
    guard let body = read(Int(headers["content-length"] ?? "0") ?? 0, connection) else { return false }
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var query: [String: String] = [:]
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let words = pair.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? "" }
      query[words[0]] = words.count > 1 ? words[1] : ""
    }
    let path = (parts[0].removingPercentEncoding ?? "").split(separator: "/", maxSplits: 1).map(String.init)
    let (request, fault) = state.value.withLock { state in
      let request = Request(
        number: state.requests.count, method: method, name: path.count > 1 ? path[1] : "", query: query,
        headers: headers)
      state.requests.append(request)
      return (request, state.fault?(request))
    }
    switch fault {
    case .cut: return false
    case .status(let status, let code): return send(refusal(status, code), request, connection)
    case .lateError(let code): return send(Answer(200, body: error(code)), request, connection)
    default: break
    }
    let reply = path.first == "shop" ? done(request, body, state) : refusal(404, "NoSuchBucket")
    if case .cutAfter = fault { return false }
    if case .cutBody = fault {
      var cut = reply
      cut.length = reply.body.count
      cut.body = Array(reply.body.prefix(reply.body.count / 2))
      _ = send(cut, request, connection)
      return false
    }
    return send(reply, request, connection)
  }

  private struct Answer {
    let status: Int
    var headers: [String: String]
    var body: [UInt8]
    /// The length that is announced, where it is another one.
    var length: Int?

    init(_ status: Int, _ headers: [String: String] = [:], body: [UInt8] = [], length: Int? = nil) {
      (self.status, self.headers, self.body, self.length) = (status, headers, body, length)
    }
  }

  private static func error(_ code: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>as the test says</Message></Error>".utf8)
  }

  private static func refusal(_ status: Int, _ code: String) -> Answer { Answer(status, body: error(code)) }

  /// Does what a request asks.
  private static func done(_ request: Request, _ body: [UInt8], _ state: Box) -> Answer {
    let name = request.headers["authorization"]?.split(separator: "Credential=").last?.prefix { $0 != "/" }
    guard name.map(String.init) == key else { return refusal(403, "InvalidAccessKeyId") }
    return state.value.withLock { state in
      let upload = request.query["uploadId"]
      switch request.method {
      case "HEAD", "GET": return read(request, state)
      case "PUT":
        if let upload, let part = request.query["partNumber"].flatMap({ Int($0) }) {
          guard state.uploads[upload] != nil else { return refusal(404, "NoSuchUpload") }
          state.uploads[upload]?[part] = body
          return Answer(200, ["ETag": "\"part\(part)-\(body.count)\""])
        }
        if request.headers["if-none-match"] == "*", state.objects[request.name] != nil {
          return refusal(412, "PreconditionFailed")
        }
        state.objects[request.name] = body
        state.sayings[request.name] = request.headers.filter { $0.key.hasPrefix("x-amz-meta-") }
        return Answer(200, ["ETag": "\"whole\""])
      case "POST":
        guard let upload else {
          let fresh = "upload \(state.requests.count)&+"
          state.uploads[fresh] = [:]
          let text = "<UploadId>\(fresh.replacing("&", with: "&amp;"))</UploadId>"
          return Answer(200, body: Array("<InitiateMultipartUploadResult>\(text)</InitiateMultipartUploadResult>".utf8))
        }
        guard let parts = state.uploads.removeValue(forKey: upload) else { return refusal(404, "NoSuchUpload") }
        state.objects[request.name] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
        return Answer(200, body: Array("<CompleteMultipartUploadResult/>".utf8))
      case "DELETE":
        if let upload { state.uploads[upload] = nil } else { state.objects[request.name] = nil }
        return Answer(204)
      default: return refusal(405, "MethodNotAllowed")
      }
    }
  }

  private static func read(_ request: Request, _ state: State) -> Answer {
    guard let object = state.objects[request.name] else { return refusal(404, "NoSuchKey") }
    guard request.method == "GET" else {
      return Answer(200, state.sayings[request.name] ?? [:], length: object.count)
    }
    guard let range = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap({ Int($0) }),
      range.count == 2
    else { return Answer(200, body: object) }
    guard range[0] < object.count else { return refusal(416, "InvalidRange") }
    return Answer(206, body: Array(object[range[0]...min(range[1], object.count - 1)]))
  }

  // MARK: - Bytes

  private static func parsed(_ head: String) -> (method: String, target: String, headers: [String: String])? {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return (words[0], words[1], headers)
  }

  private static func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var place = 0
    while place < count {
      let taken = bytes.withUnsafeMutableBytes {
        Foundation.read(connection, $0.baseAddress.map { $0 + place }, count - place)
      }
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else { return nil }
      place += taken
    }
    return bytes
  }

  private static func send(_ answer: Answer, _ request: Request, _ connection: Int32) -> Bool {
    let length = answer.length ?? answer.body.count
    let lines = ["HTTP/1.1 \(answer.status) As told", "Content-Length: \(length)"]
    let head = (lines + answer.headers.map { "\($0.key): \($0.value)" }).joined(separator: "\r\n") + "\r\n\r\n"
    return send(head, request.method == "HEAD" ? [] : answer.body, connection)
  }

  private static func send(_ head: String, _ body: [UInt8], _ connection: Int32) -> Bool {
    var rest = (Array(head.utf8) + body)[...]
    while !rest.isEmpty {
      let taken = LoopbackListener.send(rest, connection)
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else { return false }
      rest = rest.dropFirst(taken)
    }
    return true
  }
}
