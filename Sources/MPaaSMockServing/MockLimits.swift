#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bounds that keep clients from holding the mock up, whether they mean to or not.
package struct MockLimits: Sendable {
  /// The most connections at once; further ones are closed as they come.
  package var connections = 4096
  /// The most bytes of a request's head.
  package var head = 64 << 10
  /// The most bytes of a body.
  package var body = 16 << 20
  /// The most seconds until the next request's head is there, from the connection's start or the last answer's end.
  package var patience = 60.0
  /// The most seconds until its body is there.
  package var bodyPatience = 600.0

  package init() {}

  /// The same, with no more connections than the process may open files.
  func fitting() -> MockLimits {
    var limit = rlimit()
    #if canImport(Glibc)
      // RLIMIT_NOFILE, which glibc has as an enumerator.
      let resource = __rlimit_resource_t(7)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return self }
    let wanted = rlim_t(connections + Self.reserve)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    guard limit.rlim_cur < wanted else { return self }
    var limits = self
    limits.connections = max(16, Int(limit.rlim_cur) - Self.reserve)
    return limits
  }

  /// Descriptors that are left to the rest of the process: files, and connections to other servers.
  private static let reserve = 128
}
