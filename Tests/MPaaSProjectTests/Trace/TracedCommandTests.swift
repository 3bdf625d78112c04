import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("A command that is traced") struct TracedCommandTests {
  static let trace = #"[{"name":"work","ph":"X","pid":7,"tid":3,"ts":1,"dur":2}]"#
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A runner that leaves `trace` at the path that the shell is told, and ends with `status`.
  private static func runner(leaving trace: String? = Self.trace, status: Int32 = 0) -> ProcessRunner {
    ProcessRunner { request in
      if let trace { _ = FileManager.default.createFile(atPath: request.arguments[3], contents: Data(trace.utf8)) }
      return ProcessRunner.Outcome(status: status)
    }
  }

  private func command(_ output: String? = nil, by processes: ProcessRunner) -> TracedCommand {
    TracedCommand(
      ["shop", "--fast"], output: output, in: folder.path, temporary: TemporaryPlace(folder.path), by: processes)
  }

  @Test("is started by the shell with its own arguments behind the path of the trace")
  func arguments() throws {
    let processes = ProcessRunner { request throws(FileError) in
      #expect(request.program == "/bin/sh")
      #expect(Array(request.arguments.suffix(2)) == ["shop", "--fast"])
      #expect(request.arguments[3].hasPrefix("/"))
      #expect(!request.capturesOutput)
      return try Self.runner().run(request)
    }
    _ = try command(by: processes).run()
  }

  @Test("gives its trace and its status, and leaves no folder")
  func folderIsGone() throws {
    let (trace, status) = try command(by: Self.runner(status: 3)).run()
    #expect(trace.spans.map(\.name) == ["work"])
    #expect(status == ExitStatus(rawValue: 3))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("leaves the file that is wanted")
  func output() throws {
    let path = folder.path + "/kept.json"
    #expect(try command(path, by: Self.runner()).run().trace.file == path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("is told a path that it finds from any folder")
  func absolutePath() throws {
    let processes = ProcessRunner { request in
      #expect(request.arguments[3] == folder.path + "/kept.json")
      return ProcessRunner.Outcome(status: 1)
    }
    #expect(throws: Diagnostic.self) { try command("kept.json", by: processes).run() }
  }

  @Test("that leaves no trace is an error with its status, a negative answer for 0", arguments: [0, 7] as [Int32])
  func noTrace(status: Int32) throws {
    let exit = status == 0 ? ExitStatus.negative : ExitStatus(rawValue: status)
    let error = Diagnostic("trace-not-left", ["command": "shop --fast", "status": "\(status)"], exit: exit)
    #expect(throws: error) { try command(by: Self.runner(leaving: nil, status: status)).run() }
  }

  @Test("is not taken for the author of a file that was there before")
  func fileFromBefore() throws {
    let path = folder.path + "/old.json"
    try Data(Self.trace.utf8).write(to: URL(filePath: path))
    #expect(throws: Diagnostic.self) { try command(path, by: Self.runner(leaving: nil)).run() }
  }
}
