import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTheme
import Testing

@Suite("The lint of themes") struct ThemeLintTests {
  @Test("finds nothing wrong with a theme as the documents show it, but conditions that hold at once")
  func sample() throws {
    let findings = ThemeLint.findings(in: try ThemeSample.theme(ThemeSample.navigation))
    #expect(findings.map(\.diagnostic.id.name) == ["theme-conditions-overlap"])
    #expect(findings.first?.diagnostic.values["other"] == "ios<9.0")
  }

  /// A key with conditions, from pairs of them and their values.
  private static func choice(_ pairs: String...) -> String {
    let members = pairs.map { pair in
      let key = pair.prefix { $0 != ":" }.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      return "<key>\(key)</key><string>\(pair.drop { $0 != ":" }.dropFirst())</string>"
    }
    return "<key>A</key><dict>\(members.joined())</dict>"
  }

  private static func font(_ body: String) -> String { "<key>AFont</key><dict>\(body)</dict>" }

  private static func constant(_ value: String, _ rest: String) -> String {
    "<key>Constants</key><dict><key>B</key><string>\(value)</string></dict>" + rest
  }

  static let conditions: [(String, [String])] = [
    (choice("Default:x", "screem=phone5:y"), ["theme-condition-unknown"]),
    (choice("Default:x", "screen=phone7:y"), ["theme-condition-value"]),
    (choice("Default:x", "device>ipad:y"), ["theme-condition-operator"]),
    (choice("Default:x", "screen>phone6p:y"), ["theme-condition-never"]),
    (choice("Default:x", "device=ipad:y", "Z:z"), ["theme-condition-mixed"]),
    (choice("screen>=phone5:x", "screen>phone5:y", "Default:d"), ["theme-conditions-overlap"]),
    (choice("ios>=9:x", "ios<9.0.1:y"), ["theme-conditions-overlap"]),
    (choice("ios>=9:x", "ios<9.0:y"), []),
    (choice("device=ipad:x"), ["theme-default-missing"]),
    (choice("device=ipad:x", "device=iphone:x"), []),
    (choice("Default:x", "ios=9:y"), ["theme-version-short"]),
  ]

  static let others: [(String, [String])] = [
    ("<key>A</key><string>$B</string>", ["theme-constant-missing"]),
    (constant("$B", "<key>A</key><string>$B</string>"), ["theme-constant-cycle"]),
    (constant("x", ""), ["theme-constant-unused"]),
    (constant("17", "<key>AColor</key><string>$B</string>"), ["theme-color-constant"]),
    ("<key>AColor</key><string>#abc</string>", ["theme-color-malformed"]),
    ("<key>AColor</key><string>red</string>", ["theme-color-malformed"]),
    ("<key>A</key><string>#12345g</string>", ["theme-color-malformed"]),
    ("<key>AColor</key><integer>3</integer>", ["theme-color-malformed"]),
    (font("<key>Bold</key><true/>"), ["theme-font-size"]),
    (font("<key>Size</key><string>-1</string>"), ["theme-font-size"]),
    ("<key>AFont</key><integer>17</integer>", ["theme-font-size"]),
    (font("<key>Size</key><integer>9</integer><key>Bold</key><string>very</string>"), ["theme-font-bold"]),
    (font("<key>Size</key><integer>9</integer><key>Bolt</key><true/>"), ["theme-font-member"]),
    ("<key>A</key><string>x</string><key>A</key><string>y</string>", ["theme-key-twice"]),
    ("<key>A.B</key><string>x</string>", ["theme-key-unreachable"]),
  ]

  @Test("finds each thing that is wrong, and nothing else", arguments: conditions + others)
  func each(body: String, expected: [String]) throws {
    #expect(try ThemeSample.lint(body) == expected)
  }

  @Test("finds images that are not there, and suggests what is")
  func images() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url.appending(path: "back@2x.png"))
    let body = "<key>AImage</key><string>bakc.png</string><key>BImage</key><string>back</string>"
    let theme = try ThemeSample.theme("<key>Name</key><string>x</string>" + body, folder: folder.path)
    let findings = ThemeLint.findings(in: theme)
    #expect(findings.map(\.diagnostic.id.name) == ["theme-image-missing"])
    #expect(findings.first?.diagnostic.values["suggestion"] == "back.png")
    #expect(try ThemeSample.lint(body) == [], "without a folder nothing can be looked for")
  }

  @Test("names lines and columns, and suggests what was meant")
  func places() throws {
    let body = "<key>Name</key><string>x</string>\n<key>TextColor</key>\n  <string>0xabcdef</string>"
    let theme = try ThemeSample.theme(body)
    let finding = try #require(ThemeLint.findings(in: theme).first?.diagnostic)
    #expect(finding.place == .text(file: "theme.plist", line: 6, column: 11))
    #expect(finding.values["suggestion"] == "#abcdef")
  }

  @Test("tells a theme without a name")
  func name() throws {
    #expect(ThemeLint.findings(in: try ThemeSample.theme("")).map(\.severity) == [.warning])
  }

  @Test("survives whatever stands in a theme, and so do values, conversion and preview")
  func mutations() throws {
    var random = SeededRandom(seed: 11)
    let sample = ThemeSample.bytes(ThemeSample.navigation)
    var read = 0
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0x20...0x7e, using: &random)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(Array("<>=!$#.0".utf8)[Int.random(in: 0..<8, using: &random)], at: at)
        default:
          let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
          bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      guard let theme = try? Theme(bytes, device: ThemeSample.device("iphone6")) else { continue }
      read += 1
      _ = ThemeLint.findings(in: theme)
      _ = try? theme.entries()
      _ = try? ThemeSwift.conversion(of: theme, options: .init(name: "X"))
      _ = try? ThemeCatalog.conversion(of: theme, name: "X", version: .init(9))
      _ = try? ThemeSheet(theme).svg
    }
    #expect(read > 20)
  }
}
