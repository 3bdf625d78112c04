import Foundation
import MPaaSPipelines
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// A project in a folder of its own, and the kit's template.
struct SamplePipeline {
  let folder: TemporaryFolder
  let template: Template

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    let path = Fixture.package.appending(path: "templates/ci").path
    template = try Template(folder: path, origin: "kit") { (_) throws(TemplateError) in path }
    for (name, text) in files { try write(text, to: name) }
  }

  func write(_ text: String, to name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  @discardableResult
  func plan(
    _ systems: [PipelineSystem] = [], settings: [String: String] = [:], force: Bool = false
  ) throws -> PipelineUpdate.Planned {
    let update = try PipelineUpdate(in: folder.path, temporary: TemporaryPlace(folder.path))
    let builtIn = BuiltInVariables(name: try ProjectName("Shop"), year: "2026", kitVersion: "1.0.0")
    let values = try update.values(
      of: template, systems: try update.systems(adding: systems), traits: ProjectTraits(folder: folder.path),
      settings: settings, builtIn: builtIn)
    return try update.planned(to: template, values, source: nil, replaces: force)
  }
}

@Suite("The pipelines of a project") struct PipelineUpdateTests {
  @Test("have the steps that the project needs, as lines that the file of each system runs")
  func writes() throws {
    let sample = try SamplePipeline([
      "mpaas.toml": "", "Package.swift": "", "App/Info.plist": "", "App/GatewayConfig.plist": "",
      "App/en.lproj/A.strings": "", "Sources/MobileRuntime.plist": "", "Patches/a.lua": "",
    ])
    let planned = try sample.plan(PipelineSystem.allCases)
    try planned.apply()
    #expect(
      planned.steps.map(\.name) == [
        "store", "modules", "check-plists", "check-texts", "check-runtime", "check-gateway", "check-patches",
        "environment", "build-number", "build", "symbols", "notes", "publish",
      ])
    for system in PipelineSystem.allCases {
      let text = try sample.text(system.file)
      for step in planned.steps { #expect(text.contains("ci run \(step.name)"), "\(system.file)") }
      #expect(!text.contains("{{") || system == .github, "\(system.file)")
      #expect(!text.contains("<%"), "\(system.file)")
    }
    #expect(planned.steps.first { $0.name == "modules" }?.line == "mpaas module sync --frozen")
    #expect(planned.steps.first { $0.name == "build" }?.line == "swift build -c release")
  }

  @Test("are up to date when nothing changed, and a further system comes beside")
  func again() throws {
    let sample = try SamplePipeline(["Package.swift": ""])
    try sample.plan([.make]).apply()
    #expect(try sample.plan().changes.isEmpty)
    let more = try sample.plan([.gitlab])
    #expect(more.changes.changes.filter(\.isWritten).map(\.path) == [".gitlab-ci.yml"])
    try more.apply()
    #expect(try sample.plan().changes.isEmpty)
  }

  @Test("keep what the user changed in the steps and in the file, and take in a new step")
  func merges() throws {
    let sample = try SamplePipeline(["Package.swift": ""])
    try sample.plan([.github]).apply()
    let file = PipelineSystem.github.file
    try sample.write(try sample.text(file).replacing("ubuntu-24.04", with: "self-hosted"), to: file)
    let steps = try sample.text(StepFile.name) + "\n[[step]]\nname = \"extra\"\nrun = \"true\"\n"
    try sample.write(steps.replacing("swift build -c release", with: "swift build"), to: StepFile.name)
    let planned = try sample.plan()
    #expect(planned.changes.conflicts == [])
    try planned.apply()
    let text = try sample.text(file)
    #expect(text.contains("runs-on: self-hosted"))
    #expect(text.contains("mpaas ci run extra"))
    #expect(try sample.text(StepFile.name).contains("run = \"swift build\""))
    #expect(try sample.plan().changes.isEmpty)
  }

  @Test("say where both sides changed the same lines, and leave markers")
  func conflicts() throws {
    let sample = try SamplePipeline(["Package.swift": ""])
    try sample.plan([.github]).apply()
    let file = PipelineSystem.github.file
    try sample.write(try sample.text(file).replacing("ubuntu-24.04", with: "self-hosted"), to: file)
    let planned = try sample.plan(settings: ["runner": "macos-15"])
    #expect(planned.changes.conflicts == [file])
    try planned.apply()
    #expect(try sample.text(file).contains("<<<<<<< yours"))
  }

  @Test("do not replace a file that they did not write, unless they are told to")
  func refuses() throws {
    let sample = try SamplePipeline(["Jenkinsfile": "mine\n"])
    let error = #expect(throws: PipelineError.self) { try sample.plan([.jenkins]) }
    #expect(error?.code.id.name == "ci-file-exists")
    #expect(error?.diagnostic.values["files"] == "Jenkinsfile")
    #expect(try sample.text("Jenkinsfile") == "mine\n")
    try sample.plan([.jenkins], force: true).apply()
    #expect(try sample.text("Jenkinsfile").contains("pipeline {"))
  }

  @Test("of no system are refused, with the systems that there are")
  func none() throws {
    let sample = try SamplePipeline()
    let error = #expect(throws: PipelineError.self) { try sample.plan() }
    #expect(error?.code.id.name == "ci-systems-missing")
    #expect(error?.diagnostic.values["known"] == "github, gitlab, jenkins, make")
  }

  @Test("are made by a template without faults")
  func template() {
    let path = Fixture.package.appending(path: "templates/ci").path
    let check = TemplateCheck(folder: path) { (name) throws(TemplateError) in name }
    #expect(check.faults == [])
    #expect(check.doubts == [])
  }
}
