import MPaaSSupport
package import MPaaSTransfer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Objects below a place in a bucket: put, read whole or in ranges, removed.
///
/// Its functions block. What a store fails at that may work in a while is tried again, after a pause that grows and is
/// never the same for two; then it is `away`.
package struct S3Store: Sendable {
  /// The number of tries, and the milliseconds before the second one.
  package struct Patience: Sendable {
    package var tries = 5
    package var pause = 100
    /// Milliseconds of one pause at most, whatever the store asks for.
    package var longest = 2000

    package init() {}
  }

  package let place: S3Place
  package var patience = Patience()
  private var signature: S3Signature
  private let client: HTTPClient
  private let now: @Sendable () -> Double

  private static let digestHeader = "x-amz-meta-sha256"
  /// SHA-256 of no bytes.
  static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// - Parameters:
  ///   - signature: Signs by a key; for the region of the place, whatever its own is.
  ///   - client: nil for libcurl, which is loaded at the first request.
  ///   - now: Seconds since 1970, which signatures have; those of the system's clock.
  package init(
    _ place: S3Place, _ signature: S3Signature, userAgent: String, client: HTTPClient? = nil,
    now: @escaping @Sendable () -> Double = { Double(time(nil)) }
  ) {
    (self.place, self.signature, self.now) = (place, signature, now)
    self.signature.region = place.region
    var settings = HTTPSettings()
    if place.isLoopback { settings.proxy = "" }
    self.client = client ?? .live(userAgent: userAgent, settings: settings)
  }

  /// The number of bytes of an object; nil where there is none.
  package func size(of name: String) throws(S3Error) -> Int64? {
    let reply = try exchange(Request("HEAD", name))
    if reply.status == 404 { return nil }
    guard reply.isSuccess else { throw S3Error(reply) }
    guard let size = reply.headers["content-length"].flatMap({ Int64($0) }), size >= 0 else {
      throw S3Error(.malformed, "Content-Length")
    }
    return size
  }

  /// The SHA-256 that was said of an object when it was put there; nil where there is none, or nothing was said.
  package func digest(of name: String) throws(S3Error) -> String? {
    let reply = try exchange(Request("HEAD", name))
    // A bucket that may not be listed answers that a missing object is forbidden.
    if reply.status == 404 || reply.status == 403 { return nil }
    guard reply.isSuccess else { throw S3Error(reply) }
    return reply.headers[Self.digestHeader]
  }

  /// The bytes of an object, or those of a range of it; nil where there is none.
  ///
  /// - Parameter limit: The most bytes that are taken into memory.
  package func bytes(of name: String, _ range: Range<Int64>? = nil, limit: Int) throws(S3Error) -> [UInt8]? {
    var request = Request("GET", name)
    // The words of an error may be longer.
    request.answerLimit = max(limit, 64 << 10)
    if let range {
      if range.isEmpty { return [] }
      request.headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    }
    let reply = try exchange(request)
    if reply.status == 404, S3Fault(reply.body)?.code != "NoSuchBucket" { return nil }
    guard reply.isSuccess else { throw S3Error(reply) }
    // A store that passes over ranges sends all of it.
    if let range, reply.status != 206 || reply.body.count != range.count { throw S3Error(.malformed, "Range") }
    guard reply.body.count <= limit else { throw S3Error(.malformed, "\(reply.body.count) bytes") }
    return reply.body
  }

  /// Puts bytes or a file in one request.
  ///
  /// - Parameters:
  ///   - sha256: The digest of all of it, which the store compares.
  ///   - isNew: Whether an object that is there already is left, and told as `taken`.
  package func put(
    _ name: String, _ piece: HTTPCall.Piece, sha256: String, isNew: Bool = false
  ) throws(S3Error) {
    let condition = isNew ? [("If-None-Match", "*")] : []
    try put(name, piece, sha256, [("Content-Type", "application/octet-stream")] + condition)
  }

  /// Puts a file that readers without a key are served, with its digest for `digest(of:)`.
  package func publish(
    _ name: String, _ piece: HTTPCall.Piece, sha256: String, type: String, cacheControl: String
  ) throws(S3Error) {
    let headers = [("Cache-Control", cacheControl), ("Content-Type", type), (Self.digestHeader, sha256)]
    try put(name, piece, sha256, headers)
  }

  private func put(
    _ name: String, _ piece: HTTPCall.Piece, _ sha256: String, _ headers: [(name: String, value: String)]
  ) throws(S3Error) {
    var request = Request("PUT", name)
    request.body = piece
    request.sha256 = sha256
    request.headers = headers
    let reply = try exchange(request)
    guard reply.isSuccess else { throw S3Error(reply) }
  }

  /// Removes an object; one that is not there is removed already.
  package func remove(_ name: String) throws(S3Error) {
    let reply = try exchange(Request("DELETE", name))
    guard reply.isSuccess || reply.status == 404 && S3Fault(reply.body)?.code != "NoSuchBucket" else {
      throw S3Error(reply)
    }
  }

  // MARK: - Requests

  struct Request {
    let method: String
    let name: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: HTTPCall.Piece?
    var sha256 = S3Store.digestOfNothing
    var answerLimit = 1 << 20

    init(_ method: String, _ name: String) { (self.method, self.name) = (method, name) }
  }

  /// Does a request until its answer is one that trying again does not change.
  func exchange(_ request: Request) throws(S3Error) -> HTTPReply {
    var tries = 0
    while true {
      tries += 1
      var asked: Int?
      var fault: S3Error
      do throws(HTTPError) {
        let reply = try client.exchange(call(request))
        if reply.isSuccess { return reply }
        fault = S3Error(reply)
        if fault.code != .away { return reply }
        asked = reply.retryAfter?.milliseconds
      } catch {
        fault = S3Error(error)
      }
      guard fault.code == .away, tries < patience.tries else { throw fault }
      pause(tries, asked)
    }
  }

  private func call(_ request: Request) -> HTTPCall {
    var subject = S3Signature.Subject(
      request.method, host: place.host, path: place.path + PercentEncoding.encode(request.name, keeping: "/"),
      sha256: request.sha256)
    subject.query = request.query
    subject.headers = request.headers
    let query = subject.queryText
    var call = HTTPCall(
      request.method, place.origin + subject.path + (query.isEmpty ? "" : "?" + query),
      headers: signature.headers(of: subject, at: Int(now())), body: request.body.map { [$0] })
    call.keepsPath = true
    call.limits.redirects = 0
    call.limits.connect = .seconds(5)
    call.limits.stall = .seconds(30)
    call.answerLimit = request.answerLimit
    return call
  }

  /// Waits a time that doubles with the tries, half of it by chance.
  ///
  /// - Parameter asked: The milliseconds that the store asked for.
  private func pause(_ tries: Int, _ asked: Int?) {
    let most = max(min(max(patience.pause << min(tries - 1, 10), asked ?? 0), patience.longest), 1)
    usleep(UInt32(Int.random(in: most / 2...most)) * 1000)
  }
}
