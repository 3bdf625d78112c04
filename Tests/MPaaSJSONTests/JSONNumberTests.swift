import MPaaSJSON
import MPaaSSupport
import Testing

@Suite("A JSON number") struct JSONNumberTests {
  private func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text), "\(text)") }

  @Test(
    "keeps its digits and knows if it was written whole", arguments: [("1", true), ("-0.50", false), ("1e2", false)])
  func digits(text: String, isWhole: Bool) throws {
    let number = try number(text)
    #expect(number.text == text)
    #expect(number.isWhole == isWhole)
  }

  @Test(
    "is no text that RFC 8259 does not know, and none beyond the range of a Double",
    arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "0x10", "nan", "1e400", "1 "])
  func refused(text: String) { #expect(JSONNumber(text) == nil) }

  @Test(
    "equals another of the same value, however it was written",
    arguments: [("1", "1.0"), ("100", "1e2"), ("0.05", "5E-2"), ("-0", "0.000"), ("1200", "12.00e+2")])
  func equal(left: String, right: String) throws {
    #expect(try number(left) == number(right))
    #expect(try number(left).hashValue == number(right).hashValue)
  }

  @Test("differs from one that Double rounds to the same value")
  func exact() throws {
    #expect(try number("9007199254740993") != number("9007199254740992"))
    #expect(try number("0.1") != number("0.1000000000000000055511151231257827"))
  }

  @Test("stands in order with others by its exact value")
  func order() throws {
    let texts = ["-1e30", "-12", "-1.5", "-0.001", "0", "1e-300", "0.1", "0.12", "1", "9.99", "10", "9007199254740993"]
    let numbers = try texts.map { try number($0) }
    #expect(numbers.shuffled().sorted().map(\.text) == texts)
  }

  @Test("is a whole number of 64 bits where its value is one", arguments: [("10", 10), ("1.0", 1), ("-2e1", -20)])
  func integer(text: String, value: Int) throws {
    #expect(try number(text).integer(Int.self) == value)
    #expect(try number(text).value == JSONValue(value))
  }
}

@Suite("A JSON value as it was written") struct JSONNodeTextTests {
  @Test("is written with its order and digits, on one line or over several")
  func written() throws {
    let text = #"{"b":1.50,"a":[true,null,"ä\n"],"c":{}}"#
    let node = try JSONSource(parsing: Array(text.utf8), file: "a.json").root
    #expect(node.line == text)
    #expect(node.indented == "{\n  \"b\": 1.50,\n  \"a\": [\n    true,\n    null,\n    \"ä\\n\"\n  ],\n  \"c\": {}\n}")
    let again = try JSONSource(parsing: Array(node.indented.utf8), file: "a.json").root
    #expect(again.line == text)
  }

  @Test("holds no more depth than asked for")
  func depth() throws {
    let deep = Array((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
    _ = try JSONSource(parsing: deep, file: "a.json", depth: 512)
    #expect(throws: JSONSyntaxError(code: .tooDeep, detail: "511", position: TextPosition(line: 1, column: 512))) {
      try JSONSource(parsing: deep, file: "a.json", depth: 511)
    }
  }
}
