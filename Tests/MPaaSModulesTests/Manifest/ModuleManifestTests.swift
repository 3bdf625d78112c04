import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("module.toml") struct ModuleManifestTests {
  static let example = """
    # What the team of the cart gives out.
    [module]
    name = "CartKit"
    version = "2.1.0.190701174234"
    summary = { en = "The shopping cart.", zh-Hans = "购物车。" }
    license = "MIT OR Apache-2.0"
    homepage = "https://example.com/cart"

    [platforms]
    ios = "12.0"
    linux = "0"

    [notes]
    en = \"\"\"
    Faster.

    - \"Totals\" are kept in C:\\\\carts.\"\"\"
    zh-Hans = "更快。"

    [dependencies]
    mPaas = "^1.0"
    UTDID = { version = ">=1,<2", platforms = ["ios"], optional = true }
    "lib.z++" = "*"

    [conflicts]
    OldCart = "<3"

    [contents]
    frameworks = ["CartKit.framework"]
    xcframeworks = ["CartUI.xcframework"]
    libraries = ["lib/libcart.a"]
    sources = ["Sources/Glue.swift"]
    bundles = ["Cart.bundle"]
    headers = ["include"]

    [link]
    libraries = ["z", "sqlite3"]
    frameworks = ["CoreTelephony"]
    weak-frameworks = ["AppIntents"]
    flags = ["-ObjC"]

    """

  @Test("every key is read")
  func everyKey() throws {
    let manifest = try ModuleManifest(reading: Self.example, file: "module.toml")
    #expect(manifest.name == "CartKit")
    #expect(manifest.version.text == "2.1.0.190701174234")
    #expect(manifest.summary == LocalizedText(english: "The shopping cart.", simplifiedChinese: "购物车。"))
    #expect(manifest.license == "MIT OR Apache-2.0")
    #expect(manifest.homepage == "https://example.com/cart")
    #expect(manifest.platforms == [.ios: try #require(ModuleVersion("12")), .linux: try #require(ModuleVersion("0"))])
    #expect(manifest.notes.english == "Faster.\n\n- \"Totals\" are kept in C:\\carts.")
    #expect(manifest.dependencies.map(\.name) == ["UTDID", "lib.z++", "mPaas"])
    #expect(manifest.dependencies[0].platforms == [.ios])
    #expect(manifest.dependencies[0].isOptional)
    #expect(manifest.dependencies[0].requirement == VersionRequirement(">=1,<2"))
    #expect(manifest.conflicts == [ModuleConflict("OldCart", try #require(VersionRequirement("<3")))])
    #expect(manifest.contents.xcframeworks == ["CartUI.xcframework"])
    #expect(manifest.contents.headers == ["include"])
    #expect(manifest.contents.libraries == ["lib/libcart.a"])
    #expect(manifest.contents.sources == ["Sources/Glue.swift"])
    #expect(manifest.link.weakFrameworks == ["AppIntents"])
    #expect(manifest.link.flags == ["-ObjC"])
  }

  @Test("what is written reads the same, and is written the same again")
  func roundTrip() throws {
    let manifest = try ModuleManifest(reading: Self.example)
    let again = try ModuleManifest(reading: manifest.toml)
    #expect(again == manifest)
    #expect(again.toml == manifest.toml)
    let least = try ModuleManifest(reading: "[module]\nname = \"a\"\nversion = \"1\"\n")
    #expect(least.toml == "[module]\nname = \"a\"\nversion = \"1\"\n")
  }

  @Test(
    "a fault is told by its identifier and its key",
    arguments: [
      ("", "module-field-missing", "module"),
      ("[module]\nname = \"a\"", "module-field-missing", "module.version"),
      ("module = 1", "module-field-type", "module"),
      ("[module]\nname = 5", "module-field-type", "module.name"),
      ("[module]\nname = \"\"\nversion = \"1\"", "module-field-text", "module.name"),
      ("[module]\nname = \"../a\"\nversion = \"1\"", "module-name", "module.name"),
      ("[module]\nname = \"a\"\nversion = \"1.x\"", "module-version", "module.version"),
      ("[module]\nname = \"a\"\nversion = \"1\"\n[platforms]\nios = 12.0", "module-field-type", "platforms.ios"),
      ("[module]\nname = \"a\"\nversion = \"1\"\n[platforms]\niso = \"12\"", "module-platform", "platforms.iso"),
      ("[module]\nname = \"a\"\nversion = \"1\"\n[dependencies]\nb = \"~x\"", "module-requirement", "dependencies.b"),
      ("[module]\nname = \"a\"\nversion = \"1\"\n[dependencies]\n\"b/c\" = \"1\"", "module-name", "dependencies.b/c"),
      (
        "[module]\nname = \"a\"\nversion = \"1\"\n[dependencies]\nb = { optional = 1 }", "module-field-type",
        "dependencies.b.optional"
      ),
      (
        "[module]\nname = \"a\"\nversion = \"1\"\n[contents]\nbundles = [\"../x\"]", "module-path", "contents.bundles"
      ),
      (
        "[module]\nname = \"a\"\nversion = \"1\"\n[link]\nflags = [\"-ObjC\\nX = 1\"]", "module-field-text",
        "link.flags"
      ),
      (
        "[module]\nname = \"a\"\nversion = \"1\"\n[notes]\nen = \"a\\u001b[31m\"", "module-field-text", "notes.en"
      ),
    ])
  func faults(text: String, id: String, key: String) throws {
    let error = #expect(throws: ModuleError.self) { try ModuleManifest(reading: text, file: "m.toml") }
    #expect(error?.code.id.name == id)
    #expect(error?.values["key"] == key)
    #expect(error?.values["file"] == "m.toml")
    #expect(error?.code.exit == .malformedInput)
    #expect(error?.place != nil)
  }

  @Test("what is no TOML is told with its line")
  func noTOML() throws {
    let error = #expect(throws: ModuleError.self) { try ModuleManifest(reading: "[module]\nname = \n", file: "m.toml") }
    #expect(error?.code.id == "toml-malformed")
    guard case .text("m.toml", 2, _) = error?.place else {
      Issue.record("no line: \(String(describing: error))")
      return
    }
  }

  @Test("a damaged one ends in an error with its place, or reads back as it was")
  func fuzz() throws {
    var random = SeededRandom(seed: 55)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      let text = String(decoding: random.damaged(Array(Self.example.utf8)), as: UTF8.self)
      do throws(ModuleError) {
        let manifest = try ModuleManifest(reading: text, file: "m.toml")
        #expect(try ModuleManifest(reading: manifest.toml, file: "m.toml") == manifest, "\(text)")
      } catch {
        #expect(error.place != nil, "\(error)")
        #expect(error.code.exit == .malformedInput, "\(error)")
      }
    }
  }
}
