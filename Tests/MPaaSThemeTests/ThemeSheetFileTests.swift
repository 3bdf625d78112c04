import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTheme
import Testing

@Suite("The file of a theme's sheet") struct ThemeSheetFileTests {
  let folder: TemporaryFolder
  let sheet: ThemeSheet

  init() throws {
    folder = try TemporaryFolder()
    sheet = try ThemeSheet(ThemeSample.theme(ThemeSample.title("#00aaee")))
  }

  private func write(_ name: String, replaces: Bool = false) throws -> [UInt8] {
    let path = folder.path + "/" + name
    try sheet.write(to: path, scale: 1, replaces: replaces)
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  @Test("is a drawing where its name ends so", arguments: ["a.svg", "A.SVG"])
  func drawing(name: String) throws {
    #expect(try write(name) == Array(sheet.svg.utf8))
  }

  @Test("is a picture where its name ends so", arguments: ["a.png", "A.PNG"])
  func picture(name: String) throws {
    #expect(try write(name).starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test("of another kind is not drawn", arguments: ["a.jpg", "svg", "a.svg.txt"])
  func otherKind(name: String) throws {
    let error = ThemeError(.outputKind, ["file": folder.path + "/" + name])
    #expect(throws: error) { try write(name) }
    #expect(FileStatus(folder.path + "/" + name) == nil)
  }

  @Test("stays as it is where it may not be replaced")
  func isThere() throws {
    _ = try write("a.svg")
    #expect(throws: ThemeError(.outputExists, ["file": folder.path + "/a.svg"])) { try write("a.svg") }
    #expect(try write("a.svg", replaces: true) == Array(sheet.svg.utf8))
  }
}
