import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("JSON as people write it") struct JSONSourceTests {
  private func read(_ text: String, _ dialect: JSONSource.Dialect = .annotated) throws -> JSONNode {
    try JSONSource(Array(text.utf8), file: "a.json", dialect).root
  }

  private func failure(
    _ text: String, _ dialect: JSONSource.Dialect = .annotated
  ) -> (id: String, place: String)? {
    do throws(GenerationError) {
      _ = try JSONSource(Array(text.utf8), file: "a.json", dialect)
      return nil
    } catch {
      return (error.code.id.name, error.place.map(\.description) ?? "")
    }
  }

  @Test("keeps the order of members, their places and how numbers were written")
  func order() throws {
    let members = try #require(try read("{\n  \"b\": 1,\n  \"ä\": -2.50, \"a\": [true, null]\n}").members)
    #expect(members.map(\.name) == ["b", "ä", "a"])
    let places = members.map { "\($0.position.line):\($0.position.column)" }
    #expect(places == ["2:3", "3:3", "3:15"])
    #expect(members[0].value.number?.text == "1")
    #expect(members[1].value.number?.text == "-2.50")
    #expect(members[2].value.elements?.map(\.kind) == [.boolean, .null])
  }

  @Test("comments belong to the member below them, or before them on their line")
  func comments() throws {
    let text = """
      /* far above */

      {
        // about a,
        // in two lines
        "a": 1,
        "b": 2, // behind b
        /* of c */ "c": 3, // behind c
        "d": {
          // about e
          "e": "//" // behind e
        } // behind d
        // about nothing
      }
      """
    let members = try #require(try read(text).members)
    #expect(members.map(\.comment) == ["about a,\nin two lines", "behind b", "of c", "behind d"])
    #expect(members[3].value.members?.map(\.comment) == ["about e"])
  }

  @Test("a comma may stand behind the last member and element")
  func trailingCommas() throws {
    #expect(try read("{\"a\": [1, 2,], }").members?.first?.value.elements?.count == 2)
    #expect(failure("{,}")?.id == "source-syntax")
    #expect(failure("[1,,2]")?.place == "a.json:1:4")
  }

  @Test(
    "errors name line and column",
    arguments: [
      ("", "source-unfinished", "a.json:1:1"),
      ("{\"a\": 1", "source-unfinished", "a.json:1:8"),
      ("{\n\"a\" 1}", "source-syntax", "a.json:2:5"),
      ("{\n\"a\": 1 \"b\": 2}", "source-syntax", "a.json:2:8"),
      ("{} x", "source-syntax", "a.json:1:4"),
      ("{\"a\": tru}", "source-syntax", "a.json:1:7"),
      ("{\"a\": 01}", "source-bad-number", "a.json:1:7"),
      ("{\"a\": 1.}", "source-bad-number", "a.json:1:7"),
      ("{\"a\": 1e999}", "source-bad-number", "a.json:1:7"),
      ("{\"é\": \"\\q\"}", "source-bad-string", "a.json:1:8"),
      ("{\"a\": \"\\ud800\"}", "source-bad-string", "a.json:1:8"),
      ("{\"a\": \"x\ny\"}", "source-bad-string", "a.json:1:7"),
      ("{\"a\": \"x", "source-unfinished", "a.json:1:7"),
      ("{ /* x }", "source-unfinished", "a.json:1:3"),
      ("{\"a\": 1,\n \"a\": 2}", "scaffold-name-twice", "a.json:2:2"),
    ])
  func errors(text: String, id: String, place: String) {
    #expect(failure(text)?.id == id, "\(String(describing: failure(text)))")
    #expect(failure(text)?.place == place, "\(String(describing: failure(text)))")
  }

  @Test("what stands too deep is refused rather than followed")
  func depth() throws {
    #expect(throws: Never.self) { try read(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) }
    #expect(failure(String(repeating: "[", count: 100_000))?.id == "source-too-deep")
  }

  @Test("escapes mean what JSON says, and a byte order mark is passed over")
  func escapes() throws {
    #expect(try read("\u{feff}\"\\u00e9\\ud83d\\ude00\\n\\/\"").string == "é😀\n/")
  }

  @Test(
    "plain JSON has no comments, no spare commas and no raw control characters",
    arguments: [
      ("[1] // x", "source-syntax", "a.json:1:5"),
      ("{\"a\": [1, ]}", "source-syntax", "a.json:1:11"),
      ("{\"a\": 1,\n}", "source-syntax", "a.json:2:1"),
      ("[1", "source-unfinished", "a.json:1:3"),
      ("\"a\tb\"", "source-bad-string", "a.json:1:1"),
    ])
  func plain(text: String, id: String, place: String) {
    let found = failure(text, .plain)
    #expect(found?.id == id, "\(String(describing: found))")
    #expect(found?.place == place, "\(String(describing: found))")
  }

  @Test("of members with the same name the last counts in plain JSON, in the place of the first")
  func lastCounts() throws {
    let members = try #require(try read("{\"a\": 1, \"b\": 2, \"a\": 3}", .plain).members)
    #expect(members.map(\.name) == ["a", "b"])
    #expect(members[0].value.number?.value == 3)
  }

  @Test("whole numbers keep 64 bits, larger ones are taken for the nearest, and 2.0 is 2")
  func numbers() throws {
    let text = "[18446744073709551615, -9223372036854775808, 2.0, -0.5, 1e3, 100000000000000000000]"
    let numbers = try #require(try read(text, .plain).elements).map(\.value)
    #expect(
      numbers == [
        .unsigned(.max), .negative(.min), .unsigned(2), .number(-0.5), .unsigned(1000), .number(1e20),
      ])
  }
}
