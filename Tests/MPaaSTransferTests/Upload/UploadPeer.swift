import Crypto
import Foundation
import MPaaSTestSupport
import Synchronization

/// A server on 127.0.0.1 that takes uploads (tus 1.0, the IETF's draft, PUT, POST) into memory, with faults as told.
///
/// It keeps what arrived of a request that was cut. It ends with its owner.
final class UploadPeer: Sendable {
  struct Request: Sendable {
    let number: Int
    let method: String
    let path: String
    /// Names in lower case.
    let headers: [String: String]
  }

  enum Fault: Sendable {
    /// Answers with this status before it reads the body.
    case status(Int, [String] = [])
    /// Takes so many bytes of the body, then closes.
    case cutBody(Int)
    /// Does all, then closes instead of answering.
    case cutAnswer
    /// Does all, and sends so many bytes of the answer's head; less than none: that many before its end.
    case partAnswer(Int)
    /// Ends the connection with a reset, before it reads the body.
    case reset
    /// Takes the body, changing its first byte.
    case corrupt
    /// Forgets the upload, then answers 404.
    case forget
  }

  struct Upload: Sendable {
    var length: Int?
    var bytes: [UInt8] = []
    var metadata = ""
    var concat: String?
    var isComplete = false
    var digest: String?
  }

  struct State: Sendable {
    var uploads: [String: Upload] = [:]
    var requests: [Request] = []
    var bodies: [[UInt8]] = []
    /// Bytes of bodies that arrived, those that were sent again included.
    var received = 0
    var created = 0
  }

  private let listener: LoopbackListener
  private let state = Mutex(State())
  /// 0: tus; else the draft's version, of which `interim` says whether 104 is sent.
  private let draft: Int
  private let extensions: String
  private let fault: @Sendable (Request) -> Fault?

  init(
    draft: Int = 0, extensions: String = "creation,termination,checksum,concatenation,expiration",
    fault: @escaping @Sendable (Request) -> Fault? = { _ in nil }
  ) throws {
    self.draft = draft
    self.extensions = extensions
    self.fault = fault
    listener = try LoopbackListener()
    let handle = Handle(self)
    listener.serve { connection, _ in
      while let peer = handle.peer, peer.serve(connection) {}
    }
  }

  private final class Handle: @unchecked Sendable {
    weak var peer: UploadPeer?
    init(_ peer: UploadPeer) { self.peer = peer }
  }

  var port: UInt16 { listener.port }
  var url: String { listener.url + "/files" }
  var now: State { state.withLock { $0 } }
  var requests: [Request] { now.requests }
  /// Whole uploads that are no parts of others.
  var complete: [Upload] { now.uploads.values.filter { $0.isComplete && $0.concat?.hasPrefix("partial") != true } }

  // MARK: One request

