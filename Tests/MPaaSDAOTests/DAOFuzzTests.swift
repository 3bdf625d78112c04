import Foundation
import MPaaSDAO
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Damaged DAO documents") struct DAOFuzzTests {
  /// Pieces that documents are made of, so that damage goes deeper than the XML.
  private static let pieces = [
    "${", "}", "#{", "@{", "%{'", "'", "\"", "<if true=\"", "\">", "</if>", "<step>", "</step>", "<try>", "</try>", "(",
    ")",
    "nil", "a", "m", ".count", " or ", " no \"\"", "${T}", "--", "/*", "&lt;", "\u{0}", "日", "<foreach ",
    "collection=\"a\"",
  ]

  private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...40, using: &random), bytes.count))
      case 2: bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8), at: place)
      default:
        let end = min(place + Int.random(in: 1...60, using: &random), bytes.count)
        bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
      }
      if bytes.isEmpty { bytes = [0x3c] }
    }
    return bytes
  }

  private static func value(_ depth: Int, _ random: inout SeededRandom) -> DAOValue {
    switch Int.random(in: 0..<(depth > 2 ? 6 : 9), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: .real([0, -1.5, 1e300, .infinity, .nan].randomElement(using: &random) ?? 0)
    case 4: .text(pieces.randomElement(using: &random) ?? "")
    case 5: .data([0, 255])
    case 6: .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1, &random) })
    case 7: .dictionary(["a": value(depth + 1, &random), "x\"y": value(depth + 1, &random)])
    default: .object(DAOObject(className: "C", properties: ["a": value(depth + 1, &random)]))
    }
  }

  @Test("give a typed error or a statement, whatever they are called with", .fixtures)
  func documents() throws {
    var random = SeededRandom(seed: 24)
    let original = try DAOFixtures.bytes("explain/core0.xml")
    var compiled = 0
    for round in 0..<SeededRandom.rounds(or: 300) {
      let bytes = round == 0 ? original : Self.damaged(original, &random)
      guard let program = try? DAOProgram(reading: bytes) else { continue }
      compiled += 1
      for method in program.document.methods {
        let arguments = method.arguments.map { _ in Self.value(0, &random) }
        _ = try? program.explain(method.name, arguments)
      }
    }
    #expect(compiled > 0)
  }

  @Test("are checked and run without a trap", .fixtures)
  func runs() throws {
    var random = SeededRandom(seed: 42)
    let original = try DAOFixtures.bytes("run/r000.xml")
    for _ in 0..<SeededRandom.rounds(or: 10) {
      let bytes = Self.damaged(original, &random)
      _ = DAOCheck.findings(bytes)
      guard let program = try? DAOProgram(reading: bytes) else { continue }
      let interpreter = DAOInterpreter(program, try DAOConnection(":memory:"))
      for method in program.document.methods {
        let arguments = method.arguments.map { _ in Self.value(0, &random) }
        _ = try? interpreter.call(method.name, arguments)
      }
    }
  }
}
