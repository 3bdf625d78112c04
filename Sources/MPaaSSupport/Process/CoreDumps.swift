import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Core dumps of this process, which would hold its private keys and passphrases.
///
/// Only programs that are ours from start to end do without them: a library has no say in the dumps of an app.
///
/// - Source: prctl(2), PR_SET_DUMPABLE. It also keeps other processes of the user from tracing this one. A program that is
///   started from here has it back (execve(2)), so that nothing which is run and watched is affected.
package enum CoreDumps {
  private struct State {
    var isOwnProgram = false
    var isForbidden = false
  }

  private static let state = Lock(State())

  /// Says that this process is a program of the kit, and so may be made one that leaves no core.
  package static func belongToProgram() {
    state.withLock { $0.isOwnProgram = true }
  }

  /// Keeps this process from leaving a core from now on, since a secret comes into its memory; keys live to its end.
  package static func forbid() {
    state.withLock { state in
      guard state.isOwnProgram, !state.isForbidden else { return }
      state.isForbidden = true
      disable()
    }
  }

  private static func disable() {
    #if canImport(Darwin)
      var limit = rlimit()
      getrlimit(RLIMIT_CORE, &limit)
      limit.rlim_cur = 0
      setrlimit(RLIMIT_CORE, &limit)
    #else
      // Swift imports no function of C with a variable number of arguments; integers go the same way to this one.
      typealias Control = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
      guard let symbol = dlsym(nil, "prctl") else { return }
      let setDumpable: CInt = 4
      _ = unsafeBitCast(symbol, to: Control.self)(setDumpable, 0, 0, 0, 0)
    #endif
  }
}
