import CCurl
import MPaaSLock
import MPaaSTime

/// libcurl's way of driving many transfers on one thread, with the connections that stay open between them.
///
/// `@unchecked Sendable`: only who took it out of a pool uses it, but for `wake`, which libcurl allows from any thread.
final class CurlMulti: @unchecked Sendable {
  private let multi: OpaquePointer
  private var idle: [OpaquePointer] = []

  /// nil where libcurl cannot be used.
  init?(connectionsPerHost: Int) {
    guard let multi = mp_curl_multi_open(connectionsPerHost) else { return nil }
    self.multi = multi
  }

  /// The reason why libcurl cannot be used; nil where it can.
  static var missing: String? { mp_curl_missing().map { String(cString: $0) } }

  /// Begins a transfer; nil where libcurl does not take it.
  func begin(_ plan: inout mp_curl_request) -> OpaquePointer? {
    guard let session = idle.popLast() ?? mp_curl_open() else { return nil }
    if mp_curl_multi_add(multi, session, &plan) { return session }
    idle.append(session)
    return nil
  }

  /// Drives the transfers for at most so long, and gives one that ended.
  func next(within wait: TimeSpan) -> (session: OpaquePointer, outcome: mp_curl_outcome)? {
    var outcome = mp_curl_outcome()
    let milliseconds = Int32(clamping: wait.milliseconds)
    guard let session = mp_curl_multi_next(multi, milliseconds, &outcome) else { return nil }
    idle.append(session)
    return (session, outcome)
  }

  /// Ends a transfer at once.
  func end(_ session: OpaquePointer) {
    mp_curl_multi_remove(multi, session)
    idle.append(session)
  }

  /// Ends the wait of `next`; from any thread.
  func wake() { mp_curl_multi_wake(multi) }

  deinit {
    for session in idle { mp_curl_close(session) }
    mp_curl_multi_close(multi)
  }
}

/// Those that are not in use.
final class CurlMultiPool: Sendable {
  private let idle = Lock<[CurlMulti]>([])

  func take(connectionsPerHost: Int) -> CurlMulti? {
    idle.withLock { $0.popLast() } ?? CurlMulti(connectionsPerHost: connectionsPerHost)
  }

  func giveBack(_ multi: CurlMulti) {
    idle.withLock { $0.append(multi) }
  }
}
