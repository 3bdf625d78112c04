import Foundation
import MPaaSDAO
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Statements that MyBatis makes of the same documents.
@Suite("Statements of MyBatis") struct MyBatisTests {
  /// The statements of which cases differ on purpose: how many do, and the reason.
  static let differing: [String: (count: Int, reason: String)] = [
    "trimOverrideOrder": (2, "a word goes only where it ends, not as the beginning of another"),
    "foreachNullErr": (1, "a list that is nil gives nothing, where MyBatis has an error"),
    "bindLike": (2, "there is no bind"),
    "bindInForeach": (2, "there is no bind"),
    "indexed": (1, "elements of lists have no names"),
    "deepMix": (12, "elements of lists have no names"),
    "strCompareNum": (3, "there is no operator in"),
    "ternary": (8, "there is no operator ?:"),
    "strMethods": (4, "texts have no methods"),
    "escapeHash": (1, "a backslash takes nothing from a reference"),
  ]

  private static func sameText(_ sql: String) -> String { String(sql.filter { !$0.isWhitespace }) }

  /// The lines whose statement or values differ.
  static func differences(_ mapper: String, _ lines: [JSONValue.Object]) throws -> [String] {
    var names: [String: [String]] = [:]
    for line in lines {
      guard let id = line["id"]?.string else { continue }
      let own = line["params"]?.object?.keys ?? []
      names[id] = Set((names[id] ?? []) + own).sorted()
    }
    let mapper = try MyBatisDocument([UInt8](try Fixture.data("text/dao/\(mapper)")), names: names)
    var reader = DAODocumentReader(file: nil)
    try reader.read(Array(mapper.xml.utf8))
    var found: [String] = []
    for line in lines {
      let id = line["id"]?.string ?? ""
      guard let problem = difference(line, names[id] ?? [], reader.document) else { continue }
      found.append("\(id) \(line["params"]?.line ?? ""): \(problem)")
    }
    return found
  }

  /// The difference in a line; nil where there is none.
  private static func difference(
    _ line: JSONValue.Object, _ names: [String], _ document: DAODocument
  ) -> String? {
    do {
      var own = document
      own.keepMethods { $0.name == line["id"]?.string }
      let arguments = try names.map { try DAOValue(line["params"]?.object?[$0] ?? .null) }
      let statements = try DAOProgram(own).explain(line["id"]?.string ?? "", arguments)
      guard let statement = statements.first else { return "nothing" }
      guard sameText(statement.sql) == sameText(line["sql"]?.string ?? "") else {
        return "\(statement.sql) | \(line["sql"]?.line ?? line["error"]?.line ?? "")"
      }
      let values = (line["args"]?.array ?? []).map { $0.bool.map { JSONValue($0 ? 1 : 0) } ?? $0 }
      let given = DAOReport.statements([statement]).array?.first?.object?["bindings"] ?? .null
      return isSame(given, .array(values)) ? nil : "\(given.line) | \(line["args"]?.line ?? "")"
    } catch {
      return line["error"] == nil ? "\(error)" : nil
    }
  }

  @Test(
    "are those that a document with the same elements gives, but for what differs on purpose", .fixtures,
    arguments: ["core", "random"])
  func statements(kind: String) throws {
    let lines = try DAOFixtures.lines("text/dao/mybatis_\(kind)_expected.jsonl")
    let differences = try Self.differences("mybatis_\(kind)_mapper.xml", lines)
    var counts: [String: Int] = [:]
    for difference in differences { counts[String(difference.prefix { $0 != " " }), default: 0] += 1 }
    let known = Self.differing.filter { counts[$0.key] != nil }.mapValues(\.count)
    #expect(counts == known, "\(differences)")
    // 544 of 580 are the same.
    #expect(differences.count == (kind == "core" ? 36 : 0) && lines.count == (kind == "core" ? 180 : 400))
  }
}
