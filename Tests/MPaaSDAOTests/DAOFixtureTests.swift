import Foundation
import MPaaSDAO
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("DAO documents of the fixtures") struct DAOFixtureTests {
  @Test("explain the statements and the values that an independent interpreter gives", .fixtures)
  func explain() throws {
    let program = try DAOProgram(reading: DAOFixtures.bytes("explain/core0.xml"))
    for line in try DAOFixtures.lines("storage/dao/explain/expected.jsonl") {
      let arguments = try (line["args"]?.array ?? []).map { try DAOValue($0) }
      let globals = try (line["globals"]?.object ?? [:]).map { ($0.key, try DAOValue($0.value)) }
      let around = DAOSurroundings(globals: Dictionary(globals) { $1 })
      let method = try #require(line["method"]?.string)
      let answer = Result<[DAOStatement], DAOError> { () throws(DAOError) in
        try program.explain(method, arguments, around)
      }
      switch answer {
      case .success(let statements):
        let given = DAOReport.statements(statements)
        #expect(isSame(given, line["statements"] ?? .null), "\(method) \(line): \(given.line)")
      case .failure(let error): #expect(error.code.id == line["error"]?.string, "\(method): \(error)")
      }
    }
  }

  /// The answer to a call, without what a reader cannot rely on: an order that the document does not ask for.
  private func check(_ interpreter: DAOInterpreter, _ line: JSONValue.Object, _ name: String) throws {
    var expected = try #require(line["expect"]?.object)
    var given = DAOReport.answer(to: line["call"] ?? .null, by: interpreter).object ?? [:]
    if expected.removeValue(forKey: "unordered") != nil {
      expected["result"] = expected["result"]?.array.map { .array($0.sorted { $0.line < $1.line }) }
      given["result"] = given["result"]?.array.map { .array($0.sorted { $0.line < $1.line }) }
    }
    given.removeValue(forKey: "message")
    #expect(isSame(.object(given), .object(expected)), "\(name) \(line["call"]?.line ?? ""): \(given)")
  }

  @Test("run with the results, changes and errors that an independent interpreter gives", .fixtures)
  func run() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("storage/dao/run"))
    let names = files.filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()
    #expect(names.count > 40)
    for name in names {
      let program = try DAOProgram(reading: DAOFixtures.bytes("run/\(name).xml"))
      let interpreter = DAOInterpreter(program, try DAOConnection(":memory:"))
      for line in try DAOFixtures.lines("storage/dao/run/\(name).jsonl") { try check(interpreter, line, name) }
    }
  }

  @Test("bring old tables to new versions", .fixtures, arguments: ["chain", "fails", "jump", "min", "reset"])
  func upgrade(name: String) throws {
    let connection = try DAOConnection(":memory:")
    for line in try DAOFixtures.lines("storage/dao/upgrade/\(name).jsonl") {
      let program = try DAOProgram(reading: DAOFixtures.bytes("upgrade/\(try #require(line["file"]?.string))"))
      try check(DAOInterpreter(program, connection), line, name)
    }
  }

  @Test("show the fault that was planted, and no other", .fixtures)
  func faults() throws {
    for line in try DAOFixtures.lines("storage/dao/check/expected.jsonl") {
      let file = try #require(line["file"]?.string)
      let findings = DAOCheck.findings(try DAOFixtures.bytes("check/\(file)"))
      let errors = findings.filter { $0.severity == .error }
      #expect(errors.map(\.code.id) == [line["id"]?.string].compactMap(\.self), "\(file): \(findings)")
      #expect(errors.map(\.position.line) == [line["line"]?.integer()].compactMap(\.self), "\(file): \(findings)")
      if errors.isEmpty { #expect(findings == [], "\(file)") }
    }
  }
}
