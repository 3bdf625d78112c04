import Foundation
import MPaaSSupport
import Testing

private func read(_ text: String) throws -> JSONValue {
  try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
}

private func error(_ text: String) -> JSONError? {
  do {
    _ = try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    return nil
  } catch {
    return error as? JSONError
  }
}

@Suite("A JSON value") struct JSONValueTests {
  @Test("keeps whole numbers exactly up to 64 bits")
  func numbers() throws {
    #expect(try read("18446744073709551615") == .unsigned(.max))
    #expect(try read("-9223372036854775808") == .negative(.min))
    #expect(try read("18446744073709551616") == .number(18_446_744_073_709_551_616))
    #expect(try read("[0,-1,1.5,1e3]") == [0, -1, .number(1.5), .number(1000)])
    #expect(JSONValue(3.0) == 3)
    #expect(JSONValue(Double.nan) == nil)
  }

  @Test("reads every escape, and repairs halves of pairs")
  func escapes() throws {
    #expect(try read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == "\"\\/\u{8}\u{c}\n\r\té😀")
    #expect(try read(#""\ud83d!""#) == "\u{fffd}!")
    #expect(try read(#""\ud83d\u0041""#) == "\u{fffd}A")
  }

  @Test("is written on one line with sorted members, and read back the same")
  func writing() throws {
    let value: JSONValue = ["b": [1, true, .null], "a": "x\u{0}\u{7f}\"/\n", "c": ["é": -5]]
    #expect(value.line == #"{"a":"x\u0000\u007f\"/\n","b":[1,true,null],"c":{"é":-5}}"#)
    #expect(try read(value.line) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.line.utf8)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test(
    "is refused at the first byte that cannot be there",
    arguments: [
      ("", JSONError.Code.endOfInput, 0), ("[1,", .endOfInput, 3), ("[1,]", .unexpectedByte, 3), ("01", .badNumber, 0),
      ("1.", .endOfInput, 2), ("-x", .badNumber, 1), ("tru", .endOfInput, 3), ("trux", .unexpectedByte, 3),
      ("{\"a\" 1}", .unexpectedByte, 5), ("\"\\x\"", .badEscape, 2), ("\"\\u12g4\"", .badEscape, 5),
      ("1 2", .trailingBytes, 2), ("1e999", .badNumber, 0), ("{1:2}", .unexpectedByte, 1),
    ])
  func errors(text: String, code: JSONError.Code, offset: Int) {
    #expect(error(text) == JSONError(code: code, offset: offset, line: 1, column: offset + 1))
  }

  @Test("is refused where it is nested too deep for the stack")
  func depth() {
    #expect(error(String(repeating: "[", count: 100_000))?.code == .tooDeep)
  }
}
