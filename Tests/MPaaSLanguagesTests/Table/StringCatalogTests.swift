import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A string catalogue") struct StringCatalogTests {
  @Test("is given back byte for byte; an entry that is changed and changed back too", .fixtures)
  func fixtures() throws {
    let paths = try TableFixtures.paths(".xcstrings")
    for path in paths {
      let bytes = try Bytes.mapping(path).array
      let catalog = try StringCatalog(bytes, file: path)
      #expect(catalog.bytes(replacing: [:]) == bytes)
      for entry in catalog.entries {
        var node = entry.value
        node.set(.string("x"), at: ["localizations", "de", "stringUnit", "value"])
        let changed = try StringCatalog(catalog.bytes(replacing: [entry.name: node]), file: path)
        #expect(changed.entry(entry.name) == node)
        #expect(changed.bytes(replacing: [entry.name: entry.value]) == bytes, "\(path) \(entry.name)")
        // Taken out and put in again it stands where it stood.
        let without = try StringCatalog(catalog.bytes(replacing: [entry.name: nil]), file: path)
        #expect(without.bytes(replacing: [entry.name: entry.value]) == bytes, "\(path) \(entry.name)")
      }
    }
    #expect(paths.count == 4)
  }

  @Test("gets new entries where they belong by key, in the layout of Xcode")
  func insertion() throws {
    let empty = try StringCatalog(StringCatalog.empty(sourceLanguage: "en"), file: "a")
    let bytes = empty.bytes(replacing: [
      "b": .object(.init([.init("comment", .string("c\n\"d\""))])), "A": .object(.init()), "a": .object(.init()),
    ])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {
          "sourceLanguage" : "en",
          "strings" : {
            "a" : {

            },
            "A" : {

            },
            "b" : {
              "comment" : "c\\n\\"d\\""
            }
          },
          "version" : "1.0"
        }
        """)
  }

  @Test("that is malformed is refused with line and column")
  func malformed() {
    for (text, line, column) in [
      ("{\n \"a\" 1}", 2, 6), ("{\"sourceLanguage\":\"en\",}", 1, 24), ("[1,", 1, 4), ("{\"a\":\"\u{1}\"}", 1, 7),
      ("{\"a\":\"\\q\"}", 1, 7), ("{\"a\":nope}", 1, 6), (String(repeating: "[", count: 1000), 1, 129),
    ] {
      let error = #expect(throws: LanguageError.self) { try StringCatalog(Array(text.utf8), file: "a") }
      #expect(error?.place == .text(file: "a", line: line, column: column), "\(text)")
    }
    let error = #expect(throws: LanguageError.self) { try StringCatalog(Array("{}".utf8), file: "a") }
    #expect(error?.code == .catalogShape)
  }

  @Test("never makes the reader crash or hang", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 12)
    let originals = try TableFixtures.paths(".xcstrings").map { try Bytes.mapping($0).array }
    for round in 0..<SeededRandom.rounds(or: 400) {
      let bytes = mutated(originals[round % originals.count], &random)
      guard let catalog = try? StringCatalog(bytes, file: "a") else { continue }
      _ = LanguageStatistics([TextTable(catalog, name: "a")]).rows
      _ = catalog.bytes(replacing: ["new": .object(.init())])
    }
  }
}
