import Foundation
import MPaaSArchive
import MPaaSModuleTools
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Offering files in a registry") struct FilePublicationTests {
  let registry: SignedModules
  let module: SampleModule
  var editor: RepositoryEditor { RepositoryEditor(registry.path) }
  var archive: String { module.folder.path + "/out.tar.zst" }
  static let time: Int64 = 1_700_000_000

  init() throws {
    registry = try SignedModules()
    module = try SampleModule()
    _ = try module.pack()
  }

  func run(_ publication: FilePublication) throws -> FilePublication.Outcome {
    try publication.run(in: editor, at: Self.time) { [registry.key] }
  }

  func indexes() throws -> [String: ModuleIndex] {
    var draft = try editor.read()
    return try ModuleShelf(reading: &draft).indexes
  }

  @Test("an archive of a module becomes a version, and the same once more changes nothing")
  func version() throws {
    let first = try run(FilePublication([archive]))
    #expect(first.change?.isComplete == true)
    #expect(first.modules.map(\.isNew) == [true])
    #expect(try indexes()["CartKit"]?.releases.map(\.released) == [Self.time])
    let second = try run(FilePublication([archive]))
    #expect(second.modules.map(\.isNew) == [false])
    #expect(second.change?.published == [])
  }

  @Test("any other file becomes a target, in its folder")
  func target() throws {
    let file = module.folder.path + "/readme.txt"
    try Data("read".utf8).write(to: URL(filePath: file))
    var publication = FilePublication([file])
    publication.prefix = "docs"
    publication.custom = #"{"kind":"text"}"#
    #expect(try run(publication).modules.isEmpty)
    var draft = try editor.read()
    #expect(try draft.target("docs/readme.txt") != nil)
  }

  @Test("a trial, and what is refused, stages nothing and opens no key")
  func trial() throws {
    var trial = FilePublication([archive])
    trial.isTrial = true
    try module.replace("license = \"MIT\"\n", by: "")
    _ = try module.pack()
    var strict = FilePublication([archive])
    strict.isStrict = true
    for publication in [trial, strict] {
      let outcome = try publication.run(in: editor, at: Self.time) {
        Issue.record("a key was opened")
        return []
      }
      #expect(outcome.change == nil)
      #expect(outcome.modules.map { $0.isRefused(true) } == [true])
      #expect(outcome.modules.map { $0.isRefused(false) } == [false])
    }
    #expect(try indexes().isEmpty)
  }

  @Test("one name is for one file, and what a publisher adds is an object of JSON")
  func options() throws {
    var named = FilePublication([archive, archive])
    named.name = "a"
    let one = #expect(throws: ModuleError.self) { try run(named) }
    #expect(one?.code.id == "registry-one-name")
    var custom = FilePublication([archive])
    custom.custom = "[]"
    let bad = #expect(throws: ModuleError.self) { try run(custom) }
    #expect(bad?.code.id == "registry-bad-custom")
  }

  @Test("versions, whole modules and targets are taken out of the offer")
  func remove() throws {
    for name in ["CartKit@2.1.0", "CartKit"] {
      _ = try run(FilePublication([archive]))
      #expect(try editor.remove([name], wholeModules: name == "CartKit", keys: [registry.key]).isComplete)
      #expect(try indexes().isEmpty)
    }
    #expect(throws: TrustError.self) { try editor.remove(["CartKit"], wholeModules: false, keys: [registry.key]) }
  }

  @Test("a folder that is refused leaves no archive")
  func packing() throws {
    let output = module.folder.path + "/archives"
    let good = try CheckedModule.packing([module.path], into: output, format: .zip, isStrict: false)
    #expect(good.map(\.file) == [output + "/CartKit-2.1.0.zip"])
    #expect(FileStatus(output + "/CartKit-2.1.0.zip") != nil)
    try module.replace("license = \"MIT\"\n", by: "")
    let refused = try CheckedModule.packing([module.path], into: output, format: .tarZstandard, isStrict: true)
    #expect(refused.map { $0.isRefused(true) } == [true])
    #expect(FileStatus(output + "/CartKit-2.1.0.tar.zst") == nil)
  }
}
