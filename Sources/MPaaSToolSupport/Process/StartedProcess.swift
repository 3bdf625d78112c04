package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program, from its start to its end.
package struct StartedProcess: Sendable {
  /// One of the three standard streams as the program gets it.
  package enum Stream: Sendable {
    /// The one of this program.
    case shared
    /// An empty file; what is written to it is lost.
    case nothing
    /// A descriptor of this program, which stays open here.
    case descriptor(Int32)
  }

  /// The standard streams of a program.
  package struct Streams: Sendable {
    package var input = Stream.shared
    package var output = Stream.shared
    package var errors = Stream.shared

    package init(input: Stream = .shared, output: Stream = .shared, errors: Stream = .shared) {
      self.input = input
      self.output = output
      self.errors = errors
    }
  }

  private let program: String
  private let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that `PATH` is searched for.
  ///   - environment: As NAME=value; nil for ours.
  /// - Throws: `FileError` where it cannot be started.
  package init(
    _ program: String, _ arguments: [String], environment: [String]? = nil, streams: Streams = Streams()
  ) throws(FileError) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, number) in zip([streams.input, streams.output, streams.errors], 0 as Int32..<3) {
      switch stream {
      case .shared: break
      case .nothing:
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    var words = Self.copies([program] + arguments)
    var variables = Self.copies(environment ?? [])
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let code = variables.withUnsafeMutableBufferPointer { own in
      posix_spawnp(&id, program, &actions, nil, &words, environment == nil ? environ : own.baseAddress)
    }
    guard code == 0 else { throw FileError(.open, program, Errno(rawValue: code)) }
    self.program = program
    self.id = id
  }

  /// C strings, and the nil that ends them.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Waits for its end, once.
  ///
  /// - Returns: The exit status, or 128 + the signal that ended it.
  package func wait() throws(FileError) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { throw .last(.open, program) }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// read(2): inside an extension the bare name is the method of the same name.
private let readBytes: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }

extension OpenFile {
  /// Reads what comes until the other end is closed, or it cannot be read; a piece is valid only inside `take`.
  package borrowing func readToEnd(_ take: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) { room in
      while true {
        let count = readBytes(descriptor, room.baseAddress, room.count)
        if count > 0 {
          take(UnsafeRawBufferPointer(rebasing: room[..<count]))
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
  }
}
