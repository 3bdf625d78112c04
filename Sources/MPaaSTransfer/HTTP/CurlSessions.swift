import CCurl
import MPaaSLock

/// libcurl's handles with their open connections, each used by one thread at a time.
package final class CurlSessions: Sendable {
  /// `@unchecked Sendable`: a handle may move between threads, and only who took it out uses it.
  private struct Handle: @unchecked Sendable {
    let session: OpaquePointer
  }

  private let idle = Lock<[Handle]>([])

  package init() {}

  /// The reason why libcurl cannot be used; nil where it can.
  package var missing: String? { mp_curl_missing().map { String(cString: $0) } }

  package func with<Value, Failure: Error>(_ body: (OpaquePointer?) throws(Failure) -> Value) throws(Failure) -> Value {
    let handle = idle.withLock { $0.popLast() } ?? mp_curl_open().map { Handle(session: $0) }
    defer { if let handle { idle.withLock { $0.append(handle) } } }
    return try body(handle?.session)
  }

  deinit {
    idle.withLock { handles in
      for handle in handles { mp_curl_close(handle.session) }
    }
  }
}
