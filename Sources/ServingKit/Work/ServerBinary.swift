package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The second program: whatever serves or proxies, a binary of its own, since what it links would make every start of the
/// command slower.
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

  /// Puts the program in this process's place with arguments of its own; it returns only where that cannot be done.
  package func become(_ words: [String]) -> Diagnostic {
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    return become(&arguments)
  }

  /// Puts the program in this process's place, called as this one was, and leaves it work; it returns only where that
  /// cannot be done.
  func become(_ work: Bytes) -> Diagnostic {
    // It would do so again, and so on.
    guard FileSystem.resolved(path) != Executable.current() else {
      return Diagnostic("internal-fault", ["reason": "\(path) has not what it is called for"], exit: .internalFault)
    }
    guard HandedFile.leave(work) else { return failure() }
    // As they came: bytes that are no UTF-8 are arguments too.
    return become(CommandLine.unsafeArgv)
  }

  private func become(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Diagnostic {
    // Handlers of signals end with this program, and what is ignored on purpose (nohup) stays so; but this thread may
    // have signals blocked that are not the program's.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    execv(path, arguments)
    return failure()
  }

  private func failure() -> Diagnostic {
    let reason = String(cString: strerror(errno))
    return Diagnostic("serve-binary-fails", ["file": path, "reason": reason], exit: .inputOutput)
  }
}
