import MPaaSSupport
import Testing

@Suite("The rules of reading JSON") struct JSONRulesTests {
  private static let strict = JSONRules(depth: 256, isStrict: true)

  private func error(_ bytes: [UInt8], _ rules: JSONRules) -> JSONError? {
    do {
      _ = try bytes.withUnsafeBytes { try JSONValue(reading: $0, by: rules) }
      return nil
    } catch {
      return error as? JSONError
    }
  }

  private func error(_ text: String, _ rules: JSONRules = strict) -> JSONError? { error(Array(text.utf8), rules) }

  // MARK: Strict rules

  @Test(
    "that are strict refuse what another reader might take for something else",
    arguments: [
      (#"{"a":1,"a":2}"#, .nameTwice, 7), (#"{"a":1,"\u0061":2}"#, .nameTwice, 7), ("1.5", .notWhole, 0),
      ("1e3", .notWhole, 0), ("-0", .notWhole, 0), ("[9007199254740992]", .outOfRange, 1),
      ("18446744073709551616", .outOfRange, 0), ("\"\u{202e}\"", .uncleanString, 1),
      ("\"e\u{301}\"", .uncleanString, 1), (#""\n""#, .uncleanString, 1), ("\"\u{1}\"", .uncleanString, 1),
      (#""\ud83d""#, .badEscape, 3), (#""\ud83d\u0041""#, .badEscape, 3), (#""\udc00""#, .badEscape, 3),
    ] as [(String, JSONError.Code, Int)])
  func strictly(text: String, code: JSONError.Code, offset: Int) {
    #expect(error(text)?.code == code)
    #expect(error(text)?.offset == offset)
  }

  @Test(
    "that are strict let pass what has one meaning",
    arguments: [
      "9007199254740991", "-9007199254740991", "0", #"{"a":{"a":1}}"#, "\"é 价 👍\"", #""\u00e9\/""#, " [ ] ",
      #"[{"a":1},{"a":1}]"#,
    ])
  func strictlyGood(text: String) {
    #expect(error(text) == nil)
  }

  @Test("refuse numbers below 0 where that is said")
  func negative() {
    let rules = JSONRules(depth: 256, isStrict: true, allowsNegative: false)
    #expect(error("[-1]", rules)?.code == .outOfRange)
    #expect(error("[1]", rules) == nil)
  }

  @Test("refuse bytes that are no UTF-8", arguments: [JSONRules.exact, strict])
  func notUTF8(rules: JSONRules) {
    #expect(error([0x22, 0xff, 0x22], rules)?.code == .notUTF8)
    #expect(error([0x22, 0x5c, 0x6e, 0xc3, 0x22], rules)?.code == .notUTF8)
  }

  // MARK: Exact rules

  @Test(
    "that are exact refuse raw control characters where they stand",
    arguments: [("\"a\u{1}b\"", 1), ("\"\\n\u{1}\"", 3), ("\"\n\"", 1)])
  func rawControls(text: String, offset: Int) {
    #expect(error(text, .exact)?.code == .unexpectedByte)
    #expect(error(text, .exact)?.offset == offset)
    #expect(error(text, .lenient) == nil)
  }

  @Test("that are exact let pass what is only unusual", arguments: ["1.5", #"{"a":1,"a":2}"#, #""\n\u0001""#, "-0"])
  func exactly(text: String) {
    #expect(error(text, .exact) == nil)
  }

  // MARK: Depth, places, ends

  @Test("end at their depth")
  func depth() {
    let rules = JSONRules(depth: 2, isStrict: false)
    #expect(error("[[1]]", rules) == nil)
    #expect(error("[[[1]]]", rules) == JSONError(code: .tooDeep, offset: 2, line: 1, column: 3))
    #expect(error(#"{"a":{"b":{}}}"#, rules)?.code == .tooDeep)
  }

  @Test("tell lines and columns in bytes")
  func places() {
    #expect(error("{\n \"a\" 1}", .lenient) == JSONError(code: .unexpectedByte, offset: 7, line: 2, column: 6))
    #expect(error("\"价\" x", .lenient) == JSONError(code: .trailingBytes, offset: 6, line: 1, column: 7))
  }

  @Test(
    "find the end of the document at the front",
    arguments: [(#"{"a":1} rest"#, 7), ("12,", 2), ("[1][2]", 3), (" true", 5), ("\"a\"\"b\"", 3)])
  func firstOf(text: String, expected: Int) throws {
    var end = 0
    _ = try Array(text.utf8).withUnsafeBytes { try JSONValue(readingFirstOf: $0, end: &end) }
    #expect(end == expected)
  }
}

@Suite("A name that stands twice in JSON") struct NameTwiceTests {
  private func twice(_ text: String) -> JSONSkim.SecondName? {
    Array(text.utf8).withUnsafeBytes { JSONSkim.nameTwice(in: $0) }
  }

  @Test("is found with its place")
  func place() throws {
    let found = try #require(twice("{\"a\":1,\n \"a\":2}"))
    #expect(found.name == "a")
    #expect(found.line == 2)
    #expect(found.column == 2)
  }

  @Test(
    "is found however it is written, and wherever",
    arguments: [
      #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"[1,{"x":{"a":1,"b":[{}],"a":2}}]"#,
      #"{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"a":0,"a":1}"#,
    ])
  func found(text: String) {
    #expect(twice(text)?.name == "a")
  }

  @Test("is found where it is the same only after normalization")
  func normalized() {
    #expect(twice("{\"\u{e9}\":1,\"e\u{301}\":2}") != nil)
  }

  @Test(
    "is none in different objects, and where there is no JSON",
    arguments: [#"[{"a":1},{"a":2}]"#, #"{"a":{"a":1}}"#, "{}", "1", "", "{", #"{"a""#, #"{"a":1,"#, "\"a\""])
  func none(text: String) {
    #expect(twice(text) == nil)
  }

  @Test("is not looked for deeper than the reader goes")
  func depth() {
    let count = 100_000
    #expect(twice(String(repeating: "[", count: count) + String(repeating: "]", count: count)) == nil)
  }
}
