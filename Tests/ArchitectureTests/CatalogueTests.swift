import Foundation
import MPaaSTestSupport
import Testing

/// Reads the catalogue's files and the sources as text: what the code names must have its texts.
@Suite("The catalogue of texts") struct CatalogueTests {
  static let folder = Fixture.package.appending(path: "Sources/MPaaSTerminal/Catalogue/Texts")

  static func texts(_ language: String) throws -> [String: String] {
    var all: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".\(language).json") {
      let data = try Data(contentsOf: folder.appending(path: file))
      let texts = try JSONDecoder().decode([String: String].self, from: data)
      for (key, text) in texts {
        #expect(all[key] == nil, "\(key) stands in two files")
        all[key] = text
      }
    }
    return all
  }

  static func placeholders(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{[a-z_A-Z0-9]+\}/).map { String($0.output) })
  }

  static func sources() throws -> [(file: String, text: String)] {
    let root = Fixture.package.appending(path: "Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.map {
      ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  @Test("has every key in both languages, with the same placeholders and something to read")
  func languages() throws {
    let english = try Self.texts("en")
    let chinese = try Self.texts("zh-Hans")
    #expect(Set(english.keys).symmetricDifference(chinese.keys).sorted() == [])
    for (key, text) in english {
      #expect(!text.isEmpty, "\(key) is empty")
      if let other = chinese[key] {
        #expect(Self.placeholders(text) == Self.placeholders(other), "\(key) differs in its placeholders")
      }
    }
  }

  @Test("has the sentence and the explanation of every diagnostic that the sources make")
  func diagnostics() throws {
    let english = try Self.texts("en")
    var named = Set<String>()
    for (_, text) in try Self.sources() {
      for match in text.matches(of: /(?:Diagnostic|DiagnosticID|Code|malformed|refused)\(\s*"([a-z0-9-]+)"/) {
        named.insert(String(match.output.1))
      }
    }
    #expect(named.count > 5)
    for id in named.sorted() {
      #expect(english["diagnostic.\(id)"] != nil, "no sentence for \(id)")
      #expect(english["diagnostic.\(id).explain"] != nil, "no explanation for \(id)")
    }
    for key in english.keys where key.hasPrefix("diagnostic.") && key.split(separator: ".").count == 2 {
      #expect(english["\(key).explain"] != nil, "no explanation for \(key)")
    }
  }

  @Test("has every text that the commands name")
  func commands() throws {
    let english = try Self.texts("en")
    for (file, text) in try Self.sources() where file.contains(#/^\w+(?:Commands|Kit)\//#) {
      for match in text.matches(of: /"((?:command|text)\.[a-z0-9.-]+[a-z0-9])"/) {
        #expect(english[String(match.output.1)] != nil, "\(file) names \(match.output.1), which has no text")
      }
      for match in text.matches(of: /key: "([a-z.-]+)"/) {
        #expect(english["command.\(match.output.1).abstract"] != nil, "\(file): command.\(match.output.1).abstract")
      }
    }
  }

  @Test("names the version that CHANGELOG.md names newest")
  func version() throws {
    let changes = try String(contentsOf: Fixture.package.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /## \[([0-9.]+)\]/)).output.1
    let source = try #require(try Self.sources().first { $0.file == "CommandKit/Program/KitVersion.swift" }).text
    #expect(source.contains("version: \"\(newest)\""))
  }
}
