import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A shell that takes this process's place.
enum StartedShell {
  /// Puts a shell in this process's place; it returns only where that cannot be done.
  static func become(_ shell: String, in folder: String) -> Diagnostic {
    guard chdir(folder) == 0 else { return failure(folder) }
    // Shells tell where they are by it, also where a link led there.
    setenv("PWD", folder, 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(shell), nil]
    defer { arguments.forEach { free($0) } }
    // This thread may have signals blocked that are not the shell's.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    execv(shell, &arguments)
    return failure(shell)
  }

  private static func failure(_ path: String) -> Diagnostic {
    Diagnostic(
      "shell-not-started", ["path": path, "reason": String(cString: strerror(errno))], exit: .inputOutput)
  }
}
