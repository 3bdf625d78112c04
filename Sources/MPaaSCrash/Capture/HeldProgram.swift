import CTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that is ready to start, and waits until all is prepared to observe it.
package struct HeldProgram {
  /// The number that the program will have.
  package let process: Int32
  private let gate: Int32
  private let command: [String]

  /// Forks a child that waits for `launch`.
  ///
  /// - Parameters:
  ///   - command: The program, a path or a name on `PATH`, and its arguments.
  ///   - assignment: `NAME=value` for its environment, where it has no such name.
  ///   - output: The descriptor that becomes its standard output and error; nil for ours.
  /// - Throws: `CaptureError` where the system has no place for it.
  package init(
    _ command: [String], adding assignment: String? = nil, output: Int32? = nil
  ) throws(CaptureError) {
    try self.init(command, adding: assignment, words: nil, output: output)
  }

  init(
    _ command: [String], adding assignment: String?, words: StandardErrorWords?, output: Int32? = nil
  ) throws(CaptureError) {
    let added = (assignment ?? "").withCString { strdup($0) }
    let variables = assignment == nil ? nil : mt_environment_adding(added)
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer {
      for argument in arguments { free(argument) }
      free(variables)
      free(added)
    }
    var gate: Int32 = -1
    process = arguments.withUnsafeMutableBufferPointer { arguments in
      var start = mt_command()
      start.program = UnsafePointer(arguments[0])
      start.arguments = UnsafePointer(arguments.baseAddress)
      start.environment = UnsafePointer(variables ?? environ)
      start.words = words?.pointer
      start.output = output ?? -1
      return mt_fork(&start, &gate)
    }
    self.gate = gate
    self.command = command
    guard process > 0 else { throw CaptureError(.cannotStart, command: command.first, system: -process) }
  }

  /// Lets it start.
  package func launch() { mt_launch(gate) }

  /// Ends it before it has started.
  package func abandon() { mt_abandon(process, gate) }

  /// The reason why it could not become the program; asked once, after its end.
  package func startError() -> CaptureError? {
    let system = -mt_launch_error(gate)
    switch system {
    case 0: return nil
    case ENOENT, ENOTDIR: return CaptureError(.commandNotFound, command: command.first, system: system)
    case EACCES, ENOEXEC, EISDIR: return CaptureError(.commandNotExecutable, command: command.first, system: system)
    default: return CaptureError(.cannotStart, command: command.first, system: system)
    }
  }
}
