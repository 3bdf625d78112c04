package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The server's program, a binary of its own: what it links would make every start of the command slower.
package struct ServerBinary {
  package static let name = "mpaas-server"

  package let path: String

  /// Finds it by `MPAAS_SERVER`, beside the command's own binary, or in `../libexec/mpaas`.
  ///
  /// - Throws: `serve-binary-missing`.
  package init(environment: [String: String], executable: String = Executable.current()) throws {
    let folder = FileSystem.folder(of: executable)
    let places =
      environment["MPAAS_SERVER"].flatMap { $0.isEmpty ? nil : [$0] }
      ?? ["\(folder)/\(Self.name)", "\(FileSystem.folder(of: folder))/libexec/mpaas/\(Self.name)"]
    guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
      throw Diagnostic("serve-binary-missing", ["places": places.joined(separator: ", ")], exit: .inputMissing)
    }
    path = found
  }

  /// Puts the program in this process's place; it returns only where that cannot be done.
  package func become(_ words: [String]) throws -> Diagnostic {
    // What the command set for itself is not the program's.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(number, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
    arguments.append(nil)
    execv(path, &arguments)
    let reason = String(cString: strerror(errno))
    arguments.forEach { free($0) }
    return Diagnostic("serve-binary-fails", ["file": path, "reason": reason], exit: .inputOutput)
  }
}
