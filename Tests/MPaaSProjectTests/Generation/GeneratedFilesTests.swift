import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSProject

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

  @Test("files that an earlier run made of the same description go, and those that people wrote in stay")
  func stale() throws {
    func made(_ name: String, _ body: String = "struct A {}\n", from origin: String = "shop.yaml") -> GeneratedSource {
      GeneratedSource(name: name, origin: origin, command: "mpaas generate api", body: body)
    }
    let gone = made("ShopAPI+Gone.swift"), written = made("ShopModels+Written.swift")
    let memory = MemoryFiles([
      "out/ShopAPI+Gone.swift": gone.text(), "out/ShopModels3.swift": made("ShopModels3.swift").text(),
      "out/ShopModels+Written.swift": written.text(keeping: "let mine = 1\n"),
      "out/ShopAPI+Edited.swift": made("ShopAPI+Edited.swift").text() + "// mine\n",
      "out/ShopAPI+Mine.swift": "struct Mine {}\n", "out/ShopAPIs.swift": made("ShopAPIs.swift").text(),
      "out/ShopAPI+Other.swift": made("ShopAPI+Other.swift", from: "other.yaml").text(),
      "out/APISupport.swift": made("APISupport.swift").text(),
    ])
    let removed = Mutex<[String]>([])
    let names = memory.texts.keys.map { String($0.dropFirst(4)) }
    let folders = GeneratedFiles.Folders(names: { $0 == "out" ? names : [] }) { path in
      removed.withLock { $0.append(path) }
    }
    let origin = GeneratedOrigin(file: "shop.yaml", command: "mpaas generate api", stems: ["ShopAPI", "ShopModels"])
    func write(_ target: String, isDryRun: Bool = false, force: Bool = false) throws -> [String: GeneratedFiles.State] {
      let files = try GeneratedFiles(
        to: GenerationTarget(target), replacesEdited: force, isDryRun: isDryRun, files: memory.client, folders: folders
      ).write([made("ShopAPI.swift")], of: [origin])
      return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.state) })
    }
    let expected: [String: GeneratedFiles.State] = [
      "out/ShopAPI.swift": .new, "out/ShopAPI+Gone.swift": .removed, "out/ShopModels3.swift": .removed,
      "out/ShopModels+Written.swift": .stale, "out/ShopAPI+Edited.swift": .stale,
    ]
    #expect(try write("out", isDryRun: true) == expected)
    #expect(removed.withLock { $0 } == [])
    #expect(try write("out") == expected)
    #expect(removed.withLock { $0 } == ["out/ShopAPI+Gone.swift", "out/ShopModels3.swift"])
    #expect(try write("out", isDryRun: true, force: true).values.filter { $0 == .removed }.count == 4)
    #expect(try write("-").isEmpty == false)
    #expect(try write("out/X.swift").count == 1)
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
