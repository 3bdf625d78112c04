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
    for (key, text) in frameworkTexts(language) {
      #expect(all[key] == nil, "\(key) stands in a file and in a source")
      all[key] = text
    }
    return all
  }

  /// The texts of errors of the framework and of calls, which stand in their sources, as they are spelt there.
  static func frameworkTexts(_ language: String) -> [String: String] {
    let endings = language == "en" ? ["en": "", "enHelp": ".help"] : ["zh": "", "zhHelp": ".help"]
    var texts: [String: String] = [:]
    let makers = ["MPaaSFramework": "FrameworkError.Code(", "MPaaSRPC": "RPCError.Code("]
    for source in PackageSource.all {
      guard let maker = makers[String(source.file.prefix { $0 != "/" })] else { continue }
      for code in source.text.components(separatedBy: maker).dropFirst() {
        guard let id = code.firstMatch(of: /^\s*"([a-z-]+)"/)?.output.1 else { continue }
        for match in code.matches(of: /\s(\w+):((?:[\s+]*"(?:[^"\\]|\\.)*")+)/) {
          guard let ending = endings[String(match.output.1)] else { continue }
          let literals = match.output.2.matches(of: /"((?:[^"\\]|\\.)*)"/)
          texts["diagnostic.\(id)\(ending)"] = literals.map { String($0.output.1) }.joined()
        }
      }
    }
    return texts
  }

  static func placeholders(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{[a-z_A-Z0-9]+\}/).map { String($0.output) })
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
    let makers = ["Diagnostic(", "DiagnosticID(", "Code(", "malformed(", "refused("]
    for source in PackageSource.all where source.has(makers) {
      // The identifier stands on the line, or alone at the start of the next.
      var isOpen = false
      for line in source.text.split(separator: "\n") {
        if isOpen, let match = line.prefixMatch(of: /\s*"([a-z0-9-]+)"/) { named.insert(String(match.output.1)) }
        isOpen = false
        guard makers.contains(where: { line.hasBytes(of: $0) }) else { continue }
        isOpen = makers.contains { line.hasSuffix($0) }
        for match in line.matches(of: /(?:Diagnostic|DiagnosticID|Code|malformed|refused)\(\s*"([a-z0-9-]+)"/) {
          named.insert(String(match.output.1))
        }
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
    for source in PackageSource.all where source.isOfCommands {
      let file = source.file
      for line in source.lines(with: ["\"command.", "\"text."]) {
        for match in line.matches(of: /"((?:command|text)\.[a-z0-9.-]+[a-z0-9])"/) {
          #expect(english[String(match.output.1)] != nil, "\(file) names \(match.output.1), which has no text")
        }
      }
      for line in source.lines(with: ["key: \""]) {
        for match in line.matches(of: /key: "([a-z.-]+)"/) {
          #expect(english["command.\(match.output.1).abstract"] != nil, "\(file): command.\(match.output.1).abstract")
        }
      }
    }
  }

  @Test("tells each diagnostic and each command in a sentence: with a full stop, and in English with a capital")
  func sentences() throws {
    // Names that are written small.
    let names = ["libcurl", "libmicrohttpd", "mpaas"]
    for (language, stops) in [("en", ".?!"), ("zh-Hans", "。？！")] {
      for (key, text) in try Self.texts(language) {
        let isDiagnostic = key.hasPrefix("diagnostic.") && key.split(separator: ".").count == 2
        guard isDiagnostic || key.hasSuffix(".abstract") else { continue }
        #expect(text.last.map(stops.contains) == true, "\(key): \(text)")
        let word = text.prefix { $0.isLetter }
        #expect(
          language != "en" || !word.allSatisfy(\.isLowercase) || word.isEmpty || names.contains(String(word)),
          "\(key): \(text)")
      }
    }
  }

  @Test("names the version that CHANGELOG.md names newest")
  func version() throws {
    let changes = try String(contentsOf: Fixture.package.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /## \[([0-9.]+)\]/)).output.1
    let source = try #require(PackageSource.all.first { $0.file == "CommandKit/Program/KitVersion.swift" }).text
    #expect(source.contains("version: \"\(newest)\""))
  }
}
