import MPaaSSupport
import Testing

@testable import MPaaSTerminal

@Suite("JSON of results") struct ResultJSONTests {
  private struct Language: RawRepresentable, Hashable, Codable, CodingKeyRepresentable {
    var rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
  }

  private struct Result: Encodable {
    var someURLName = 1
    var byName = ["zh-Hans": 1]
    var byLanguage = [Language(rawValue: "zh-Hans"): ["innerKey": 2]]
  }

  private struct Sizes: Encodable {
    var text = "9007199254740993 \"18446744073709551615\""
    var signed = Int64.min
    var unsigned = UInt64.max
    var kept: [Int64] = [1 << 53, -(1 << 53), 0]
    var odd: [Int64] = [(1 << 53) + 1, -(1 << 53) - 1]
    var double = 1e300
    var exact = 12345678901234567890.0
  }

  @Test("names of members are in snake_case, keys that are data stay as they are")
  func keys() throws {
    #expect(
      try Terminal.json(Result())
        == #"{"by_language":{"zh-Hans":{"innerKey":2}},"by_name":{"zh-Hans":1},"some_url_name":1}"#)
    for (name, shown) in [
      ("a", "a"), ("oneTwo", "one_two"), ("myURLProperty", "my_url_property"), ("has2Parts", "has2_parts"),
      ("snake_case", "snake_case"), ("sha256", "sha256"), ("URL", "url"), ("usesHTTP2", "uses_http2"),
    ] {
      #expect(SnakeCaseKey.snakeCase(name) == shown)
    }
  }

  @Test("integers beyond 2^53 are strings, others numbers, and texts are not touched")
  func integers() throws {
    let json = try Terminal.json(Sizes())
    #expect(json.contains(#""signed":"-9223372036854775808""#))
    #expect(json.contains(#""unsigned":"18446744073709551615""#))
    #expect(json.contains(#""kept":[9007199254740992,-9007199254740992,0]"#))
    #expect(json.contains(#""odd":["9007199254740993","-9007199254740993"]"#))
    #expect(json.contains(#""text":"9007199254740993 \"18446744073709551615\"""#))
    #expect(json.contains(#""double":1e+300"#))
    #expect(json.contains(#""exact":1.2345678901234567e+19"#))
  }
}
