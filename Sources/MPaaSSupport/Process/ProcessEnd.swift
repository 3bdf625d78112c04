#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The end of a program whose other threads may still be at work.
package enum ProcessEnd {
  /// Ends the process with what was written flushed, and without the handlers that libraries leave for `exit`.
  ///
  /// Those of OpenSSL free its tables. A thread that closes a connection of libcurl at that moment would use them and
  /// end the program with SIGSEGV after its work is done.
  package static func now(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }
}
