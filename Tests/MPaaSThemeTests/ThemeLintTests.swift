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

  static let cases: [(String, [String])] = [
    ("<key>A</key><dict><key>Default</key><string>x</string><key>screem=phone5</key><string>y</string></dict>", ["theme-condition-unknown"]),
    ("<key>A</key><dict><key>Default</key><string>x</string><key>screen=phone7</key><string>y</string></dict>", ["theme-condition-value"]),
    ("<key>A</key><dict><key>Default</key><string>x</string><key>device&gt;ipad</key><string>y</string></dict>", ["theme-condition-operator"]),
    ("<key>A</key><dict><key>Default</key><string>x</string><key>screen&gt;phone6p</key><string>y</string></dict>", ["theme-condition-never"]),
    ("<key>A</key><dict><key>Default</key><string>x</string><key>device=ipad</key><string>y</string><key>Z</key><string>z</string></dict>", ["theme-condition-mixed"]),
    ("<key>A</key><dict><key>screen&gt;=phone5</key><string>x</string><key>screen&gt;phone5</key><string>y</string><key>Default</key><string>d</string></dict>", ["theme-conditions-overlap"]),
    ("<key>A</key><dict><key>ios&gt;=9</key><string>x</string><key>ios&lt;9.0.1</key><string>y</string></dict>", ["theme-conditions-overlap"]),
    ("<key>A</key><dict><key>ios&gt;=9</key><string>x</string><key>ios&lt;9.0</key><string>y</string></dict>", []),
    ("<key>A</key><dict><key>device=ipad</key><string>x</string></dict>", ["theme-default-missing"]),
    ("<key>A</key><dict><key>device=ipad</key><string>x</string><key>device=iphone</key><string>x</string></dict>", []),
    ("<key>A</key><dict><key>Default</key><string>x</string><key>ios=9</key><string>y</string></dict>", ["theme-version-short"]),
    ("<key>A</key><string>$B</string>", ["theme-constant-missing"]),
    ("<key>Constants</key><dict><key>B</key><string>$B</string></dict><key>A</key><string>$B</string>", ["theme-constant-cycle"]),
    ("<key>Constants</key><dict><key>B</key><string>x</string></dict>", ["theme-constant-unused"]),
    ("<key>AColor</key><string>#abc</string>", ["theme-color-malformed"]),
    ("<key>AColor</key><string>red</string>", ["theme-color-malformed"]),
    ("<key>A</key><string>#12345g</string>", ["theme-color-malformed"]),
    ("<key>AColor</key><integer>3</integer>", ["theme-color-malformed"]),
    ("<key>Constants</key><dict><key>B</key><string>17</string></dict><key>AColor</key><string>$B</string>", ["theme-color-constant"]),
    ("<key>AFont</key><dict><key>Bold</key><true/></dict>", ["theme-font-size"]),
    ("<key>AFont</key><dict><key>Size</key><string>-1</string></dict>", ["theme-font-size"]),
    ("<key>AFont</key><integer>17</integer>", ["theme-font-size"]),
    ("<key>AFont</key><dict><key>Size</key><integer>9</integer><key>Bold</key><string>very</string></dict>", ["theme-font-bold"]),
    ("<key>AFont</key><dict><key>Size</key><integer>9</integer><key>Bolt</key><true/></dict>", ["theme-font-member"]),
    ("<key>A</key><string>x</string><key>A</key><string>y</string>", ["theme-key-twice"]),
    ("<key>A.B</key><string>x</string>", ["theme-key-unreachable"]),
  ]

  @Test("finds each thing that is wrong, and nothing else", arguments: cases)
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
    let theme = try ThemeSample.theme("<key>Name</key><string>x</string>\n<key>TextColor</key>\n  <string>0xabcdef</string>")
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
