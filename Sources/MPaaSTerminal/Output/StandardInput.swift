#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the user or a pipe gives the command to read.
package enum StandardInput {
  package static var isTerminal: Bool { isatty(0) == 1 }
}
