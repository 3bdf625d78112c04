import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTheme
import Testing

@Suite("A theme") struct ThemeTests {
  @Test("gives values by their paths, as the old interface did, on the device that it is for")
  func values() throws {
    let theme = try ThemeSample.theme(ThemeSample.navigation, ThemeSample.device("iphone6p"))
    #expect(theme.name == "Sample")
    #expect(!theme.isInherited)
    #expect(theme.string(forPath: "APNavigationBar.Title.TextColor") == "#00aaee")
    #expect(theme.color(forPath: "APNavigationBar.Title.TextColor") == ThemeColor(red: 0, green: 0xaa, blue: 0xee))
    #expect(theme.int(forPath: "StatusBarStyle") == 1)
    #expect(theme.float(forPath: "APNavigationBar.Background.Alpha") == 0.5)
    #expect(theme.bool(forPath: "APNavigationBar.Background.Translucent") == true)
    #expect(theme.font(forPath: "APNavigationBar.Title.Font") == ThemeFont(size: 20, isBold: true))
    #expect(theme.isDefined(forPath: "APNavigationBar.Title"))
    #expect(!theme.isDefined(forPath: "APNavigationBar.None"))
    #expect(theme.string(forPath: "StatusBarStyle.Deeper") == nil)
    let small = try theme.on(ThemeSample.device("iphone5s"))
    #expect(small.font(forPath: "APNavigationBar.Title.Font") == ThemeFont(size: 17, isBold: true))
  }

  @Test("fetches values below a prefix")
  func prefix() throws {
    let fetch = try ThemeSample.theme(ThemeSample.navigation).fetch(prefix: "APNavigationBar").fetch(prefix: "Title")
    #expect(fetch.color(forPath: "TextColor")?.description == "#00aaee")
    #expect(fetch.isDefined(forPath: "Font.Size"))
    #expect(!fetch.isDefined(forPath: "Title"))
  }

  @Test("has the values of another theme where it says so and has none itself, groups filled member by member")
  func inheritance() throws {
    let base = try ThemeSample.theme(ThemeSample.navigation)
    let body = ThemeSample.title("#ff0000")
    let own = try ThemeSample.theme("<key>Inherited</key><true/>" + body, ThemeSample.device("iphone6p"), base: base)
    #expect(own.color(forPath: "APNavigationBar.Title.TextColor")?.description == "#ff0000")
    let inherited = try own.on(ThemeSample.device("iphone6p"))
    #expect(inherited.font(forPath: "APNavigationBar.Title.Font")?.size == 20)
    #expect(try inherited.value(forPath: "APNavigationBar.Title")?["Font"] != nil)
    #expect(inherited.int(forPath: "StatusBarStyle") == 1)
    let entries = try inherited.entries()
    #expect(entries.first?.isInherited == false)
    #expect(entries.contains { $0.isInherited && $0.name == "StatusBarStyle" })
    #expect(entries.count { $0.name == "APNavigationBar.Title.TextColor" } == 1)
    let alone = try ThemeSample.theme(body, base: base)
    #expect(alone.int(forPath: "StatusBarStyle") == nil)
  }

  @Test("reads binary and old-style property lists too")
  func formats() throws {
    let old = "{ Name = Old; Constants = { Red = \"#ff0000\"; }; Button = { Color = \"$Red\"; Size = 12; }; }"
    let theme = try Theme(Array(old.utf8), file: "theme.plist")
    #expect(theme.color(forPath: "Button.Color")?.description == "#ff0000")
    #expect(theme.int(forPath: "Button.Size") == 12)
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["Name": "Binary", "A": ["B": 3]], format: .binary, options: 0)
    #expect(try Theme([UInt8](data)).int(forPath: "A.B") == 3)
  }

  @Test("tells constants that are missing or defined by themselves, with their places")
  func constants() throws {
    let body = """
      <key>Constants</key><dict><key>A</key><string>$B</string><key>B</key><string>$A</string>
      <key>Deep</key><dict><key>X</key><string>$Deep</string></dict></dict>
      <key>C</key><string>$A</string>
      <key>D</key><string>$Aa</string>
      <key>E</key><string>$Deep</string>
      """
    let theme = try ThemeSample.theme(body)
    let cycle = #expect(throws: ThemeError.self) { try theme.value(forPath: "C") }
    #expect(cycle?.code == .constantCycle)
    #expect(cycle?.values["path"] == "$A → $B → $A")
    let missing = #expect(throws: ThemeError.self) { try theme.value(forPath: "D") }
    #expect(missing?.code == .constantMissing)
    #expect(missing?.values["suggestion"] == "A")
    #expect(missing?.place == .text(file: "theme.plist", line: 7, column: 21))
    let deep = #expect(throws: ThemeError.self) { try theme.value(forPath: "E") }
    #expect(deep?.code == .constantCycle)
    #expect(theme.string(forPath: "C") == nil)
  }

  @Test("stops where constants hold each other so often that there is no end of values")
  func bomb() throws {
    let names = "ABCDEFGHIJ".map { String($0) }
    let steps = zip(names, names.dropFirst()).map { name, next in
      let members = (0..<10).map { "<key>k\($0)</key><string>$\(next)</string>" }.joined()
      return "<key>\(name)</key><dict>\(members)</dict>"
    }
    let constants = steps.joined() + "<key>J</key><string>x</string>"
    let body = "<key>Constants</key><dict>\(constants)</dict><key>Z</key><string>$A</string>"
    let theme = try ThemeSample.theme(body)
    let error = #expect(throws: ThemeError.self) { try theme.value(forPath: "Z") }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    "refuses what is no theme",
    arguments: [
      ("<key>Constants</key><string>x</string>", "theme-type"), ("<key>Name</key><integer>1</integer>", "theme-type"),
      ("<key>Inherited</key><string>perhaps</string>", "theme-type"), ("<key>Open</key>", "plist-value-missing"),
    ])
  func refused(body: String, word: String) {
    let error = #expect(throws: ThemeError.self) { try ThemeSample.theme(body) }
    #expect(error?.code.word == word)
  }

  @Test("finds the image whose scale and device fit best")
  func images() throws {
    let folder = try TemporaryFolder()
    for name in ["back.png", "back@2x.png", "back@3x.png", "back@2x~ipad.png", "only@2x.png"] {
      try Data().write(to: folder.url.appending(path: name))
    }
    let body = "<key>A</key><string>back</string><key>B</key><string>only.png</string><key>C</key><string>none</string>"
    let theme = try ThemeSample.theme(body, ThemeSample.device("iphone6p"), folder: folder.path)
    #expect(theme.image(forPath: "A")?.path == folder.path + "/back@3x.png")
    #expect(theme.image(forPath: "B")?.path == folder.path + "/only@2x.png")
    #expect(theme.image(forPath: "C")?.path == nil)
    #expect(theme.image(forPath: "D") == nil)
    let pad = try theme.on(ThemeSample.device("pad_retina"))
    #expect(pad.image(forPath: "A")?.path == folder.path + "/back@2x~ipad.png")
  }
}
