package import MPaaSSupport
import MPaaSToolSupport

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
    let process = try start(request, writing: .descriptor(pipe.writing.descriptor))
    // The shell has the other end alone now, so that its end is seen.
    let end = pipe.endToReadFrom()
    read(linesOf: end, output)
    return try process.wait()
  }

  private static func start(
    _ request: Request, writing end: StartedProcess.Stream
  ) throws(FileError) -> StartedProcess {
    let shell = "/bin/sh"
    // The folder is a word of the shell's, so that no sign in it means anything.
    let words = ["-e", "-c", "cd -- \"$1\"\nshift\n" + request.line, shell, request.folder]
    let streams = StartedProcess.Streams(input: .nothing, output: end, errors: end)
    return try StartedProcess(shell, words, environment: request.environment, streams: streams)
  }

  private static func read(linesOf end: borrowing OpenFile, _ output: (String) -> Void) {
    var rest: [UInt8] = []
    end.readToEnd { bytes in
      rest += bytes
      var start = rest.startIndex
      while let newline = rest[start...].firstIndex(of: 0x0a) {
        output(String(decoding: rest[start..<newline], as: UTF8.self))
        start = newline + 1
      }
      rest.removeSubrange(..<start)
    }
    if !rest.isEmpty { output(String(decoding: rest, as: UTF8.self)) }
  }
}
