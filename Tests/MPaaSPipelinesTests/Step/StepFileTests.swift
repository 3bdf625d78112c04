import MPaaSPipelines
import MPaaSProject
import MPaaSSupport
import Testing

@Suite("The steps of a pipeline") struct StepFileTests {
  @Test("are read with titles in both languages, needs and lines")
  func reads() throws {
    let text = """
      version = 1
      [[step]]
      name = "check"
      title = { en = "Check", zh-Hans = "检查" }
      run = "mpaas project check"
      [[step]]
      name = "publish"
      needs = ["MPAAS_PUBLISH_URL"]
      run = "mpaas file put a \\"$MPAAS_PUBLISH_URL\\""
      """
    let steps = try StepFile(text, file: "mpaas-ci.toml").steps
    #expect(steps.map(\.name) == ["check", "publish"])
    #expect(steps.map { $0.title.text("zh-Hans") } == ["检查", "publish"])
    #expect(steps[1].line == "mpaas file put a \"$MPAAS_PUBLISH_URL\"")
    #expect(steps[1].missing(in: [:]) == ["MPAAS_PUBLISH_URL"])
    #expect(steps[1].missing(in: ["MPAAS_PUBLISH_URL": ""]) == ["MPAAS_PUBLISH_URL"])
    #expect(steps[1].missing(in: ["MPAAS_PUBLISH_URL": "x"]).isEmpty)
  }

  @Test(
    "are refused with the line of the step that is wrong",
    arguments: [
      ("[[step]]\nname = \"A\"\nrun = \"x\"\n", "ci-steps-malformed"),
      ("[[step]]\nname = \"a\"\n", "ci-steps-malformed"),
      ("[[step]]\nname = \"a\"\nrun = \"x\"\nneeds = [\"A B\"]\n", "ci-steps-malformed"),
      ("[[step]]\nname = \"a\"\nrun = \"x\"\nneeds = \"A\"\n", "ci-steps-malformed"),
      ("[[step]]\nname = \"a\"\nrun = \"x\"\n[[step]]\nname = \"a\"\nrun = \"y\"\n", "ci-step-twice"),
    ])
  func refuses(_ text: String, _ code: String) {
    let error = #expect(throws: PipelineError.self) { try StepFile(text, file: "f") }
    #expect(error?.code.id.name == code)
    if case .text(_, let line, _)? = error?.place { #expect(line == (code == "ci-step-twice" ? 4 : 1)) }
  }

  @Test("of a newer version are not guessed at")
  func newer() {
    let error = #expect(throws: PipelineError.self) { try StepFile("version = 2\nstep = []\n", file: "f") }
    #expect(error?.code.id.name == "ci-steps-newer")
  }

  @Test("are chosen by name in the order of the file, and a wrong name gets the nearest")
  func chooses() throws {
    let text = ["build", "check", "symbols"].map { "[[step]]\nname = \"\($0)\"\nrun = \"x\"\n" }.joined()
    let file = try StepFile(text, file: "f")
    #expect(try file.steps(named: ["symbols", "build"]).map(\.name) == ["build", "symbols"])
    #expect(try file.steps(named: []).count == 3)
    let error = #expect(throws: PipelineError.self) { try file.steps(named: ["chek"]) }
    #expect(error?.diagnostic.values["suggestion"] == "check")
    #expect(error?.diagnostic.exit == .usage)
  }
}
