import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Generated files") struct GeneratedFilesTests {
  private static func source(_ name: String, _ body: String = "struct A {}\n") -> GeneratedSource {
    GeneratedSource(name: name, origin: "a.json", command: "mpaas generate model", body: body)
  }

  private func write(
    _ sources: [GeneratedSource], to output: String, _ memory: MemoryFiles, replacesEdited: Bool = false,
    isDryRun: Bool = false
  ) throws -> [GeneratedFiles.File] {
    try GeneratedFiles(
      to: GenerationTarget(output), replacesEdited: replacesEdited, isDryRun: isDryRun, files: memory.client
    ).write(sources)
  }

  @Test("sources go into a folder, which is made, or the first into the named file and the others beside it")
  func targets() throws {
    let sources = [Self.source("A.swift"), Self.source("B.swift")]
    let folder = MemoryFiles()
    #expect(try write(sources, to: "out/models", folder).map(\.path) == ["out/models/A.swift", "out/models/B.swift"])
    #expect(folder.folders == ["out/models"])
    #expect(folder.texts.keys.sorted() == ["out/models/A.swift", "out/models/B.swift"])
    let named = MemoryFiles()
    #expect(try write(sources, to: "out/X.swift", named).map(\.path) == ["out/X.swift", "out/B.swift"])
    let here = MemoryFiles()
    #expect(try write(sources, to: "X.swift", here).map(\.path) == ["X.swift", "B.swift"])
    #expect(here.folders == [])
  }

  @Test("on standard output nothing is written, and the texts are in the result")
  func standardOutput() throws {
    let memory = MemoryFiles()
    let source = Self.source("A.swift")
    let files = try write([source], to: "-", memory)
    #expect(files.map(\.path) == ["A.swift"])
    #expect(files.map(\.state) == [.new])
    #expect(files.map(\.text) == [source.text()])
    #expect(memory.texts == [:])
  }

  @Test("a file is new, unchanged or changed; a dry run only says so")
  func states() throws {
    let memory = MemoryFiles()
    #expect(try write([Self.source("A.swift")], to: ".", memory, isDryRun: true).map(\.state) == [.new])
    #expect(memory.texts == [:])
    #expect(try write([Self.source("A.swift")], to: ".", memory).map(\.state) == [.new])
    #expect(try write([Self.source("A.swift")], to: ".", memory).map(\.state) == [.unchanged])
    #expect(try write([Self.source("A.swift", "struct B {}\n")], to: ".", memory).map(\.state) == [.changed])
    #expect(memory.texts["./A.swift"]?.contains("struct B {}") == true)
  }

  @Test("nothing is written where one file was edited, unless that one is to be replaced, too")
  func edited() throws {
    let memory = MemoryFiles(["out/B.swift": "// mine\n"])
    let sources = [Self.source("A.swift"), Self.source("B.swift")]
    #expect(throws: GenerationError(.fileEdited, ["file": "out/B.swift"], at: .file("out/B.swift"))) {
      try write(sources, to: "out", memory)
    }
    #expect(memory.texts == ["out/B.swift": "// mine\n"])
    #expect(try write(sources, to: "out", memory, replacesEdited: true).map(\.state) == [.new, .changed])
    #expect(memory.texts["out/B.swift"] == sources[1].text())
  }

  @Test("of sources with one path the first is taken")
  func twice() throws {
    let memory = MemoryFiles()
    let sources = [Self.source("A.swift"), Self.source("A.swift", "struct B {}\n")]
    #expect(try write(sources, to: "out", memory).count == 1)
    #expect(memory.texts["out/A.swift"] == sources[0].text())
  }

  @Test("a target is told by its path, and says where the models' support can stand")
  func target() {
    #expect(GenerationTarget("-") == .standardOutput)
    #expect(["a.swift", "b/a.h", "a.m"].map { GenerationTarget($0).isOneFile } == [true, true, true])
    #expect(!GenerationTarget("models").isOneFile)
    #expect(GenerationTarget("-").support(.file) == .inline)
    #expect(GenerationTarget("-").support(.none) == .none)
    #expect(GenerationTarget("a.swift").support(.file) == .file)
  }
}
