import MPaaSPipelines
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A run of a pipeline") struct PipelineRunTests {
  static func effects(_ shell: ShellProgram) -> PipelineRun.Effects {
    .init(shell: shell, elapsed: { .zero }, now: { 7 }, isFile: { $0 == "a.c" })
  }

  /// A shell that prints its line, and fails for `false`.
  static let echo = ShellProgram { (request, output) throws(FileError) in
    output(request.line)
    return request.line == "false" ? 3 : 0
  }

  static func step(_ name: String, _ line: String = "true", needs: [String] = []) -> PipelineStep {
    PipelineStep(name: name, line: line, needs: needs)
  }

  @Test("stops at the first step that fails, and goes on where that is wanted")
  func stops() throws {
    let steps = [Self.step("a"), Self.step("b", "false"), Self.step("c")]
    var run = PipelineRun(in: ".", environment: [:], effects: Self.effects(Self.echo))
    #expect(try run.run(steps) { _ in }.map(\.state) == [.done, .failed, .left])
    run.keepsGoing = true
    let outcomes = try run.run(steps) { _ in }
    #expect(outcomes.map(\.state) == [.done, .failed, .done])
    #expect(outcomes.map(\.status) == [0, 3, 0])
  }

  @Test("passes over a step whose variables are not set, and says which")
  func skips() throws {
    let run = PipelineRun(in: ".", environment: ["A": "1"], effects: Self.effects(Self.echo))
    let outcomes = try run.run([Self.step("a", needs: ["A"]), Self.step("b", needs: ["A", "B"])]) { _ in }
    #expect(outcomes.map(\.state) == [.done, .skipped])
    #expect(outcomes[1].missing == ["B"])
  }

  @Test("tells each step, its lines and its end in their order, with the findings in them")
  func events() throws {
    var events: [PipelineRun.Event] = []
    let run = PipelineRun(in: ".", environment: [:], effects: Self.effects(Self.echo))
    let step = Self.step("a", "a.c:1:2: error: bad")
    let outcomes = try run.run([step]) { events.append($0) }
    #expect(events == [.began(step, 7), .line("a.c:1:2: error: bad"), .ended(outcomes[0], 7)])
    #expect(outcomes[0].findings == [StepFinding(.error, "bad", file: "a.c", line: 1, column: 2)])
  }

  @Test("has a shell that hands over both streams line by line, in the folder and environment of the step")
  func shell() throws {
    let folder = try TemporaryFolder()
    var lines: [String] = []
    let line = "echo \"$A\"; echo two >&2; pwd; printf rest; exit 5"
    let request = ShellProgram.Request(line, in: folder.path, environment: ["A=x y", "PATH=/bin"])
    let status = try ShellProgram.live.run(request) { lines.append($0) }
    #expect(status == 5)
    #expect(lines.prefix(2) == ["x y", "two"])
    #expect(lines[2].hasSuffix(FileSystem.name(of: folder.path)))
    #expect(lines.last == "rest")
  }

  @Test("ends a line at its first command that fails")
  func strict() throws {
    var lines: [String] = []
    let status = try ShellProgram.live.run(.init("false\necho on", in: "/", environment: ["PATH=/bin:/usr/bin"])) {
      lines.append($0)
    }
    #expect(status == 1)
    #expect(lines.isEmpty)
  }
}
