import CCurl
import MPaaSSupport
import MPaaSTransfer

/// One request whose answer is small: HEAD, or PUT of bytes in memory.
final class CurlExchange {
  /// The signer, as S3 wants it.
  struct Signer {
    let scheme: String
    let user: String
    let secret: String
  }

  private var head = AnswerHead()
  /// The beginning of the answer's body, which says why a server refused.
  private var answer: [UInt8] = []

  func run(
    _ session: OpaquePointer, _ method: mp_curl_method, _ request: HTTPRequest, body: Bytes = .empty, userAgent: String,
    certificates: String?, signer: Signer?
  ) throws(HTTPError) -> HTTPResponse {
    let lines = request.headers.map { "\($0.name): \($0.value)" }
    var plan = mp_curl_request()
    plan.method = method
    plan.upload = body.buffer.baseAddress
    plan.upload_size = UInt64(body.count)
    plan.connect_milliseconds = 15_000
    plan.low_speed_seconds = 60
    plan.low_speed_bytes = 100
    plan.context = Unmanaged.passUnretained(self).toOpaque()
    plan.body = { context, _, bytes, size in
      if let bytes { CurlExchange.of(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size)) }
      return size
    }
    plan.head = { context, line, size in CurlExchange.of(context)?.takeHead(line, size) }
    plan.progress = { _, _, _ in Task.isCancelled ? 1 : 0 }
    var outcome = mp_curl_outcome()
    let texts = [
      request.url, userAgent, certificates ?? "", signer?.scheme ?? "", signer?.user ?? "", signer?.secret ?? "",
    ]
    withCStrings(texts + lines) { strings in
      plan.url = strings[0]
      plan.user_agent = strings[1]
      plan.certificates = certificates == nil ? nil : strings[2]
      plan.signature = signer == nil ? nil : strings[3]
      plan.user = strings[4]
      plan.password = strings[5]
      strings[texts.count...].withContiguousStorageIfAvailable { pointers in
        plan.headers = pointers.baseAddress
        plan.header_count = pointers.count
        mp_curl_get(session, &plan, &outcome)
      }
    }
    guard outcome.result == mp_curl_done else { throw error(outcome, request.url) }
    guard head.isWhole else { throw HTTPError(.unreachable, url: request.url, reason: AnswerHead.cutReason) }
    return HTTPResponse(status: Int(outcome.status), size: UInt64(answer.count), headers: head.fields)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
    context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    answer += bytes.prefix(max(0, 4096 - answer.count))
  }

  private func takeHead(_ line: UnsafePointer<CChar>?, _ size: Int) {
    head.take(String(utf8: UnsafeRawBufferPointer(start: line, count: size)))
  }

  private func error(_ outcome: mp_curl_outcome, _ url: String) -> HTTPError {
    HTTPError(Task.isCancelled ? .cancelled : HTTPError.Code(outcome), url: url, reason: outcome.reason)
  }
}
