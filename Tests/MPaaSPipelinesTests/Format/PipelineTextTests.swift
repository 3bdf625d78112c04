import MPaaSPipelines
import MPaaSProject
import MPaaSSupport
import Testing

@Suite("The output of a run") struct PipelineTextTests {
  static let step = PipelineStep(
    name: "check", title: BilingualText(english: "Check", simplifiedChinese: "检查"), line: "mpaas x")
  static let paths = FindingPaths(root: "/work", folder: "/work/app")
  static let outcome = StepOutcome(
    step, .failed, status: 1,
    findings: [
      StepFinding(.error, "50% bad\nreally", code: "plist, twice", file: "./a:b.plist", line: 3, column: 2),
      StepFinding(.note, "by the way"),
    ])

  static func text(_ format: PipelineFormat, _ language: String = "en") -> [String] {
    let text = PipelineText(format, paths: paths, language: language)
    return [.began(step, 10), .line("out"), .ended(outcome, 12)].map(text.text)
  }

  @Test("of GitHub are groups, and annotations with what has to be escaped")
  func github() {
    #expect(
      Self.text(.github) == [
        "::group::Check\n$ mpaas x\n", "out\n",
        "::endgroup::\n::error file=app/a%3Ab.plist,line=3,col=2,title=plist%2C twice::50%25 bad%0Areally\n"
          + "::notice::by the way\n",
      ])
  }

  @Test("of GitHub tell a step that failed without a word")
  func silent() {
    let outcome = StepOutcome(Self.step, .failed, status: 2)
    #expect(
      GitHubAnnotations(paths: Self.paths).lines(of: outcome) == "::error title=check::mpaas x: exit status 2\n")
    #expect(GitHubAnnotations(paths: Self.paths).lines(of: StepOutcome(Self.step, .done, status: 0)).isEmpty)
  }

  @Test("of GitLab are sections with their times")
  func gitlab() {
    let begin = "\u{1b}[0Ksection_start:10:mpaas_check\r\u{1b}[0K检查\n$ mpaas x\n"
    #expect(Self.text(.gitlab, "zh-Hans") == [begin, "out\n", "\u{1b}[0Ksection_end:12:mpaas_check\r\u{1b}[0K\n"])
  }

  @Test("is plain elsewhere")
  func plain() {
    #expect(Self.text(.plain) == ["== check: Check\n$ mpaas x\n", "out\n", "\n"])
    #expect(PipelineFormat(environment: [:]) == .plain)
    #expect(PipelineFormat(environment: ["GITHUB_ACTIONS": "true"]) == .github)
    #expect(PipelineFormat(environment: ["GITLAB_CI": "true"]) == .gitlab)
  }

  @Test("names files from the root of the working copy")
  func names() {
    #expect(Self.paths.path("/work/other/b.c") == "other/b.c")
    #expect(Self.paths.path("/elsewhere/b.c") == "/elsewhere/b.c")
    #expect(FindingPaths(root: nil, folder: "/work/app").path("a.c") == "a.c")
  }
}

@Suite("GitLab's report of findings") struct CodeQualityReportTests {
  static let report = CodeQualityReport(paths: PipelineTextTests.paths)

  @Test("has each finding with a file, and a fingerprint that stays")
  func entries() throws {
    let made = Self.report.report(of: [PipelineTextTests.outcome], adding: nil)
    let entries = try #require(made.array)
    #expect(entries.count == 1)
    let entry = try #require(entries[0].object)
    #expect(entry["check_name"]?.string == "check:plist, twice")
    #expect(entry["severity"]?.string == "major")
    #expect(entry["location"]?.object?["path"]?.string == "app/a:b.plist")
    #expect(entry["location"]?.object?["lines"]?.object?["begin"]?.integer(Int.self) == 3)
    #expect(entry["fingerprint"]?.string?.count == 64)
    #expect(Self.report.report(of: [PipelineTextTests.outcome], adding: nil) == made)
  }

  @Test("keeps the findings of other steps, and replaces those of the same")
  func adds() {
    let first = Self.report.report(of: [PipelineTextTests.outcome], adding: nil)
    let other = StepOutcome(
      PipelineStep(name: "other", line: "x"), .done, status: 0,
      findings: [StepFinding(.warning, "w", file: "c.c", line: 1)])
    let both = Self.report.report(of: [other], adding: first)
    #expect(both.array?.count == 2)
    let clean = StepOutcome(PipelineTextTests.step, .done, status: 0)
    #expect(Self.report.report(of: [clean], adding: both).array?.count == 1)
    #expect(Self.report.report(of: [], adding: "damaged") == .array([]))
  }
}
