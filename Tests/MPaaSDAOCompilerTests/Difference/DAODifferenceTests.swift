import Foundation
import MPaaSDAO
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSDAOCompiler

@Suite("Compiled DAO documents") struct DAODifferenceTests {
  /// Reads a document of the fixtures.
  private static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Fixture.data("storage/dao/\(name)")) }

  private static func lines(_ name: String) throws -> [JSONValue.Object] {
    String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").compactMap { line in
      (try? Array(line.utf8).withUnsafeBytes { try JSONValue(reading: $0) })?.object
    }
  }

  /// The call of a line of a fixture.
  private static func call(_ document: Int, _ call: JSONValue.Object) throws -> DifferenceProgram.Call {
    if let step = call["transaction"]?.string {
      return DifferenceProgram.Call(document: document, method: step, arguments: nil)
    }
    let values = try (call["args"]?.array ?? []).map { try DAOValue($0) }
    return DifferenceProgram.Call(
      document: document, method: call["method"]?.string ?? "", arguments: values, table: call["table"]?.string ?? "")
  }

  private static func check(_ output: String, atLeast count: Int) {
    let words = output.split(separator: "\n").last?.split(separator: " ") ?? []
    #expect(output.split(separator: "\n").count == 1 && words.count == 6 && words.last == "0", "\(output.prefix(6000))")
    #expect(words.count == 6 && Int(words[1]).map { $0 >= count } ?? false, "\(words)")
  }

  @Test("run the statements of the fixtures as the interpreter does", .fixtures, .tool("swiftc"))
  func fixtures() throws {
    let isLong = SeededRandom.rounds(or: 0) > 0
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("storage/dao/run"))
      .filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()
    let chosen = names.enumerated().filter { isLong || $0.offset.isMultiple(of: 8) }.map(\.element)
    var documents = try chosen.map { try Self.bytes("run/\($0).xml") } + [Self.bytes("explain/core0.xml")]
    var scenarios = try chosen.enumerated().map { number, name in
      try Self.lines("run/\(name).jsonl").map { try Self.call(number, $0["call"]?.object ?? [:]) }
    }
    scenarios.append(try Self.lines("explain/expected.jsonl").map { try Self.call(chosen.count, $0) })
    // Versions of one document, which share a database.
    for series in ["chain", "fails", "jump", "min", "reset"] {
      let lines = try Self.lines("upgrade/\(series).jsonl")
      let files = Set(lines.compactMap { $0["file"]?.string }).sorted()
      let first = documents.count
      documents += try files.map { try Self.bytes("upgrade/\($0)") }
      scenarios.append(
        try lines.map { line in
          let number = files.firstIndex(of: line["file"]?.string ?? "") ?? 0
          return try Self.call(first + number, line["call"]?.object ?? [:])
        })
    }
    Self.check(try DifferenceProgram(documents, infersTypes: false).run(scenarios), atLeast: 200)
  }

  @Test("run the statements of made-up documents as the interpreter does", .tool("swiftc"))
  func random() throws {
    // The compiler takes a sixth of a second for a method: where there are many documents, each has one.
    let rounds = SeededRandom.rounds(or: 24), methods = rounds > 100 ? 1 : 6
    for start in stride(from: 0, to: rounds, by: 200) {
      var makers = (start..<min(start + 200, rounds)).map { RandomDocument(seed: UInt64($0) + 24, methods: methods) }
      let documents = makers.indices.map { Array(makers[$0].xml().utf8) }
      let program = try DifferenceProgram(documents, infersTypes: true)
      var scenarios: [[DifferenceProgram.Call]] = []
      for (number, compilation) in program.compilations.enumerated() {
        let plans = compilation.plans.first?.plans ?? []
        scenarios.append(makers[number].calls(of: plans, document: number))
      }
      Self.check(try program.run(scenarios), atLeast: documents.count * 4)
    }
  }
}
