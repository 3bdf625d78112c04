package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs other programs; tests put another value in its place.
package struct ProcessRunner: Sendable {
  package struct Outcome: Sendable, Equatable {
    /// The exit status, or 128 + the signal that ended it.
    package let status: Int32
    /// Its standard output; empty where that was not captured.
    package let output: String

    package init(status: Int32, output: String = "") {
      self.status = status
      self.output = output
    }
  }

  package struct Request: Sendable, Equatable {
    /// A path, or a name that `PATH` is searched for.
    package var program: String
    package var arguments: [String]
    /// Tells whether standard output is read instead of shared with ours.
    package var capturesOutput: Bool
    /// The bytes that it reads from standard input, to its end before it writes anything; nil to share ours.
    package var input: [UInt8]?
    /// Its environment, as NAME=value; nil for ours.
    package var environment: [String]?

    package init(
      _ program: String, _ arguments: [String], capturesOutput: Bool, input: [UInt8]? = nil,
      environment: [String]? = nil
    ) {
      self.program = program
      self.arguments = arguments
      self.capturesOutput = capturesOutput
      self.input = input
      self.environment = environment
    }
  }

  /// The reason why a program could not be started.
  package typealias Failure = FileError

  /// Runs a program to its end; throws where it cannot be started.
  package let run: @Sendable (Request) throws(Failure) -> Outcome

  package init(run: @escaping @Sendable (Request) throws(Failure) -> Outcome) {
    self.run = run
  }

  package static let live = ProcessRunner { request throws(FileError) in try spawn(request) }
}

private func spawn(_ request: ProcessRunner.Request) throws(FileError) -> ProcessRunner.Outcome {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = posix_spawn_file_actions_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  var ends: [Int32] = [-1, -1]
  if request.capturesOutput {
    guard pipe(&ends) == 0 else { throw .last(.open, request.program) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  }
  // A socket, so that a child that ends early does not end us with a signal.
  var feed: [Int32] = [-1, -1]
  if request.input != nil {
    guard socketpair(AF_UNIX, streamSocket, 0, &feed) == 0 else { throw .last(.open, request.program) }
    posix_spawn_file_actions_adddup2(&actions, feed[1], 0)
    posix_spawn_file_actions_addclose(&actions, feed[0])
    posix_spawn_file_actions_addclose(&actions, feed[1])
  }
  var arguments: [UnsafeMutablePointer<CChar>?] = ([request.program] + request.arguments).map { strdup($0) } + [nil]
  defer { arguments.forEach { free($0) } }
  var variables: [UnsafeMutablePointer<CChar>?] = (request.environment ?? []).map { strdup($0) } + [nil]
  defer { variables.forEach { free($0) } }
  var pid: pid_t = 0
  let code = variables.withUnsafeMutableBufferPointer { own in
    posix_spawnp(
      &pid, request.program, &actions, nil, &arguments, request.environment == nil ? environ : own.baseAddress)
  }
  if request.capturesOutput { close(ends[1]) }
  if let input = request.input {
    close(feed[1])
    if code == 0 { send(input, to: feed[0]) }
    close(feed[0])
  }
  defer { if request.capturesOutput { close(ends[0]) } }
  guard code == 0 else { throw FileError(.open, request.program, Errno(rawValue: code)) }
  var output: [UInt8] = []
  if request.capturesOutput {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count > 0 {
        output += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        break
      }
    }
  }
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 {
    guard errno == EINTR else { throw .last(.open, request.program) }
  }
  let signal = status & 0x7f
  return ProcessRunner.Outcome(
    status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: String(decoding: output, as: UTF8.self))
}

#if canImport(Darwin) || canImport(Musl)
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

/// Writes all of it, or as much as the other end takes.
private func send(_ input: [UInt8], to socket: Int32) {
  #if canImport(Darwin)
    let flags: Int32 = 0
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  input.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = send(socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
