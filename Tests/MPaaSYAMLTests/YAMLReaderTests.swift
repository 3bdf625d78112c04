import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import MPaaSYAML
import Testing

@Suite("The YAML reader") struct YAMLReaderTests {
  private func line(_ text: String) throws -> String {
    try YAMLReader.read(Array(text.utf8), file: "a.yaml").root.line
  }

  private func refusal(_ text: String) -> String? {
    do {
      _ = try YAMLReader.read(Array(text.utf8), file: "a.yaml")
      return nil
    } catch {
      return error.code.id.name
    }
  }

  @Test(
    "gives plain values the types of the core schema, with their digits",
    arguments: [
      ("a: 1", #"{"a":1}"#), ("a: 0x1F", #"{"a":31}"#), ("a: 0o17", #"{"a":15}"#), ("a: 010", #"{"a":10}"#),
      ("a: +1.50", #"{"a":1.50}"#), ("a: .5", #"{"a":0.5}"#), ("a: 1.", #"{"a":1}"#), ("a: 1e3", #"{"a":1e3}"#),
      ("a: yes", #"{"a":"yes"}"#), ("a: True", #"{"a":true}"#), ("a: ~", #"{"a":null}"#), ("a:", #"{"a":null}"#),
      ("a: '1'", #"{"a":"1"}"#), ("a: 2026-01-01", #"{"a":"2026-01-01"}"#), ("a: !!str 1", #"{"a":"1"}"#),
      ("200: ok", #"{"200":"ok"}"#), ("a: 12345678901234567890123", #"{"a":12345678901234567890123}"#),
      ("- [1, {b: c}]", #"[[1,{"b":"c"}]]"#), ("", "null"), ("a: |\n  x\n  y\n", #"{"a":"x\ny\n"}"#),
    ])
  func core(text: String, json: String) throws {
    #expect(try line(text) == json)
  }

  @Test("knows line and column of each value and name")
  func places() throws {
    let root = try YAMLReader.read(Array("a: 1\nb:\n  - x\n  - é: y\n".utf8), file: "a.yaml").root
    #expect(root["b"]?.elements?[1]["é"]?.position == TextPosition(line: 4, column: 8))
    #expect(root.members?[1].position == TextPosition(line: 2, column: 1))
  }

  @Test("applies aliases and merge keys, and lets what stands beside them win")
  func merge() throws {
    #expect(try line("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}") == #"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#)
    #expect(try line("a: &x [1]\nb: *x") == #"{"a":[1],"b":[1]}"#)
  }

  @Test(
    "refuses what JSON cannot say, with the reason",
    arguments: [
      ("a: 1\na: 2", "yaml-key-twice"), ("a: .inf", "yaml-value"), ("? [1]\n: 2", "yaml-key"),
      ("a: *b", "yaml-anchor-missing"),
      ("a: &a [*a]", "yaml-anchor-inside"), ("--- 1\n--- 2", "yaml-documents"), ("a: !x 1", "yaml-tag"),
      ("a: !!int x", "yaml-tag"), ("a: [1", "yaml-syntax"), ("a: {<<: 1}", "yaml-merge"), ("\ta: 1", "yaml-syntax"),
    ])
  func refusals(text: String, id: String) {
    #expect(refusal(text) == id)
  }

  @Test("refuses documents that grow by aliases, and those that are too deep")
  func bounds() {
    var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      laughs += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(refusal(laughs) == "yaml-expansion")
    #expect(refusal(String(repeating: "[", count: 600) + String(repeating: "]", count: 600)) == "yaml-too-deep")
    #expect(refusal(String(repeating: "[", count: 500) + String(repeating: "]", count: 500)) == nil)
  }

  @Test("ends with a value or a reason whatever the bytes", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 1)
    for name in ["oai-3.1/pass/style-defaults.yaml", "oai-3.2/pass/media-type-examples.yaml"] {
      let original = [UInt8](try Fixture.data("rpc/openapi/" + name))
      for _ in 0..<400 {
        var bytes = original
        for _ in 0..<(1 + Int.random(in: 0..<8, using: &random)) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          default:
            bytes.insert(contentsOf: [0x26, 0x2a, 0x5b, 0x7b, 0x3a].shuffled(using: &random).prefix(2), at: place)
          }
        }
        _ = try? YAMLReader.read(bytes, file: "a.yaml")
      }
    }
  }
}
