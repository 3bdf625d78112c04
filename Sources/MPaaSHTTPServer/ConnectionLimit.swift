#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of connections that a server keeps open at once.
///
/// Clients that send half a request and wait hold a connection each until its time is over; there is room for many of
/// them beside those that get answers.
enum ConnectionLimit {
  /// Connections at most, wherever the process may open enough files.
  static let most: UInt32 = 1024
  /// Descriptors of a connection: its socket, and the file that is sent.
  private static let descriptors = 2
  /// Descriptors that are left to the rest of the process.
  private static let reserve = 64

  /// Lets the process open as many files as it may, up to what `most` connections need.
  ///
  /// - Returns: The connections that its descriptors suffice for, from 16 to `most`.
  static func make() -> UInt32 {
    let wanted = rlim_t(Int(most) * descriptors + reserve)
    var limit = rlimit()
    #if canImport(Glibc)
      // RLIMIT_NOFILE, which glibc has as an enumerator.
      let resource = __rlimit_resource_t(7)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    guard limit.rlim_cur < wanted else { return most }
    return UInt32(max(16, (Int(limit.rlim_cur) - reserve) / descriptors))
  }
}
