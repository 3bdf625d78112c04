import MPaaSSupport
import MPaaSTOML
import MPaaSTestSupport
import Testing

@Suite("TOML documents") struct TOMLDocumentTests {
  @Test("tables, arrays and dates become values")
  func values() throws {
    let text = "a = 1\n[b.c]\nd = [\"x\", -2, 1.5, true]\ne = 2024-05-01\nf = { g = \"\" }\n"
    let document = try TOMLDocument(text, file: "x.toml")
    #expect(
      JSONValue.object(document.values) == [
        "a": 1, "b": ["c": ["d": ["x", -2, .number(1.5), true], "e": "2024-05-01", "f": ["g": ""]]],
      ])
  }

  @Test("a fault is named with its line and column")
  func fault() throws {
    let error = #expect(throws: TOMLError.self) { try TOMLDocument("a = 1\nb = [1,\nc = 2\n", file: "x.toml") }
    #expect(error?.line == 3)
    #expect(error?.column != nil)
    #expect(error?.file == "x.toml")
  }

  @Test("a NUL is refused, not taken for the end")
  func nul() throws {
    #expect(throws: TOMLError("NUL", file: "x", line: 2, column: nil)) { try TOMLDocument("a = 1\nb = \0", file: "x") }
  }
}
