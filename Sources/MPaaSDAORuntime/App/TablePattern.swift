#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A POSIX extended regular expression over the names of tables.
///
/// The C library's are there on every system, which Swift's own are not.
final class TablePattern {
  private var compiled = regex_t()

  /// - Throws: `dao-expression` where the pattern cannot be read.
  init(_ pattern: String) throws(DAOError) {
    guard regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 else {
      throw DAOError(.expression, ["reason": pattern])
    }
  }

  deinit { regfree(&compiled) }

  func matches(_ name: String) -> Bool { regexec(&compiled, name, 0, nil, 0) == 0 }
}
