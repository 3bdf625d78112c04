import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas theme") struct ThemeCommandTests {
  static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>Name</key><string>Sample</string>
      <key>Constants</key><dict><key>Blue</key><string>#00aaee</string></dict>
      <key>Title</key>
      <dict>
        <key>Color</key><string>$Blue</string>
        <key>Font</key>
        <dict>
          <key>Size</key>
          <dict><key>Default</key><integer>17</integer><key>screen&gt;=phone6p</key><integer>20</integer></dict>
        </dict>
      </dict>
    </dict>
    </plist>
    """

  static func bundle(_ text: String = Self.plist) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let bundle = folder.url.appending(path: "Sample.bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: bundle.appending(path: "theme.plist"))
    return folder
  }

  @Test("resolve shows all values on a device, as a table and as JSON")
  func resolve() throws {
    let folder = try Self.bundle()
    let path = folder.path + "/Sample.bundle"
    let text = try mpaas("theme", "resolve", path, "--device", "iphone6p", "--ios", "9.0.1")
    #expect(text.status == 0)
    #expect(text.output.contains("Title.Color"))
    #expect(text.output.contains("$Blue"))
    let outcome = try mpaas(
      "theme", "resolve", path + "/theme.plist", "--device", "iphone6p", "--ios", "9.0.1", "--json")
    let values = try #require(try json(outcome.output)["values"] as? [[String: Any]])
    #expect(values.map { $0["path"] as? String } == ["Title.Color", "Title.Font"])
    #expect(values[0]["value"] as? String == "#00aaee")
    #expect(values[0]["line"] as? Int == 8)
    #expect((values[1]["value"] as? [String: Any])?["size"] as? Double == 20)
    #expect(values[1]["conditions"] as? [String] == ["screen>=phone6p"])
  }

  @Test("resolve takes value paths, and exits with 1 where nothing is defined")
  func paths() throws {
    let folder = try Self.bundle()
    let path = folder.path + "/Sample.bundle"
    #expect(try mpaas("theme", "resolve", path, "Title.Color").output.contains("#00aaee"))
    let missing = try mpaas("theme", "resolve", "Title.Colour", "--theme", path)
    #expect(missing.status == 1)
    #expect(missing.output.contains("Did you mean 'Title.Color'?"))
    #expect(try mpaas("theme", "resolve", path, "--device", "iphone66").status == 64)
    #expect(try mpaas("theme", "resolve", folder.path + "/none").status == 66)
  }

  @Test("what is wrong elsewhere keeps no value from being resolved")
  func resolveBesides() throws {
    let folder = try Self.bundle(
      Self.plist.replacing("<key>Title</key>", with: "<key>Bad</key><string>$No</string><key>Title</key>"))
    let path = folder.path + "/Sample.bundle"
    let one = try mpaas("theme", "resolve", path, "Title.Color")
    #expect(one.status == 0, "\(one.errors)")
    #expect(one.output.contains("#00aaee"), "\(one.errors)")
    #expect(try mpaas("theme", "resolve", path, "Bad").status == 65)
    #expect(try mpaas("theme", "resolve", path).status == 65)
  }

  @Test("resolve tells all values that it can where a constant is missing, and which it cannot")
  func resolveRest() throws {
    let folder = try Self.bundle(
      Self.plist.replacing("<key>Title</key>", with: "<key>Bad</key><string>$No</string><key>Title</key>"))
    let path = folder.path + "/Sample.bundle"
    let text = try mpaas("theme", "resolve", path)
    #expect(text.output.contains("Title.Color"))
    #expect(text.output.contains("#00aaee"))
    #expect(text.output.contains("theme.plist:6:"))
    #expect(text.output.contains("The constant $No is not defined"))
    let told = try json(try mpaas("theme", "resolve", path, "--json").output)
    #expect((told["values"] as? [[String: Any]])?.map { $0["path"] as? String } == ["Title.Color", "Title.Font"])
    let unresolved = try #require((told["unresolved"] as? [[String: Any]])?.first)
    #expect(unresolved["path"] as? String == "Bad")
    #expect(unresolved["code"] as? String == "theme-constant-missing")
    #expect(unresolved["line"] as? Int == 6)
  }

  @Test("lint names file, line and column, and exits with 1")
  func lint() throws {
    let good = try Self.bundle()
    #expect(try mpaas("theme", "lint", good.path + "/Sample.bundle").status == 0)
    let bad = try Self.bundle(Self.plist.replacing("$Blue", with: "#abc").replacing("phone6p", with: "phone7"))
    let outcome = try mpaas("theme", "lint", bad.path + "/Sample.bundle")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("theme.plist:8:"))
    #expect(outcome.output.contains("'#abc' is no color. Did you mean '#aabbcc'? [theme-color-malformed]"))
    #expect(outcome.output.contains("[theme-condition-value]"))
    #expect(outcome.output.contains("2 errors, 1 warning"))
    let strict = try mpaas("theme", "lint", bad.path + "/Sample.bundle", "--json", "--lang", "zh-Hans")
    #expect(try json(strict.output)["errors"] as? Int == 2)
    #expect(strict.output.contains("不是颜色"))
  }

  @Test("convert and preview write files, and do not replace any without --force")
  func convert() throws {
    let folder = try Self.bundle()
    let path = folder.path + "/Sample.bundle"
    let swift = try mpaas("theme", "convert", path)
    #expect(swift.status == 0)
    #expect(swift.output.hasPrefix("// Written by"))
    #expect(swift.output.contains("enum Sample {"))
    let catalog = try mpaas("theme", "convert", path, "--to", "catalog", "--output", folder.path, "--json")
    #expect(try (json(catalog.output)["files"] as? [String])?.count == 3)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/Sample.xcassets/Title/Color.colorset/Contents.json"))
    #expect(try mpaas("theme", "convert", path, "--to", "catalog", "--output", folder.path).status == 73)
    for name in ["sheet.svg", "sheet.png"] {
      #expect(try mpaas("theme", "preview", path, "--output", folder.path + "/" + name).status == 0)
      #expect(try mpaas("theme", "preview", path, "--output", folder.path + "/" + name).status == 73)
    }
    #expect(try mpaas("theme", "preview", path).output.hasPrefix("<svg "))
    #expect(try mpaas("theme", "preview", path, "--output", "x.gif").status == 64)
  }
}
