import CCurl
import MPaaSSupport
import MPaaSTime

/// One request for a file, or for what of it is not here yet, and its answer on the way into the file.
final class DownloadAttempt {
  let url: String
  /// Bytes that were here before.
  let start: UInt64
  /// The version that those bytes are of; nil where it is not known.
  let validator: String?
  private let file: PartialFile
  private let job: DownloadJob
  private let limits: HTTPRequest.Limits
  private(set) var head = AnswerHead()
  private(set) var failure: DownloadFault?
  /// The version that the file is of since this answer; nil where it goes on with what was here.
  private(set) var source: PartialSource?
  /// Tells whether the answer's head was looked at.
  private var isBegun = false

  init(
    _ url: String, _ job: DownloadJob, _ limits: HTTPRequest.Limits, into file: PartialFile, of validator: String?
  ) {
    self.url = url
    self.validator = validator
    self.job = job
    self.limits = limits
    self.file = file
    start = file.size
  }

  /// Hands the request to libcurl, which copies what it needs but keeps this attempt's address until the end.
  func withRequest(userAgent: String, settings: HTTPSettings, _ body: (inout mp_curl_request) -> Void) {
    var lines = job.headers.map { "\($0.name): \($0.value)" }
    // Not libcurl's own way of resuming: it gives up where the server sends all of it again.
    if start > 0 { lines.append("Range: bytes=\(start)-") }
    if start > 0, let validator { lines.append("If-Range: \(validator)") }
    if let tag = job.knownTag { lines.append("If-None-Match: \(tag)") }
    var plan = mp_curl_request()
    plan.connect_milliseconds = limits.connect.milliseconds
    plan.total_milliseconds = limits.total?.milliseconds ?? 0
    if let stall = limits.stall {
      let seconds = max(stall.milliseconds / 1000, 1)
      plan.low_speed_seconds = seconds
      plan.low_speed_bytes = max(limits.slowBytes / seconds, 1)
    }
    plan.redirects = limits.redirects
    plan.accepts_compression = job.acceptsCompression && start == 0
    plan.context = Unmanaged.passUnretained(self).toOpaque()
    plan.body = { context, status, bytes, size in DownloadAttempt.of(context)?.take(status, bytes, size) ?? 0 }
    plan.head = { context, line, size in
      DownloadAttempt.of(context)?.head.take(String(utf8: UnsafeRawBufferPointer(start: line, count: size)))
    }
    plan.receive_rate = settings.receiveRate
    plan.http_version = settings.version?.curlNumber ?? 0
    let pins = settings.pinned.map { "sha256//" + $0 }.joined(separator: ";")
    withCStrings([url, userAgent, settings.certificates ?? "", settings.proxy ?? "", pins] + lines) { strings in
      plan.url = strings[0]
      plan.user_agent = strings[1]
      if settings.certificates != nil { plan.certificates = strings[2] }
      if settings.proxy != nil { plan.proxy = strings[3] }
      if !pins.isEmpty { plan.pinned = strings[4] }
      strings[5...].withContiguousStorageIfAvailable { pointers in
        plan.headers = pointers.baseAddress
        plan.header_count = pointers.count
        body(&plan)
      }
    }
  }

  /// Bytes of the whole file, as the answer says; nil where it does not.
  var announced: UInt64? { head.range.map(\.whole) ?? head.length }

  /// Digests of the whole file, and of what this answer brought, that the file must have when all is there.
  var digests: [FileClaim] {
    let digests = head.digests
    return [
      FileClaim(name: "Repr-Digest", start: 0, digests: digests.file),
      FileClaim(name: "Content-Digest", start: start, digests: digests.body),
    ].filter { !$0.digests.isEmpty }
  }

  /// The fault of the request; nil where the file is whole, as far as sizes tell.
  func fault(_ outcome: mp_curl_outcome) -> DownloadFault? {
    if outcome.result == mp_curl_done, failure == nil, !head.isWhole {
      failure = .passing(error(.unreachable, AnswerHead.cutReason), retryAfter: nil)
    }
    if outcome.result == mp_curl_done, failure == nil, outcome.status != 304 {
      // An empty body is never handed over.
      if !isBegun { begin(outcome.status) }
      if failure == nil, let size = job.size, file.size < size {
        failure = .passing(error(.unreachable, "\(file.size) of \(size) bytes came"), retryAfter: nil)
      }
    }
    if outcome.result == mp_curl_done, failure == nil { return nil }
    return DownloadFault(outcome, failure: failure, isResumed: start > 0, url: url)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> DownloadAttempt? {
    context.map { Unmanaged<DownloadAttempt>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ status: Int, _ bytes: UnsafeRawPointer?, _ size: Int) -> Int {
    if !isBegun { begin(status) }
    if failure == nil, let whole = job.size, file.size + UInt64(size) > whole {
      failure = .wrong(error(.notAccepted, "more than \(whole) bytes came"), isInFile: true)
    }
    if failure == nil, let limit = limits.size, file.size + UInt64(size) > limit {
      failure = .wrong(error(.tooLarge(limit: limit)), isInFile: true)
    }
    guard failure == nil else { return 0 }
    do throws(FileError) {
      try file.append(UnsafeRawBufferPointer(start: bytes, count: size))
      return size
    } catch {
      failure = .local(self.error(.file(error)))
      return 0
    }
  }

  /// Looks whether the body is what was asked for, before the first byte of it is written.
  private func begin(_ status: Int) {
    isBegun = true
    switch status {
    // The caller's own range.
    case 206 where start == 0 && job.headers.contains { $0.name.lowercased() == "range" }: break
    case 206:
      guard start > 0, let range = head.range, range.start == start else {
        failure = .cannotResume(error(.other, "another range came"))
        return
      }
      // Some servers do not look at If-Range.
      if let validator, !AnswerHead.isOf(validator, head.fields) {
        failure = .cannotResume(error(.other, "another version came"))
        return
      }
      check(range.whole)
    case 200:
      check(head.length)
      guard failure == nil else { return }
      do throws(FileError) {
        if start > 0 { try file.restart() }
        let source = PartialSource(url: url, validator: head.validator)
        // A file that is fetched again in no time needs no mark of its version.
        if let partial = job.partial, job.size ?? .max > 1 << 20 { try source.write(beside: partial) }
        self.source = source
      } catch {
        failure = .local(self.error(.file(error)))
      }
    default: failure = .refused(error(.status(status)))
    }
  }

  private func check(_ announced: UInt64?) {
    guard let announced else { return }
    if let size = job.size, announced != size {
      failure = .wrong(error(.notAccepted, "\(announced) bytes were announced, not \(size)"), isInFile: false)
    } else if let limit = limits.size, announced > limit {
      failure = .wrong(error(.tooLarge(limit: limit)), isInFile: false)
    }
  }

  private func error(_ code: HTTPError.Code, _ reason: String = "") -> HTTPError {
    HTTPError(code, url: url, reason: reason)
  }
}
