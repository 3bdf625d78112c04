import Foundation
import MPaaSFramework
import MPaaSTerminal
import MPaaSTestSupport
import Testing

/// Apps have the texts from the library, `mpaas explain` has them from the catalogue, which is made of the library's.
@Suite("The framework's texts") struct FrameworkTextTests {
  @Test("are those of the catalogue, in both languages")
  func catalogue() throws {
    let root = Fixture.package.appending(path: "Sources/MPaaSFramework").resolvingSymlinksInPath()
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    let catalogues = [Language.english, .simplifiedChinese].map { Catalogue(language: $0) }
    var count = 0
    for file in files {
      let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for code in source.split(separator: "FrameworkError.Code(").dropFirst() {
        let body = code.split(separator: "\n  public static let").first ?? code
        let words = body.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.output.1) }
        guard let id = words.first, body.contains("en:") else { continue }
        count += 1
        let spelt = words.dropFirst().joined().replacing("\\\"", with: "\"")
        for key in ["diagnostic.\(id)", "diagnostic.\(id).help"] {
          let found = Set(catalogues.compactMap { $0.optionalText(key) })
          #expect(found.count == 2, "\(key)")
          for text in found { #expect(spelt.contains(text), "\(key) differs") }
        }
      }
    }
    #expect(count >= 25)
  }

  @Test("name the place first, and fill in what they name")
  func fill() throws {
    let services = try ServiceRegistry([ServiceEntry(name: "broken", type: BrokenService.self, place: place(2))])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: "broken") }
    #expect(error?.message(in: .english).hasPrefix("MobileRuntime.plist:2: The service broken failed in") == true)
    #expect(error?.message(in: .simplifiedChinese).contains("服务 broken 在 init(services:) 中失败") == true)
  }
}
