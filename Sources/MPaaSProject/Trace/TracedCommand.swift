package import MPaaSSupport
package import MPaaSToolSupport

/// A command that is run to be traced: it gets `MPAAS_TRACE`, and the file that it leaves is read.
package struct TracedCommand: Sendable {
  private let command: [String]
  private let output: String?
  private let current: String
  private let temporary: TemporaryPlace
  private let processes: ProcessRunner

  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - output: The file that stays; nil for one in a folder that is gone afterwards.
  ///   - current: The folder that a path of `output` starts from, without a slash at its end.
  package init(
    _ command: [String], output: String?, in current: String, temporary: TemporaryPlace,
    by processes: ProcessRunner = .live
  ) {
    self.command = command
    self.output = output
    self.current = current
    self.temporary = temporary
    self.processes = processes
  }

  /// Runs the command, whose standard output goes to standard error: results are the caller's to print.
  ///
  /// - Returns: The trace, and the command's status.
  /// - Throws: `Diagnostic` `trace-not-left` where it leaves no file; `FileError`; `TraceError`.
  package func run() throws -> (trace: TraceFile, status: ExitStatus) {
    // In a folder of ours, so that the file is the traced program's alone.
    let folder = try output == nil ? temporary.makeFolder("mpaas-trace") : nil
    defer { if let folder { FileSystem.removeTree(folder) } }
    let path = output ?? "\(folder ?? ".")/trace.json"
    // A file from before would be taken for the one that the command leaves.
    try FileSystem.remove(path)
    let status = ExitStatus(rawValue: try processes.run(request(tracingTo: path)).status)
    guard FileStatus(path)?.kind == .file else {
      throw Diagnostic(
        "trace-not-left", ["command": command.joined(separator: " "), "status": "\(status.rawValue)"],
        exit: status == .done ? .negative : status)
    }
    return (try TraceFile.reading(path), status)
  }

  private func request(tracingTo path: String) -> ProcessRunner.Request {
    let absolute = path.hasPrefix("/") ? path : current + "/" + path
    let script = "MPAAS_TRACE=$1; export MPAAS_TRACE; shift; exec \"$@\" >&2"
    return ProcessRunner.Request("/bin/sh", ["-c", script, "sh", absolute] + command, capturesOutput: false)
  }
}

extension TraceFile {
  /// Reads a trace from a file.
  ///
  /// - Throws: `FileError`, `TraceError`.
  package static func reading(_ path: String) throws -> TraceFile {
    var buffer = FileBuffer()
    return try buffer.withFile(path, limit: 1 << 28) { try TraceFile($0, file: path) }
  }
}
