import CCurl
import MPaaSSupport
import MPaaSTime

/// A call on its way, as libcurl sees it.
final class CurlCall {
  private let call: HTTPCall
  private let body: CallBody?
  private var head = AnswerHead()
  private var interimStatus: Int?
  private var answer: [UInt8] = []
  private var isTooLarge = false
  private var isRefused = false

  init(_ call: HTTPCall) throws(HTTPError) {
    self.call = call
    guard let pieces = call.body else {
      body = nil
      return
    }
    do throws(FileError) {
      body = try CallBody(pieces, passing: call.passing)
    } catch {
      throw HTTPError(.file(error), url: call.url)
    }
  }

  func run(_ session: OpaquePointer, userAgent: String, _ settings: HTTPSettings) throws(HTTPError) -> HTTPReply {
    var plan = plan(settings)
    var outcome = mp_curl_outcome()
    let pins = settings.pinned.map { "sha256//" + $0 }.joined(separator: ";")
    let texts = [
      call.url, userAgent, call.method, settings.certificates ?? "", call.signer?.scheme ?? "", call.signer?.user ?? "",
      call.signer?.secret ?? "", settings.proxy ?? "", pins,
    ]
    withCStrings(texts + call.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }) { strings in
      plan.url = strings[0]
      plan.user_agent = strings[1]
      if call.method != "GET" && call.method != "HEAD" { plan.method_name = strings[2] }
      if settings.certificates != nil { plan.certificates = strings[3] }
      if call.signer != nil { (plan.signature, plan.user, plan.password) = (strings[4], strings[5], strings[6]) }
      if settings.proxy != nil { plan.proxy = strings[7] }
      if !pins.isEmpty { plan.pinned = strings[8] }
      strings[texts.count...].withContiguousStorageIfAvailable { pointers in
        plan.headers = pointers.baseAddress
        plan.header_count = pointers.count
        mp_curl_get(session, &plan, &outcome)
      }
    }
    guard outcome.result == mp_curl_done else { throw error(outcome) }
    guard head.isWhole else { throw HTTPError(.unreachable, url: call.url, reason: AnswerHead.cutReason) }
    let retryAfter: TimeSpan? = outcome.retry_after > 0 ? .seconds(outcome.retry_after) : nil
    return HTTPReply(
      status: Int(outcome.status), headers: head.fields, repeated: head.repeated, body: answer, retryAfter: retryAfter)
  }

  private func plan(_ settings: HTTPSettings) -> mp_curl_request {
    var plan = mp_curl_request()
    plan.is_head = call.method == "HEAD"
    plan.takes_refusals = true
    plan.connect_milliseconds = call.limits.connect.milliseconds
    plan.total_milliseconds = call.limits.total?.milliseconds ?? 0
    if let stall = call.limits.stall {
      plan.low_speed_seconds = max(stall.milliseconds / 1000, 1)
      plan.low_speed_bytes = max(call.limits.slowBytes / plan.low_speed_seconds, 1)
    }
    plan.redirects = call.limits.redirects
    plan.keeps_path = call.keepsPath
    plan.expect_milliseconds = call.expectation.milliseconds
    plan.http_version = settings.version?.curlNumber ?? 0
    (plan.send_rate, plan.receive_rate) = (settings.sendRate, settings.receiveRate)
    plan.context = Unmanaged.passUnretained(self).toOpaque()
    plan.body = { context, status, bytes, size in CurlCall.of(context)?.take(status, bytes, size) ?? 0 }
    plan.head = { context, line, size in CurlCall.of(context)?.takeHead(line, size) }
    plan.progress = { context, _, _ in CurlCall.of(context)?.isEnded == true ? 1 : 0 }
    if let body {
      plan.sends_body = true
      plan.upload_size = body.size
      plan.give = { context, target, size in
        CurlCall.of(context)?.body?.give(into: UnsafeMutableRawBufferPointer(start: target, count: size)) ?? 0
      }
      // Without it libcurl cannot repeat what it has begun to send, as it does for connections that were used before.
      if !call.isSentOnce {
        plan.rewind = { context, offset in CurlCall.of(context)?.body?.rewind(to: offset) ?? false }
      }
    }
    if call.admits != nil {
      plan.admits = { context, address, size in
        let bytes = Array(UnsafeBufferPointer(start: address, count: size))
        return CurlCall.of(context)?.call.admits?(bytes) ?? false
      }
    }
    if call.sent != nil {
      plan.sent = { context, _, now in
        CurlCall.of(context)?.call.sent?(UInt64(max(now, 0)))
        return 0
      }
    }
    return plan
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlCall? {
    context.map { Unmanaged<CurlCall>.fromOpaque($0).takeUnretainedValue() }
  }

  private var isEnded: Bool { Task.isCancelled || call.isCancelled() || call.limits.isPastDeadline }

  private func take(_ status: Int, _ start: UnsafeRawPointer?, _ size: Int) -> Int {
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    if let receive = call.receive, (200...299).contains(status) {
      isRefused = !receive(status, head.fields, bytes)
      return isRefused ? 0 : size
    }
    guard answer.count + size <= call.answerLimit else {
      isTooLarge = true
      return 0
    }
    answer += bytes
    return size
  }

  private func takeHead(_ start: UnsafePointer<CChar>?, _ size: Int) {
    let line = String(utf8: UnsafeRawBufferPointer(start: start, count: size))
    head.take(line)
    if line.hasPrefix("HTTP/") {
      let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
      interimStatus = status.flatMap { (100...199).contains($0) ? $0 : nil }
    } else if let status = interimStatus, line == "\r\n" || line == "\n" {
      interimStatus = nil
      call.interim?(status, head.fields)
    }
  }

  private func error(_ outcome: mp_curl_outcome) -> HTTPError {
    if let failure = body?.failure { return HTTPError(.file(failure), url: call.url) }
    if isTooLarge { return HTTPError(.tooLarge(limit: UInt64(call.answerLimit)), url: call.url) }
    if isEnded {
      guard !call.isCancelled() else { return HTTPError(.cancelled, url: call.url) }
      return HTTPError(.cancelled, url: call.url).endedByDeadline(of: call.limits, url: call.url)
    }
    if isRefused { return HTTPError(.notAccepted, url: call.url) }
    return HTTPError(HTTPError.Code(outcome), url: call.url, reason: outcome.reason)
  }
}

extension HTTPSettings.Version {
  /// libcurl's number of it (`CURL_HTTP_VERSION_…`).
  var curlNumber: Int {
    switch self {
    case .http1: 2
    case .http2: 3
    case .http3: 30
    }
  }
}