  private func serve(_ connection: Int32) -> Bool {
    guard let head = Self.readHead(connection) else { return false }
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2 else { return false }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let fields = headers
    let request = state.withLock { state in
      let request = Request(
        number: state.requests.count, method: String(words[0]), path: String(words[1]), headers: fields)
      state.requests.append(request)
      return request
    }
    let fault = fault(request)
    if case .status(let status, let more)? = fault {
      // Closed, since the body is not read.
      answer(connection, status, more + ["Connection: close"])
      return false
    }
    if case .forget? = fault {
      state.withLock { $0.uploads[request.path] = nil }
      answer(connection, 404, ["Connection: close"])
      return false
    }
    if case .reset? = fault {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      return false
    }
    let isMade = draft > 0 && request.method == "POST" && request.path == "/files"
    let made = isMade ? create(request) : nil
    if fields["expect"] != nil { Self.write(connection, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    if let made, draft > 0 {
      var text = "HTTP/1.1 104 Upload Resumption Supported\r\n"
      text += "Upload-Draft-Interop-Version: \(draft)\r\nLocation: \(made)\r\n\r\n"
      Self.write(connection, Array(text.utf8))
    }
    let size = Int(fields["content-length"] ?? "0") ?? 0
    var limit = size
    if case .cutBody(let most)? = fault { limit = min(most, size) }
    var body = Self.read(connection, limit)
    state.withLock { $0.received += body.count }
    if case .corrupt? = fault, !body.isEmpty { body[0] ^= 1 }
    let isCut = body.count < size
    let (status, more) = handle(request, body, made: made, isCut: isCut)
    if isCut {
      // Closed in order, since a reset could overtake the address, which the client has not read yet.
      shutdown(connection, Int32(SHUT_WR))
      _ = Self.read(connection, size - body.count)
      return false
    }
    if case .cutAnswer? = fault { return false }
    if case .partAnswer(let size)? = fault {
      let head = Self.head(status, more)
      Self.write(connection, Array(size < 0 ? head.dropLast(-size) : head.prefix(size)))
      return false
    }
    answer(connection, status, more)
    return true
  }

  private func handle(_ request: Request, _ body: [UInt8], made: String?, isCut: Bool) -> (Int, [String]) {
    state.withLock { state in
      state.bodies.append(body)
      switch request.method {
      case "OPTIONS" where draft > 0: return (204, ["Upload-Limit: max-size=100000000"])
      case "OPTIONS":
        return (
          204,
          [
            "Tus-Resumable: 1.0.0", "Tus-Version: 1.0.0", "Tus-Extension: \(extensions)", "Tus-Max-Size: 100000000",
            "Tus-Checksum-Algorithm: sha1,sha256,crc32c",
          ]
        )
      case "PUT":
        if !isCut { state.uploads[request.path] = Upload(length: body.count, bytes: body, isComplete: true) }
        return (201, [])
      case "POST" where draft == 0:
        guard !isCut else { return (400, []) }
        if request.headers["tus-resumable"] == nil {
          state.uploads[request.path] = Upload(length: body.count, bytes: body, isComplete: true)
          return (200, [])
        }
        return createTus(request, body, &state)
      case "HEAD":
        guard let upload = state.uploads[request.path] else { return (404, []) }
        var lines = ["Upload-Offset: \(upload.bytes.count)", "Cache-Control: no-store", "Tus-Resumable: 1.0.0"]
        if let length = upload.length { lines.append("Upload-Length: \(length)") }
        if draft > 0 { lines.append("Upload-Complete: \(upload.isComplete ? "?1" : "?0")") }
        return (200, lines)
      case "DELETE":
        state.uploads[request.path] = nil
        return (204, [])
      case "PATCH", "POST": return append(request, body, path: made ?? request.path, isCut: isCut, &state)
      default: return (405, [])
      }
    }
  }

  private func create(_ request: Request) -> String {
    state.withLock { state in
      state.created += 1
      let path = "/files/\(state.created)"
      state.uploads[path] = Upload(
        length: request.headers["upload-length"].flatMap { Int($0) }, metadata: request.headers["upload-metadata"] ?? ""
      )
      return path
    }
  }

  private func createTus(_ request: Request, _ body: [UInt8], _ state: inout State) -> (Int, [String]) {
    state.created += 1
    let path = "/files/\(state.created)"
    var upload = Upload(length: request.headers["upload-length"].flatMap { Int($0) })
    upload.metadata = request.headers["upload-metadata"] ?? ""
    upload.concat = request.headers["upload-concat"]
    upload.bytes = body
    if let concat = upload.concat, concat.hasPrefix("final;") {
      for part in concat.dropFirst(6).split(separator: " ") {
        guard let found = state.uploads[String(part)], found.isComplete else { return (400, []) }
        upload.bytes += found.bytes
      }
      upload.length = upload.bytes.count
    }
    upload.isComplete = upload.bytes.count == upload.length
    state.uploads[path] = upload
    return (
      201,
      [
        "Location: \(path)", "Tus-Resumable: 1.0.0", "Upload-Offset: \(body.count)",
        "Upload-Expires: Sun, 06 Nov 2094 08:49:37 GMT",
      ]
    )
  }

  private func append(
    _ request: Request, _ body: [UInt8], path: String, isCut: Bool, _ state: inout State
  ) -> (Int, [String]) {
    guard var upload = state.uploads[path] else { return (404, []) }
    let offset = Int(request.headers["upload-offset"] ?? "0") ?? -1
    guard offset == upload.bytes.count else { return (409, ["Upload-Offset: \(upload.bytes.count)"]) }
    if let sum = request.headers["upload-checksum"], !isCut {
      let words = sum.split(separator: " ")
      let right: [UInt8]? =
        switch words.first {
        case "sha1": Array(Insecure.SHA1.hash(data: body))
        case "sha256": Array(SHA256.hash(data: body))
        default: nil
        }
      guard let right else { return (400, []) }
      guard words.count == 2, Data(base64Encoded: String(words[1])) == Data(right) else { return (460, []) }
    } else if request.headers["upload-checksum"] != nil {
      // A part that cannot be checked is not taken.
      return (400, [])
    }
    upload.bytes += body
    if let digest = request.headers["repr-digest"] { upload.digest = digest }
    if draft == 0 {
      upload.isComplete = upload.bytes.count == upload.length
    } else {
      upload.isComplete = !isCut && request.headers["upload-complete"] == "?1"
    }
    if upload.isComplete, let digest = upload.digest {
      let right = "sha-256=:\(Data(SHA256.hash(data: upload.bytes)).base64EncodedString()):"
      if digest != right {
        upload.bytes.removeLast(body.count)
        upload.isComplete = false
        state.uploads[path] = upload
        return (460, [])
      }
    }
    state.uploads[path] = upload
    var lines = ["Upload-Offset: \(upload.bytes.count)", "Tus-Resumable: 1.0.0"]
    if draft > 0 { lines += ["Upload-Complete: \(upload.isComplete ? "?1" : "?0")", "Location: \(path)"] }
    return (draft > 0 ? (upload.isComplete ? 200 : 201) : 204, lines)
  }

  private func answer(_ connection: Int32, _ status: Int, _ more: [String]) {
    Self.write(connection, Self.head(status, more))
  }

  private static func head(_ status: Int, _ more: [String]) -> [UInt8] {
    let length = status == 204 ? [] : ["Content-Length: 0"]
    return Array(((["HTTP/1.1 \(status) X"] + length + more).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  // MARK: Sockets

  private static func readHead(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var one: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard Foundation.read(connection, &one, 1) == 1 else { return nil }
      bytes.append(one)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func read(_ connection: Int32, _ size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    var have = 0
    while have < size {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Foundation.read(connection, buffer.baseAddress.map { $0 + have }, size - have)
      }
      guard count > 0 else { break }
      have += count
    }
    return Array(bytes[..<have])
  }

  private static func write(_ connection: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
