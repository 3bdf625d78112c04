import MPaaSDAO
import Testing

@Suite("Expressions of DAO documents") struct DAOExpressionTests {
  private static let names: [String: DAOValue] = [
    "n": 7, "r": 2.5, "s": "it's", "number": "10", "list": [1, 2], "empty": [], "t": true,
    "d": ["count": 9, "a": ["b": 3]],
  ]

  private static func value(_ text: String) throws -> DAOValue {
    let scope = DAOScope(slots: [], globals: names, table: nil, secrets: [], crypt: nil)
    return try DAOExpressionParser.expression(text).value(scope)
  }

  @Test(
    "bind as the manual says",
    arguments: [
      ("1 + 2 * 3", 7 as DAOValue), ("(1 + 2) * 3", 9), ("-n + 1", -6), ("7 / 2", 3.5), ("-7 \\ 2", -3), ("-7 % 2", -1),
      ("7.5 % 2", 1.5), ("nil + 1", nil), ("'3' + 4", 7), ("not n > 8 and t", true), ("not (n > 6)", false),
      ("true or true xor true", true), ("1 == 2 or 2 == 2", true), ("s == 'it\\'s'", true), ("number > 9", true),
      ("list.count + empty.count", 2), ("d.count", 9), ("d.a.count", 1), ("d.a.b", 3), ("d.x.y", nil),
      ("nil == NULL", true), ("nil < 1", false), ("nil >= 1", false), ("nil != 0", true), ("YES and not NO", true),
      ("9223372036854775807 + 1", 9223372036854775808.0), ("1e3", 1000.0), ("'a' < 'b'", true), ("T == nil", true),
      ("false and 1 / 0", false),
    ])
  func values(text: String, expected: DAOValue) throws {
    #expect(try Self.value(text) == expected, "\(text)")
  }

  @Test(
    "are refused where they cannot be read or evaluated",
    arguments: [
      "", "1 +", "(1", "1)", "a = 2", "a == ", "'open", "1 2", "a..b", "a.", "&& 1", "!a", "5x", "and", "#{a}", "a[0]",
      "1 / 0", "1 % 0", "1 \\ 0", "s < 1", "list < 1", "s + 1", "-s",
      String(repeating: "(", count: 100) + "1" + String(repeating: ")", count: 100),
      String(repeating: "1 + ", count: 5000) + "1", String(repeating: "-", count: 100) + "1",
    ])
  func refusals(text: String) {
    #expect { _ = try Self.value(text) } throws: { ($0 as? DAOError)?.code == .expression }
  }
}
