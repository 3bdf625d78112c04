import CTunnel
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that is run under conditions.
package struct ChildProgram: Sendable {
  package var command: [String]
  package var environment: [String: String]
  package var user: UserIdentity?
  /// A file that it sees as `/etc/resolv.conf`.
  package var resolver: String?

  package init(_ command: [String], environment: [String: String], user: UserIdentity? = nil) {
    self.command = command
    self.environment = environment
    self.user = user
  }

  /// The end of it.
  package struct End: Sendable, Hashable {
    package let process: Int32
    /// Its exit status, or 128 + the signal that ended it.
    package let status: Int32
    package let signal: Int32?
  }

  /// Runs it in the namespaces of this thread, to its end; signals that come for us go to it.
  ///
  /// - Throws: `net-child-not-started`.
  func run() throws(NetworkError) -> End {
    let arguments = Words(command)
    let variables = Words(environment.map { "\($0)=\($1)" }.sorted())
    let process = withOptionalCString(resolver) { resolver in
      withOptionalCString(user?.name) { name in
        var child = mpaas_child(
          arguments: arguments.pointers, environment: variables.pointers, resolver: resolver, user: name,
          uid: user?.uid ?? 0, gid: user?.gid ?? 0, death_signal: SIGTERM)
        return mpaas_child_start(&child)
      }
    }
    guard process > 0 else {
      throw NetworkError(
        .childNotStarted, ["program": command[0], "reason": Errno(rawValue: -process).description])
    }
    mpaas_child_forward_signals(process)
    defer { mpaas_child_forward_signals(0) }
    var status: Int32 = 0
    let waited = mpaas_child_wait(process, &status)
    guard waited == 0 else { throw .tunnel("waitpid", errno: waited) }
    let signal = status & 0x7f
    return End(
      process: process, status: signal == 0 ? status >> 8 & 0xff : 128 + signal, signal: signal == 0 ? nil : signal)
  }
}

/// The user that a program runs as.
package struct UserIdentity: Sendable, Hashable {
  package let name: String
  package let uid: UInt32
  package let gid: UInt32
  package let home: String

  /// - Throws: `net-user-unknown`.
  package init(named name: String) throws(NetworkError) {
    guard let entry = getpwnam(name) else { throw NetworkError(.userUnknown, ["user": name]) }
    self.name = name
    uid = entry.pointee.pw_uid
    gid = entry.pointee.pw_gid
    home = entry.pointee.pw_dir.map { String(cString: $0) } ?? "/"
  }
}

/// A list of C strings that ends with a null pointer.
private final class Words {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ words: [String]) {
    count = words.count
    pointers = .allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { pointers[index] = strdup(word) }
    pointers[words.count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  guard let text else { return body(nil) }
  return text.withCString(body)
}
