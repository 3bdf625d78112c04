import Foundation
import MPaaSTestSupport
import Testing

/// Holds the table of Documentation/Refusals.md against the tests, the sources and the catalogue.
@Suite("The table of refusals") struct RefusalTests {
  struct Row {
    let number: Int
    let identifiers: [String]
    let exit: Int
    let tests: Set<String>
  }

  static func rows() throws -> [Row] {
    let path = Fixture.package.appending(path: "Documentation/Refusals.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, let number = Int(cells[0]), let exit = Int(cells[3]) else { return nil }
      let identifiers = cells[2].matches(of: /`([a-z0-9-]+)`/).map { String($0.output.1) }
      return Row(
        number: number, identifiers: identifiers, exit: exit,
        tests: Set(cells[4].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }))
    }
  }

  @Test("has 67 rows, each with identifiers of its own")
  func complete() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.number) == Array(1...67))
    let all = rows.flatMap(\.identifiers)
    #expect(Set(all).count == all.count)
    #expect(rows.allSatisfy { !$0.identifiers.isEmpty })
  }

  @Test("names the tests that there are: one or more for each number")
  func tested() throws {
    var found: [Int: Set<String>] = [:]
    let root = Fixture.package.appending(path: "Tests")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
      let url = root.appending(path: path)
      let text = try String(contentsOf: url, encoding: .utf8)
      guard text.hasBytes(of: "\"refusal ") else { continue }
      for match in text.matches(of: #/"refusal ([0-9]+): /#) {
        guard let number = Int(match.output.1) else { continue }
        found[number, default: []].insert(url.deletingPathExtension().lastPathComponent)
      }
    }
    for row in try Self.rows() {
      #expect(!row.tests.isEmpty, "refusal \(row.number)")
      #expect(row.tests.isSubset(of: found[row.number] ?? []), "refusal \(row.number)")
    }
    #expect(found.keys.sorted() == Array(1...67))
  }

  /// The definitions of a code in the sources: findings of lint are values of an enumeration, and all malformed.
  private static func definition(of id: String, exit: Int) -> String {
    if id.hasPrefix("lua-") { return #"= "\#(id)""# }
    return (exit == 65 ? "malformed" : "refused") + #"("\#(id)")"#
  }

  @Test("says the exit status that the sources give, and each identifier has its texts in both languages")
  func sources() throws {
    let languages = try [CatalogueTests.texts("en"), CatalogueTests.texts("zh-Hans")]
    for row in try Self.rows() {
      for id in row.identifiers {
        let made = Self.definition(of: id, exit: row.exit)
        #expect(PackageSource.all.contains { $0.has([made]) }, "refusal \(row.number): \(made)")
        for texts in languages {
          for key in ["diagnostic.\(id)", "diagnostic.\(id).explain"] {
            #expect(texts[key] != nil, "refusal \(row.number): \(key)")
          }
        }
      }
    }
  }
}
