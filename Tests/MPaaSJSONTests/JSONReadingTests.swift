import MPaaSJSON
import MPaaSSupport
import Testing

@Suite("Reading JSON") struct JSONReadingTests {
  private func read(_ text: String) throws(JSONSyntaxError) -> JSONNode {
    try JSONSource(parsing: Array(text.utf8), file: "a.json").root
  }

  @Test("of two members of one name the last counts, in the place of the first, however many there are")
  func twice() throws {
    for count in [2, 11, 12, 13, 40] {
      let members = (0..<count).map { "\"m\($0)\":\($0)" }
      let node = try read("{" + (members + ["\"m1\":true", "\"m0\":\"x\""]).joined(separator: ",") + "}")
      #expect(node.members?.map(\.name) == (0..<count).map { "m\($0)" })
      #expect(node["m0"]?.string == "x" && node["m1"]?.bool == true && node.members?.count == count)
      #expect(node["m2"]?.number?.text == (count > 2 ? "2" : nil))
    }
  }

  @Test(
    "errors tell the column where a string, a number or an escape begins",
    arguments: [
      ("[\"a\\u00e9\\x\"]", 10, "badString"), ("[\"\\u00e9\\n", 2, "unfinished"), ("[\"é\",01]", 6, "badNumber"),
      ("[\"\\n\", \"a\u{1}\"]", 8, "badString"), ("{\"\\u0041\":1.}", 11, "badNumber"),
      ("[\"\\ud800\"]", 3, "badString"),
    ])
  func places(text: String, column: Int, code: String) {
    #expect {
      try read(text)
    } throws: { error in
      guard let error = error as? JSONSyntaxError else { return false }
      return error.position.line == 1 && error.position.column == column && error.code.rawValue == code
    }
  }

  @Test(
    "strings with and without escapes come and go as they are", arguments: ["", "a", "é重", "a\"b\\c\n\u{7f}\u{0}", "/"])
  func strings(text: String) throws {
    let line = JSONNode(text: text).line
    #expect(line == JSONNode(JSONValue(stringLiteral: text)).line)
    #expect(try read(line).string == text)
    #expect(try read("{\(line):[\(line)]}")[text]?.elements?.first?.string == text)
  }

  @Test("a number is one where JSON's grammar says so, and Double reaches so far")
  func numbers() {
    let signs = Array("0123456789+-.eE".utf8)
    var state: UInt64 = 26
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var left = state >> 8
      var bytes: [UInt8] = []
      for _ in 0...(state >> 60 & 7) {
        bytes.append(signs[Int(left % 15)])
        left /= 15
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect((JSONNumber(text) != nil) == Self.isNumber(text), "\(text)")
    }
    #expect(JSONNumber("1" + String(repeating: "0", count: 400)) == nil)
    #expect(JSONNumber("0." + String(repeating: "0", count: 400) + "1") != nil)
  }

  /// The grammar in terms of `Double`, which knows a little more.
  private static func isNumber(_ text: String) -> Bool {
    let bare = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let whole = bare.prefix { $0.isNumber }
    let rest = bare.dropFirst(whole.count)
    guard !whole.isEmpty, whole == "0" || !whole.hasPrefix("0"), Double(text)?.isFinite == true else { return false }
    return !rest.hasPrefix(".") || rest.dropFirst().first?.isNumber == true
  }
}
