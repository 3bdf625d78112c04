import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// That nobody reads any more.
private final class LeftFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// The program that a person turns pages with: what is written to it appears there.
package final class Pager: Sendable {
  /// Takes what the person reads: it looks as it does on the terminal.
  package let results: ResultSink
  private let descriptor: Int32
  private let child: pid_t
  private let left: LeftFlag

  /// Whether the person has ended it, so that nothing more need be written.
  package var isGone: Bool { left.isSet }

  /// Starts a pager in the place of a terminal's output; nil where that is none, or no pager can be started.
  ///
  /// - Parameter environment: Names it by `MPAAS_PAGER` or `PAGER`; `cat` and an empty name mean none, and without
  ///   either it is `less`.
  package init?(over terminal: Terminal, environment: [String: String]) {
    let output = terminal.output
    let command = environment["MPAAS_PAGER"] ?? environment["PAGER"] ?? "less"
    guard output.isTerminal, !command.isEmpty, command != "cat", environment["TERM"] != "dumb" else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    // Short texts are left on the screen, and colours are shown, unless the user says otherwise.
    var variables = environment
    if variables["LESS"] == nil { variables["LESS"] = "FRX" }
    var words = Self.copies(["sh", "-c", command])
    var settings = Self.copies(variables.map { "\($0.key)=\($0.value)" })
    defer { (words + settings).forEach { free($0) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, "/bin/sh", &actions, nil, &words, &settings)
    close(ends[0])
    guard status == 0 else {
      close(ends[1])
      return nil
    }
    signal(SIGPIPE, SIG_IGN)
    child = pid
    descriptor = ends[1]
    let left = LeftFlag()
    self.left = left
    let end = ends[1]
    let paged = OutputStream(
      isTerminal: true, width: output.width,
      write: { text in
        var text = text
        text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: end, left) }
      },
      writeBytes: { Self.write($0, to: end, left) })
    results =
      Terminal(catalogue: terminal.catalogue, settings: terminal.settings, environment: environment, output: paged)
      .results
  }

  /// C strings, and the nil that ends them.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ left: LeftFlag) {
    var rest = bytes[...]
    while !rest.isEmpty, !left.isSet {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, part.baseAddress, part.count)
      #elseif canImport(Glibc)
        let count = Glibc.write(descriptor, part.baseAddress, part.count)
      #else
        let count = Musl.write(descriptor, part.baseAddress, part.count)
      #endif
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        left.set()
      }
    }
  }

  /// Says that nothing more comes, and waits until the person has ended the pager.
  package func finish() {
    close(descriptor)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }
}
