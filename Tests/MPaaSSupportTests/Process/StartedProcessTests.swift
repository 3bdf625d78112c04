import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("A program that is started") struct StartedProcessTests {
  private static func shell(
    _ line: String, environment: [String]? = nil, streams: StartedProcess.Streams = .init()
  ) throws(FileError) -> StartedProcess {
    try StartedProcess("/bin/sh", ["-c", line], environment: environment, streams: streams)
  }

  @Test(
    "ends with its status, or with 128 and the signal that ended it", arguments: [("exit 7", 7), ("kill -9 $$", 137)])
  func status(line: String, status: Int32) throws {
    #expect(try Self.shell(line).wait() == status)
  }

  @Test("is searched for in PATH by its name, and an error names it where it is not there")
  func search() throws {
    #expect(try StartedProcess("true", []).wait() == 0)
    #expect(throws: FileError(.open, "mpaas-no-such-program", .noSuchFileOrDirectory)) {
      try StartedProcess("mpaas-no-such-program", [])
    }
  }

  @Test("writes both streams to one end, which ends with it")
  func oneEnd() throws {
    let pipe = try OpenPipe()
    let end = StartedProcess.Stream.descriptor(pipe.writing.descriptor)
    let process = try Self.shell("printf a; printf b >&2", streams: .init(input: .nothing, output: end, errors: end))
    let reading = pipe.endToReadFrom()
    var bytes: [UInt8] = []
    reading.readToEnd { bytes += $0 }
    #expect(bytes == Array("ab".utf8))
    #expect(try process.wait() == 0)
  }

  @Test("has nothing to read, and its words are lost, where it is to have nothing")
  func nothing() throws {
    let streams = StartedProcess.Streams(input: .nothing, output: .nothing, errors: .nothing)
    #expect(try Self.shell("read line && exit 1; echo a; echo b >&2", streams: streams).wait() == 0)
  }

  @Test("has the environment that it is given, and no other")
  func environment() throws {
    let line = "test \"$A\" = 'x y' && test -z \"$HOME\""
    #expect(try Self.shell(line, environment: ["A=x y"]).wait() == 0)
  }

  @Test("gets no other descriptor of this program")
  func descriptors() throws {
    let pipe = try OpenPipe()
    let number = pipe.writing.descriptor
    let streams = StartedProcess.Streams(errors: .nothing)
    #expect(try Self.shell("echo a >&\(number)", streams: streams).wait() != 0)
  }
}

@Suite("A program that is run") struct ProcessRunnerTests {
  @Test("reads its input to the end, however long, and its output is what it wrote")
  func input() throws {
    let input = [UInt8](repeating: 0x61, count: 1 << 20)
    let outcome = try ProcessRunner.live.run(.init("wc", ["-c"], capturesOutput: true, input: input))
    #expect(outcome.status == 0)
    #expect(outcome.output.filter(\.isNumber) == "1048576")
  }

  @Test("is not waited for with input that it does not read")
  func unreadInput() throws {
    let input = [UInt8](repeating: 0x61, count: 1 << 22)
    let outcome = try ProcessRunner.live.run(.init("/bin/sh", ["-c", "exit 3"], capturesOutput: false, input: input))
    #expect(outcome == ProcessRunner.Outcome(status: 3))
  }

  @Test("keeps what it writes to its errors out of its output")
  func errors() throws {
    let outcome = try ProcessRunner.live.run(.init("/bin/sh", ["-c", "echo a; echo b >&2"], capturesOutput: true))
    #expect(outcome == ProcessRunner.Outcome(status: 0, output: "a\n"))
  }

  @Test("cannot be started where it is not there, with input and without", arguments: [nil, [1]] as [[UInt8]?])
  func missing(input: [UInt8]?) {
    let request = ProcessRunner.Request("/no/such/program", [], capturesOutput: true, input: input)
    #expect(throws: FileError(.open, "/no/such/program", .noSuchFileOrDirectory)) {
      try ProcessRunner.live.run(request)
    }
  }
}
