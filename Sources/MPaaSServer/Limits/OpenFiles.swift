#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number of files that the process may have open.
enum OpenFiles {
  /// More than the server ever needs.
  private static let most: rlim_t = 65_536

  /// Raises the limit as far as the system lets, and says what it is.
  static func raised() -> Int {
    #if canImport(Glibc)
      // RLIMIT_NOFILE, which glibc has as an enumerator.
      let kind = __rlimit_resource_t(7)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return 256 }
    let wanted = min(limit.rlim_max, most)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(kind, &raised) == 0 { limit = raised }
    }
    return Int(clamping: min(limit.rlim_cur, most))
  }
}
