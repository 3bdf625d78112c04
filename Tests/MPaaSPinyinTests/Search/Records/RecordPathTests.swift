import MPaaSPinyin
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Paths into JSON") struct RecordPathTests {
  @Test(
    "a path is read, and written in one way",
    arguments: [
      (".contacts[].name", ".contacts[].name"), ("contacts[].name", ".contacts[].name"),
      ("$.contacts[*].name", ".contacts[].name"), (".[]", ".[]"), ("[]", ".[]"), (".", "."), ("$", "."),
      (".a[3].b", ".a[3].b"), (#".["a.b"][]"#, #".["a.b"][]"#), (#"."a b".c"#, ".a b.c"), (".[].名", ".[].名"),
      (#"["q\"x"]"#, #".["q\"x"]"#),
    ])
  func reads(text: String, written: String) throws {
    let path = try RecordPath(parsing: text)
    #expect(path.description == written)
    #expect(try RecordPath(parsing: path.description) == path)
  }

  @Test(
    "what is no path is refused with the column that cannot be there",
    arguments: [("", 1), (".a..b", 4), (".a[", 4), (".a[x]", 4), (".a[1", 5), (".a]", 3), (#"."a"#, 2)])
  func refuses(text: String, column: Int) {
    #expect(throws: PinyinError(.recordsPath, ["path": text, "column": "\(column)"])) {
      try RecordPath(parsing: text)
    }
  }

  static func texts(_ json: String, _ path: String?, format: RecordFormat = .json) throws -> [String] {
    let parsed = try path.map { try RecordPath(parsing: $0) }
    return try records(json, format) { $0.path = parsed }.texts
  }

  @Test("texts stand where the path leads; a record without one has an empty text")
  func walks() throws {
    let json = #"{"contacts":[{"name":"张三"},{"phone":1},{"name":"\u674e四","a":{"b":["x","y"]}},{"name":null}]}"#
    #expect(try Self.texts(json, ".contacts[].name") == ["张三", "", "李四", ""])
    #expect(try Self.texts(json, ".contacts[].a.b[1]") == ["", "", "y", ""])
    #expect(try Self.texts(json, ".contacts[2].a.b[]") == ["x", "y"])
    #expect(try Self.texts(json, ".contacts[].phone") == ["", "1", "", ""])
    #expect(try Self.texts(#"["a","b"]"#, nil) == ["a", "b"])
    #expect(try Self.texts(#"[["a"],["b","c"]]"#, ".[][]") == ["a", "b", "c"])
    #expect(try Self.texts("[]", nil) == [])
  }

  @Test("a value in each line; blank lines are none")
  func lines() throws {
    let json = "{\"name\":\"张三\"}\n\n{\"name\":\"李四\",\"tags\":[\"a\"]}\r\n"
    #expect(try Self.texts(json, ".name", format: .jsonl) == ["张三", "李四"])
    #expect(try Self.texts(json, ".tags[]", format: .jsonl) == ["a"])
    #expect(try Self.texts("\"a\"\n\"b\"", nil, format: .jsonl) == ["a", "b"])
    let found = try records(json, .jsonl) { $0.path = RecordPath([.member("name")]) }
    #expect(found.record(1) == "{\"name\":\"李四\",\"tags\":[\"a\"]}")
    #expect(found.lineNumbers() == [1, 3])
  }

  @Test("a second path leads into the same records, or is refused")
  func secondary() throws {
    let json = #"[{"name":"张三","at":{"firm":"甲"}},{"name":"李四"}]"#
    let name = try RecordPath(parsing: ".[].name")
    let firm = try RecordPath(parsing: ".[].at.firm")
    let found = try records(json, .json) {
      $0.path = name
      $0.secondaryPath = firm
    }
    #expect(found.secondaryTexts == ["甲", ""])
    let error = fault { () throws(PinyinError) in
      try records(json, .json) {
        $0.path = name
        $0.secondaryPath = RecordPath([.member("x")])
      }
    }
    #expect(error?.code == .recordsPaths)
  }

  @Test("what is no JSON is refused with its line and column")
  func malformed() {
    let error = fault { () throws(PinyinError) in try records("[\"a\",\n  x]", .json) }
    #expect(error?.code == .recordsJSON)
    #expect(error?.diagnostic.place == .text(file: "data", line: 2, column: 3))
    let line = fault { () throws(PinyinError) in try records("\"a\"\n{\"b\"\n", .jsonl) }
    #expect(line?.diagnostic.place == .text(file: "data", line: 2, column: 5))
    #expect(fault { () throws(PinyinError) in try records("[] x", .json) }?.code == .recordsJSON)
  }

  @Test("a path that ends too early names the members that it could go on to; one that leads nowhere, those beside it")
  func hints() throws {
    let early = fault { () throws(PinyinError) in try records(#"[{"name":"a","x":1}]"#, .json) }
    #expect(early?.code == .recordsNotText)
    #expect(early?.values["suggestion"] == ".[].name")
    #expect(early?.values["members"] == "name, x")
    let nowhere = fault { () throws(PinyinError) in
      try records(#"[{"name":"a","x":1}]"#, .json) { $0.path = RecordPath([.each, .member("nam")]) }
    }
    #expect(nowhere?.code == .recordsNothing)
    #expect(nowhere?.values["members"] == "name, x")
  }
}
