import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("JSON as people write it") struct SourceJSONTests {
  private func read(_ text: String) throws -> SourceJSON { try SourceJSON(Array(text.utf8), file: "a.json") }

  private func failure(_ text: String) -> (id: String, place: String)? {
    do throws(GenerationError) {
      _ = try SourceJSON(Array(text.utf8), file: "a.json")
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
    #expect(members[0].value.value == .number("1", isWhole: true))
    #expect(members[1].value.value == .number("-2.50", isWhole: false))
    #expect(members[2].value.elements?.map(\.kind) == ["boolean", "null"])
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
    #expect(failure("{,}")?.id == "scaffold-syntax")
    #expect(failure("[1,,2]")?.place == "a.json:1:4")
  }

  @Test(
    "errors name line and column",
    arguments: [
      ("", "scaffold-unfinished", "a.json:1:1"),
      ("{\"a\": 1", "scaffold-unfinished", "a.json:1:8"),
      ("{\n\"a\" 1}", "scaffold-syntax", "a.json:2:5"),
      ("{\n\"a\": 1 \"b\": 2}", "scaffold-syntax", "a.json:2:8"),
      ("{} x", "scaffold-syntax", "a.json:1:4"),
      ("{\"a\": tru}", "scaffold-syntax", "a.json:1:7"),
      ("{\"a\": 01}", "scaffold-bad-number", "a.json:1:7"),
      ("{\"a\": 1.}", "scaffold-bad-number", "a.json:1:7"),
      ("{\"a\": 1e999}", "scaffold-bad-number", "a.json:1:7"),
      ("{\"é\": \"\\q\"}", "scaffold-bad-string", "a.json:1:8"),
      ("{\"a\": \"\\ud800\"}", "scaffold-bad-string", "a.json:1:8"),
      ("{\"a\": \"x\ny\"}", "scaffold-bad-string", "a.json:1:7"),
      ("{\"a\": \"x", "scaffold-unfinished", "a.json:1:7"),
      ("{ /* x }", "scaffold-unfinished", "a.json:1:3"),
      ("{\"a\": 1,\n \"a\": 2}", "scaffold-name-twice", "a.json:2:2"),
    ])
  func errors(text: String, id: String, place: String) {
    #expect(failure(text)?.id == id && failure(text)?.place == place, "\(String(describing: failure(text)))")
  }

  @Test("what stands too deep is refused rather than followed")
  func depth() throws {
    #expect(throws: Never.self) { try read(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) }
    #expect(failure(String(repeating: "[", count: 100_000))?.id == "scaffold-too-deep")
  }

  @Test("escapes mean what JSON says, and a byte order mark is passed over")
  func escapes() throws {
    #expect(try read("\u{feff}\"\\u00e9\\ud83d\\ude00\\n\\/\"").string == "é😀\n/")
  }
}
