import CCurl
import MPaaSSupport
import SystemPackage

/// One transfer into a file: as many requests as it takes when the connection breaks off.
final class CurlTransfer {
  private let download: HTTPDownload
  private var request: HTTPRequest { download.request }
  private let userAgent: String
  private let certificates: String?
  private let file: PartialFile
  private var headers: [String: String] = [:]
  private var failure: HTTPError.Code?
  private var isFirstPiece = true

  init(_ download: HTTPDownload, userAgent: String, certificates: String?) throws(HTTPError) {
    self.download = download
    self.userAgent = userAgent
    self.certificates = certificates
    do throws(FileError) {
      file = try Self.file(for: download)
    } catch {
      throw HTTPError(.file(error), url: download.request.url)
    }
  }

  private static func file(for download: HTTPDownload) throws(FileError) -> PartialFile {
    guard let partial = download.partial else { return try PartialFile(beside: download.target) }
    do throws(FileError) {
      return try PartialFile(
        continuing: partial, beside: download.target, limit: download.request.limits.size ?? .max)
    } catch {
      // Another program gets the same file now.
      guard error.code == .resourceTemporarilyUnavailable else { throw error }
      return try PartialFile(beside: download.target)
    }
  }

  func run(_ session: OpaquePointer) throws(HTTPError) -> HTTPResponse {
    var resumptions = request.limits.resumptions
    while true {
      let outcome = perform(session)
      if outcome.result == mp_curl_done, failure == nil {
        guard download.accept(file.path) else {
          file.discard()
          throw HTTPError(.notAccepted, url: request.url)
        }
        do throws(FileError) { try file.finish() } catch { throw HTTPError(.file(error), url: request.url) }
        return HTTPResponse(status: Int(outcome.status), size: file.size, headers: headers)
      }
      guard failure == nil, resumptions > 0, outcome.result.mayGoOn, file.size > 0 else {
        let error = error(outcome)
        // What is larger than it may be is another file.
        if case .tooLarge = error.code { file.discard() }
        throw error
      }
      resumptions -= 1
      // Only with a mark of the version can the rest be told to belong to what is there, or by the content in the end.
      let isTellable = validator != nil || download.partial != nil
      if !isTellable || request.acceptsCompression || outcome.result == mp_curl_cannot_resume { try restart() }
    }
  }

  private func restart() throws(HTTPError) {
    do throws(FileError) { try file.restart() } catch { throw HTTPError(.file(error), url: request.url) }
  }

  /// RFC 9110, 13.1.5: a strong entity tag, or the time of the last change.
  private var validator: String? {
    if let tag = headers["etag"], !tag.hasPrefix("W/") { return tag }
    return headers["last-modified"]
  }

  private func perform(_ session: OpaquePointer) -> mp_curl_outcome {
    var lines = request.headers.map { "\($0.name): \($0.value)" }
    if file.size > 0, let validator { lines.append("If-Range: \(validator)") }
    let limits = request.limits
    var plan = mp_curl_request()
    plan.connect_milliseconds = limits.connect.milliseconds
    plan.total_milliseconds = limits.total?.milliseconds ?? 0
    if let stall = limits.stall {
      let seconds = max(stall.milliseconds / 1000, 1)
      plan.low_speed_seconds = seconds
      plan.low_speed_bytes = max(limits.slowBytes / seconds, 1)
    }
    plan.largest = Int64(clamping: limits.size ?? 0)
    plan.resume_from = Int64(clamping: file.size)
    plan.redirects = limits.redirects
    plan.accepts_compression = request.acceptsCompression
    plan.context = Unmanaged.passUnretained(self).toOpaque()
    plan.body = { context, status, bytes, size in CurlTransfer.of(context)?.take(status, bytes, size) ?? 0 }
    plan.head = { context, line, size in CurlTransfer.of(context)?.takeHead(line, size) }
    plan.progress = { context, total, now in CurlTransfer.of(context)?.isToStop(total, now) == false ? 0 : 1 }
    var outcome = mp_curl_outcome()
    withCStrings([request.url, userAgent, certificates ?? ""] + lines) { strings in
      plan.url = strings[0]
      plan.user_agent = strings[1]
      plan.certificates = certificates == nil ? nil : strings[2]
      strings[3...].withContiguousStorageIfAvailable { pointers in
        plan.headers = pointers.baseAddress
        plan.header_count = pointers.count
        mp_curl_get(session, &plan, &outcome)
      }
    }
    return outcome
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

// MARK: - What libcurl calls

extension CurlTransfer {
  private func take(_ status: Int, _ bytes: UnsafeRawPointer?, _ size: Int) -> Int {
    do throws(FileError) {
      // A server that does not go on sends all of it again.
      if status != 206, file.size > 0, isFirstPiece { try file.restart() }
      isFirstPiece = false
      if let limit = request.limits.size, file.size + UInt64(size) > limit {
        failure = .tooLarge(limit: limit)
        return 0
      }
      try file.append(UnsafeRawBufferPointer(start: bytes, count: size))
      return size
    } catch {
      failure = .file(error)
      return 0
    }
  }

  private func takeHead(_ line: UnsafePointer<CChar>?, _ size: Int) {
    let text = String(utf8: UnsafeRawBufferPointer(start: line, count: size))
    if text.hasPrefix("HTTP/") {
      headers = [:]
      isFirstPiece = true
    }
    guard headers.count < 100, let colon = text.firstIndex(of: ":") else { return }
    headers[text[..<colon].lowercased()] = text[text.index(after: colon)...].trimmed
  }

  private func isToStop(_ total: Int64, _ now: Int64) -> Bool {
    if Task.isCancelled { failure = .cancelled }
    if total > 0 || now > 0 {
      let already = file.size >= UInt64(max(now, 0)) ? file.size - UInt64(max(now, 0)) : 0
      download.progress(HTTPProgress(received: file.size, total: total > 0 ? UInt64(total) + already : nil))
    }
    return failure != nil
  }

  private func error(_ outcome: mp_curl_outcome) -> HTTPError {
    let reason = withUnsafeBytes(of: outcome.message) { message in
      String(utf8: UnsafeRawBufferPointer(rebasing: message.prefix { $0 != 0 }))
    }
    let code = HTTPError.Code(outcome, limit: request.limits.size ?? 0)
    return HTTPError(failure ?? code, url: request.url, reason: reason)
  }
}

extension mp_curl_result {
  /// Whether another request may get the rest.
  fileprivate var mayGoOn: Bool {
    self == mp_curl_broken_off || self == mp_curl_cannot_resume
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(clamping: components.seconds.multipliedReportingOverflow(by: 1000).partialValue)
      + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

extension Substring {
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// Hands over the texts as C strings that live as long as the call.
func withCStrings(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Void) {
  let copies = texts.map { text in
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: text.utf8CString)
    return bytes
  }
  defer { copies.forEach { $0.deallocate() } }
  body(copies.map { UnsafePointer($0.baseAddress) })
}
