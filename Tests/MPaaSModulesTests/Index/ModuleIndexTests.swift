import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("index.json of a module") struct ModuleIndexTests {
  static func example() throws -> ModuleIndex {
    let manifest = try ModuleManifest(reading: ModuleManifestTests.example)
    var older = ModuleManifest(name: "CartKit", version: try #require(ModuleVersion("2.0-beta.1")))
    older.license = "MIT"
    let archive = ModuleArchiveFile(
      name: "CartKit-2.1.0.190701174234.tar.zst", size: 123_456, sha256: String(repeating: "0a", count: 32),
      unpackedSize: 1 << 40, fileCount: 12)
    var second = archive
    second.name = "CartKit-2.0-beta.1.zip"
    return ModuleIndex(
      name: "CartKit", summary: manifest.summary,
      releases: [
        ModuleRelease(manifest: manifest, archive: archive, released: 1_561_974_154),
        ModuleRelease(manifest: older, archive: second, released: 1_500_000_000, yanked: "Loses carts."),
      ])
  }

  static func read(_ text: String) throws -> ModuleIndex { try ModuleIndex(reading: Bytes(Array(text.utf8))) }

  @Test("what is written reads the same, and is written the same again")
  func roundTrip() throws {
    let index = try Self.example()
    let encoded = index.encoded
    let again = try ModuleIndex(reading: Bytes(encoded))
    #expect(again == index)
    #expect(again.encoded == encoded)
    #expect(again.newest?.version.text == "2.1.0.190701174234")
    #expect(again.releases[1].manifest.summary.isEmpty)
  }

  @Test("the format is what the documentation says")
  func format() throws {
    let archive = ModuleArchiveFile(
      name: "A-1.zip", size: 5, sha256: String(repeating: "0a", count: 32), unpackedSize: 9, fileCount: 1)
    var manifest = ModuleManifest(name: "A", version: try #require(ModuleVersion("1")))
    manifest.notes = LocalizedText(english: "New.\nShiny.", simplifiedChinese: "新。")
    manifest.dependencies = [ModuleDependency("B", try #require(VersionRequirement("^1")), isOptional: true)]
    let release = ModuleRelease(manifest: manifest, archive: archive, released: 60, yanked: "")
    let text = String(decoding: ModuleIndex(name: "A", releases: [release]).encoded, as: UTF8.self)
    #expect(
      text == #"""
        {"format":1,"name":"A","releases":[{"archive":{"file_count":1,"name":"A-1.zip","sha256":"\#(archive.sha256)",\#
        "size":5,"unpacked_size":9},"dependencies":{"B":{"optional":true,"version":"^1"}},\#
        "notes":{"en":"New.\nShiny.","zh-Hans":"新。"},"released":60,"version":"1","yanked":""}]}

        """#)
  }

  @Test("what later versions add is ignored, and what is only for systems that are not known is left out")
  func later() throws {
    let archive =
      #"{"name":"a","size":1,"sha256":"\#(String(repeating: "0", count: 64))","unpacked_size":1,"file_count":1}"#
    let index = try Self.read(
      #"""
      {"format":1,"name":"A","mirror":7,"releases":[
        {"version":"2","released":1,"archive":\#(archive),"platforms":{"toaster":"1"}},
        {"version":"1","released":1,"archive":\#(archive),"platforms":{"toaster":"1","ios":"12"},"soul":{},
         "dependencies":{"B":{"version":"1","platforms":["toaster"]},"C":{"version":"1","platforms":["toaster","ios"]}}}]}
      """#)
    #expect(index.releases.map(\.version.text) == ["1"])
    #expect(index.releases[0].manifest.dependencies.map(\.name) == ["C"])
    #expect(index.releases[0].manifest.platforms.keys.sorted() == [.ios])
  }

  @Test(
    "a fault is told by its identifier",
    arguments: [
      ("{\"format\":1", "module-index-json"), ("[]", "module-field-type"), ("{}", "module-field-missing"),
      (#"{"format":2,"name":"A","releases":[]}"#, "module-index-format"),
      (#"{"format":1,"name":"A"}"#, "module-field-missing"),
      (#"{"format":1,"name":".","releases":[]}"#, "module-name"),
      (#"{"format":1,"name":"A","releases":[{"version":"1","released":1}]}"#, "module-field-missing"),
      (#"{"format":1,"name":"A","releases":[{"version":"1","released":-1,"archive":{}}]}"#, "module-field-type"),
      (
        #"{"format":1,"name":"A","releases":[{"version":"1","released":1,"archive":{"name":"../a"}}]}"#, "module-path"
      ),
      (
        #"{"format":1,"name":"A","releases":[{"version":"1","released":1,"archive":{"name":"a","sha256":"x"}}]}"#,
        "module-index-digest"
      ),
    ])
  func faults(text: String, id: String) throws {
    let error = #expect(throws: ModuleError.self) { try Self.read(text) }
    #expect(error?.code.id.name == id)
  }

  @Test("a version twice is refused")
  func twice() throws {
    var index = try Self.example()
    index.releases[1].manifest.version = index.releases[0].version
    let bytes = Bytes(index.encoded)
    #expect(throws: ModuleError.self) { try ModuleIndex(reading: bytes) }
  }

  @Test("any change of bytes gives an index that can be written, or an error")
  func fuzz() throws {
    var random = SeededRandom(seed: 52)
    let bytes = try Self.example().encoded
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        default: changed.insert(contentsOf: changed[place..<min(place + 9, changed.count)], at: place)
        }
      }
      guard let index = try? ModuleIndex(reading: Bytes(changed)) else { continue }
      #expect(try ModuleIndex(reading: Bytes(index.encoded)) == index)
    }
  }
}
