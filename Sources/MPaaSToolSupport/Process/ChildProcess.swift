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

  package static let live = ProcessRunner { request throws(FileError) in
    guard request.capturesOutput else { return Outcome(status: try start(request, StartedProcess.Streams()).wait()) }
    let pipe = try OpenPipe()
    let streams = StartedProcess.Streams(output: .descriptor(pipe.writing.descriptor), errors: .nothing)
    let process = try start(request, streams)
    // The program has the other end alone now, so that its end is seen.
    let end = pipe.endToReadFrom()
    var output: [UInt8] = []
    end.readToEnd { output += $0 }
    return Outcome(status: try process.wait(), output: String(decoding: output, as: UTF8.self))
  }

  /// Starts a program, and hands it its input.
  private static func start(
    _ request: Request, _ streams: StartedProcess.Streams
  ) throws(FileError) -> StartedProcess {
    guard let input = request.input else {
      return try StartedProcess(
        request.program, request.arguments, environment: request.environment, streams: streams)
    }
    // A socket, so that a child that ends early does not end us with a signal.
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { throw .last(.open, request.program) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let feed = OpenFile(descriptor: ends[0], path: "socket")
    let other = OpenFile(descriptor: ends[1], path: "socket")
    var streams = streams
    streams.input = .descriptor(other.descriptor)
    let process = try StartedProcess(
      request.program, request.arguments, environment: request.environment, streams: streams)
    // The program has it alone now, so that nothing waits for one that ends early.
    _ = consume other
    send(input, to: feed.descriptor)
    return process
  }
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
