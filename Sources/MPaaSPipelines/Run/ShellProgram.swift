package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs lines of shell and hands over what they print, line by line; tests put another value in its place.
package struct ShellProgram: Sendable {
  /// A line of shell with the folder and the environment that it runs in.
  package struct Request: Sendable, Equatable {
    package var line: String
    package var folder: String
    /// As NAME=value.
    package var environment: [String]

    package init(_ line: String, in folder: String, environment: [String]) {
      self.line = line
      self.folder = folder
      self.environment = environment
    }
  }

  /// The reason why the shell could not be started.
  package typealias Failure = FileError

  /// Runs a line to its end.
  ///
  /// - Parameter output: Gets each line of both standard streams without its end.
  /// - Returns: The exit status, or 128 + the signal that ended the shell.
  /// - Throws: `FileError` where the shell cannot be started.
  package let run: @Sendable (_ request: Request, _ output: (String) -> Void) throws(Failure) -> Int32

  package init(run: @escaping @Sendable (Request, (String) -> Void) throws(Failure) -> Int32) {
    self.run = run
  }

  package static let live = ShellProgram { (request, output) throws(FileError) in
    let pipe = try OpenPipe()
    let child = try start(request, writing: pipe.writing.descriptor)
    // The shell has the other end alone now, so that its end is seen.
    let end = pipe.endToReadFrom()
    read(lines: end.descriptor, output)
    return try status(of: child)
  }

  private static let shell = "/bin/sh"

  private static func start(_ request: Request, writing end: Int32) throws(FileError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, end, 1)
    posix_spawn_file_actions_adddup2(&actions, end, 2)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    // The folder is a word of the shell's, so that no sign in it means anything.
    let words = [shell, "-e", "-c", "cd -- \"$1\"\nshift\n" + request.line, shell, request.folder]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var variables: [UnsafeMutablePointer<CChar>?] = request.environment.map { strdup($0) } + [nil]
    defer { variables.forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, shell, &actions, nil, &arguments, &variables)
    guard code == 0 else { throw FileError(.open, shell, Errno(rawValue: code)) }
    return child
  }

  private static func read(lines end: Int32, _ output: (String) -> Void) {
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Self.read(end, &chunk)
      if count <= 0 { break }
      rest += chunk[..<count]
      var start = rest.startIndex
      while let newline = rest[start...].firstIndex(of: 0x0a) {
        output(String(decoding: rest[start..<newline], as: UTF8.self))
        start = newline + 1
      }
      rest.removeSubrange(..<start)
    }
    if !rest.isEmpty { output(String(decoding: rest, as: UTF8.self)) }
  }

  private static func read(_ end: Int32, _ chunk: inout [UInt8]) -> Int {
    while true {
      let count = chunk.withUnsafeMutableBytes { bytes in
        #if canImport(Darwin)
          Darwin.read(end, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          Glibc.read(end, bytes.baseAddress, bytes.count)
        #else
          Musl.read(end, bytes.baseAddress, bytes.count)
        #endif
      }
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func status(of child: pid_t) throws(FileError) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw .last(.open, shell) }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
