import MPaaSSupport
import MPaaSTOML
import Testing

@Suite("Editing TOML") struct TOMLEditingTests {
  private func document(_ text: String) throws -> TOMLDocument { try TOMLDocument(text, file: "x.toml") }

  private func setting(_ text: String, _ path: [String], _ value: JSONValue) throws -> String {
    try document(text).setting(path, to: value).text
  }

  private func removing(_ text: String, _ path: [String]) throws -> String { try document(text).removing(path).text }

  @Test("a value is replaced where it stands, and the comment behind it stays")
  func replaced() throws {
    let text = "# head\r\n[modules]\r\nAPLog   = \"^3\"   # pinned?\r\nUTDID = { version = \"1\", place = 'copy' }"
    #expect(try setting(text, ["modules", "APLog"], "^4") == text.replacing("\"^3\"", with: "\"^4\""))
    #expect(try setting(text, ["modules", "UTDID", "version"], "2") == text.replacing("\"1\"", with: "\"2\""))
    #expect(try setting(text, ["modules", "APLog"], "^3") == text)
  }

  @Test("a key comes to its sorted place, above the comments of the next")
  func sorted() throws {
    let text = "[modules]\nA = \"1\"\n\n# on C\n  C = \"3\" # c\n[other]\nx = 1\n"
    #expect(
      try setting(text, ["modules", "B"], "2")
        == "[modules]\nA = \"1\"\n\n  B = \"2\"\n# on C\n  C = \"3\" # c\n[other]\nx = 1\n")
  }

  @Test("among keys in no order it comes behind the last, also in a text without a last line end")
  func last() throws {
    #expect(try setting("[m]\nb = 1\na = 2", ["m", "aa"], true) == "[m]\nb = 1\na = 2\naa = true")
    #expect(
      try setting("[m]\r\nb = 1\r\na = 2\r\n\r\n[n]", ["m", "z"], 3) == "[m]\r\nb = 1\r\na = 2\r\nz = 3\r\n\r\n[n]")
    #expect(try setting("[m] # none yet\n", ["m", "a"], "x") == "[m] # none yet\na = \"x\"\n")
  }

  @Test("a table is made behind its nearest kin")
  func table() throws {
    let text = "[modules]\nA = \"1\"\n\n[targets.One]\nplatform = \"ios\"\n\n[targets.Two]\n\n[z]\n"
    #expect(
      try setting(text, ["targets", "One", "modules", "B"], "2")
        == text.replacing("\"ios\"\n", with: "\"ios\"\n\n[targets.One.modules]\nB = \"2\"\n"))
    #expect(try setting("", ["modules", "A"], "1") == "[modules]\nA = \"1\"\n")
    #expect(try setting("x = 1", ["m", "A b"], "1") == "x = 1\n\n[m]\n\"A b\" = \"1\"")
    #expect(try setting("# head\n\n[a.b]\nc = 1\n", ["a", "x"], 2) == "# head\n\n[a]\nx = 2\n\n[a.b]\nc = 1\n")
    #expect(try setting("# on a\n[a]\n", ["x"], 2) == "x = 2\n\n# on a\n[a]\n")
  }

  @Test("dotted keys and inline tables grow where they are")
  func inside() throws {
    #expect(try setting("a.b = 1\na.d = 3\n", ["a", "c"], 2) == "a.b = 1\na.c = 2\na.d = 3\n")
    #expect(try setting("a = { b = 1 } # x\n", ["a", "c"], ["y"]) == "a = { b = 1, c = [\"y\"] } # x\n")
    #expect(try setting("a = {}", ["a", "c", "d"], 1) == "a = { c.d = 1 }")
    #expect(try setting("a = {b=1,d=2}", ["a", "c"], 1) == "a = {b=1,c = 1, d=2}")
  }

  @Test("a key is removed with its line, a table with its lines")
  func removed() throws {
    let text = "[a]\nx = [ # list\n  \"]\", # ]\n] # end\ny = '''\nx = 1\n'''\n\n[a.b]\nz = 1\n\n[c]\nq = 1\n"
    #expect(try removing(text, ["a", "x"]) == text.replacing("x = [ # list\n  \"]\", # ]\n] # end\n", with: ""))
    #expect(try removing(text, ["a", "b"]) == text.replacing("[a.b]\nz = 1\n\n", with: ""))
    #expect(try removing(text, ["c"]) == text.replacing("\n[c]\nq = 1\n", with: ""))
    #expect(try removing(text, ["a"]) == "[c]\nq = 1\n")
    #expect(try removing(text, ["a", "none"]) == text)
    #expect(try removing("a = {x = 1, b.c = 2, b.d = 3}", ["a", "b"]) == "a = {x = 1}")
    #expect(try removing("a = { b = 2, x = 1 }", ["a", "b"]) == "a = { x = 1 }")
    #expect(try removing("a = { b = 2 }", ["a", "b"]) == "a = {}")
  }

  @Test("what cannot be said by an edit is refused and nothing changes")
  func impossible() throws {
    for (text, path) in [("a = 1", ["a", "b"]), ("[[a]]\nb = 1\n", ["a", "c"]), ("a = [{}]", ["a", "b"])] {
      #expect(throws: TOMLEditError(path: path, file: "x.toml")) { try setting(text, path, 1) }
    }
    #expect(throws: TOMLEditError.self) { try setting("", ["a"], .null) }
  }

  @Test("lines are those of the keys, whatever stands in strings, arrays and comments before")
  func lines() throws {
    let text = """
      # a = 1
      [first] # [second]
      "quoted key" = \"\"\"
      [second]
      x = "\\
      \"\"\"\"\"
      list = [ "#", # ]
        '''
      ]''', [ 1, { y = 2 } ],
      ]
      in.line = { a = "}", 'b c' = { d = 1 } }

      [second]
      [[many]]
      [many.sub]
      x = 1
      [[many]]
      """
    let document = try document(text)
    let expected: [([String], Int?)] = [
      (["first"], 2), (["first", "quoted key"], 3), (["first", "list"], 7), (["first", "in"], 11),
      (["first", "in", "line", "b c", "d"], 11), (["second"], 13), (["many"], 14), (["second", "x"], nil),
    ]
    for (path, line) in expected { #expect(document.line(of: path) == line, "\(path)") }
    #expect(document.line(ofElement: 0, in: ["many"]) == 14)
    #expect(document.line(ofElement: 1, in: ["many"]) == 17)
    #expect(document.line(ofElement: 2, in: ["many"]) == nil)
  }
}
