import MPaaSJSON
import MPaaSProject
import MPaaSSupport
import Testing

@Suite("Generated Swift models") struct SwiftModelTests {
  @Test("keep missing and null apart")
  func presence() throws {
    let source = try models(
      #"{"type": "object", "required": ["a", "b"], "additionalProperties": false, "properties": {"#
        + #""a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"type": "string"}, "#
        + #""d": {"type": ["string", "null"]}}}"#)
    for line in ["var a: String\n", "var b: String?\n", "var c: String?\n", "var d: JSONField<String>\n"] {
      #expect(source.contains(line), "\(line)")
    }
    #expect(source.contains(#"c = try members.optional("c")"#))
    #expect(source.contains(#"b = try members.required("b")"#))
  }

  @Test(
    "call members by names that Swift takes",
    arguments: [
      ("user_id", "userId"), ("URL", "url"), ("1st", "_1st"), ("class", "`class`"), ("größe", "größe"), ("日期", "日期"),
      ("self", "selfMember"), ("+1", "plus1"), ("", "empty"), ("$", "dollar"), ("HTTPServer", "httpServer"),
      ("a b-c", "aBC"),
    ])
  func names(json: String, swift: String) throws {
    let source = try models("{\"type\": \"object\", \"properties\": {\"\(json)\": {\"type\": \"integer\"}}}")
    #expect(source.contains("var \(swift): Int?"), "\(source)")
  }

  @Test("tell members apart whose names become the same")
  func clashes() throws {
    let source = try models(
      #"{"type": "object", "properties": {"a_b": {}, "aB": {}, "a-b": {}, "additionalProperties": {}}}"#)
    for name in ["aB", "aB2", "aB3", "additionalProperties2"] { #expect(source.contains("var \(name): JSONValue?")) }
  }

  @Test("have the names that --map gives")
  func mapping() throws {
    let options = SchemaCompiler.Options(names: ["id": "identifier", "addr": "Address"])
    let source = try models(
      #"{"type": "object", "properties": {"id": {"type": "integer"}, "addr": {"type": "object", "properties": {"x": {}}}}}"#,
      options: options)
    #expect(source.contains("var identifier: Int?"))
    #expect(source.contains("struct Address: JSONDirectModel"))
  }

  @Test("put recursive members outside the structure")
  func recursion() throws {
    let source = try models(
      ##"{"type": "object", "properties": {"next": {"$ref": "#"}, "all": {"type": "array", "items": {"$ref": "#"}}}}"##)
    #expect(source.contains("@JSONIndirect var next: Root?\n"))
    #expect(source.contains("\n  var all: [Root]?\n"))
  }

  @Test("have enumerations, unions, maps, tuples and dates")
  func kinds() throws {
    let source = try models(
      #"{"type": "object", "properties": {"colour": {"enum": ["red", "dark-blue"]}, "map": {"type": "object", "#
        + #""additionalProperties": {"type": "integer"}}, "either": {"type": ["string", "integer"]}, "pair": {"type": "array", "#
        + #""prefixItems": [{"type": "string"}, {"type": "number"}], "items": false, "minItems": 1}, "at": {"type": "string", "#
        + #""format": "date-time"}}}"#)
    for part in [
      "enum Colour: String, JSONModel, CaseIterable", "case darkBlue = \"dark-blue\"", "var map: [String: Int]?",
      "enum Either: JSONModel", "case integer(Int)", "var element0: String\n", "var element1: Double?",
      "var at: JSONDateTime?",
    ] {
      #expect(source.contains(part), "\(part)")
    }
  }

  @Test(
    "write strings so that they are read as they were",
    arguments: [
      (#"a"b"#, ##"#"a"b"#"##), (#"a\b"#, ##"#"a\b"#"##), ("a\nb", #""a\nb""#), ("a\u{0}b", #""a\u{0}b""#),
      ("a\"#\\b", "##\"a\"#\\b\"##"), ("é", "\"é\""), ("e\u{301}", #""e\u{301}""#),
    ])
  func strings(text: String, literal: String) throws {
    let json = JSONValue.object(["const": .string(text), "type": "string"]).line
    #expect(try models(json).contains(literal))
  }

  @Test(
    "put patterns of ECMA-262 into Swift's syntax",
    arguments: [
      (#"^\d{2}$"#, #"^\d{2}$"#), (#"\cA"#, #"\u{1}"#), (#"[[&]"#, #"[\[\&]"#), (#"\s"#, #"[\s\uFEFF]"#),
      ("a/b", "a/b"),
      (#"\/"#, "/"), ("[^]", #"[\s\S]"#), (#"\ud83d\ude00"#, #"\u{1f600}"#), ("[a-]", #"[a\-]"#), ("x{a", #"x\{a"#),
    ])
  func patterns(ecma: String, swift: String) {
    #expect(PatternTranslation.swift(ecma) == swift)
  }

  @Test(
    "refuse patterns that are none",
    arguments: ["(", "a)", "[a", "*a", "a**", #"\Z"#, #"\u12"#, "(?x)a", "a{2,1}{3}{1}"])
  func badPatterns(pattern: String) {
    #expect(PatternTranslation.swift(pattern) == nil)
  }
}

@Suite("Samples") struct SampleTests {
  func models(_ samples: String...) throws -> String {
    var generation = ModelGeneration()
    generation.name = "Root"
    generation.support = .none
    let files = samples.enumerated().map { (file: "sample\($0.offset).json", bytes: Array($0.element.utf8)) }
    return try #require(generation.run(files).files.first).body
  }

  @Test("of one document are merged: what is missing in one is optional, what is null in one may be null")
  func merged() throws {
    let source = try models(
      #"{"a": 1, "b": 1, "c": null, "d": "2026-03-01T10:00:00Z"}"#,
      #"{"a": 1.5, "c": "x", "d": "2026-03-01T10:00:00+01:00"}"#)
    for line in ["var a: Double\n", "var b: Int?\n", "var c: String?\n", "var d: JSONDateTime\n"] {
      #expect(source.contains(line), "\(line)")
    }
  }

  @Test("have maps where names are keys, and unions where kinds differ")
  func maps() throws {
    let source = try models(#"{"m": {"1": {"x": 1}, "2": {"x": 2}}, "u": [1, "a", null]}"#)
    #expect(source.contains("var m: [String: MValue]") || source.contains("var m: [String: M]"), "\(source)")
    #expect(source.contains("case string(String)"))
    #expect(source.contains("case integer(Int)"))
  }

  @Test("have a Double where a number is written with a fraction or an exponent, whatever it is worth")
  func wrote() throws {
    let source = try models(#"{"a": 1.0, "b": 1e3, "c": 1, "d": [1, 2.0]}"#)
    for line in ["var a: Double\n", "var b: Double\n", "var c: Int\n", "var d: [Double]\n"] {
      #expect(source.contains(line), "\(line)")
    }
  }

  @Test(
    "have maps where names are texts, languages, versions, or many of one shape",
    arguments: [
      #"{"Add Account": {"v": 1}, "Done, all": {"v": 2}, "Cancel?": {"v": 3}}"#,
      #"{"en": {"v": 1}, "zh-Hans": {"v": 2}}"#, #"{"1.0.0": {"v": 1}, "1.2.0": {"v": 2}}"#,
      "{" + (0..<12).map { "\"shop\($0)x\": {\"v\": \($0)}" }.joined(separator: ", ") + "}",
    ])
  func dataNames(object: String) throws {
    #expect(try models("{\"m\": \(object)}").contains("var m: [String: MValue]\n"))
  }

  @Test(
    "have types where names are words, though languages are spelled like some",
    arguments: [
      (#"{"id": 1, "to": 2}"#, "var id: Int\n"), (#"{"is": true, "no": false, "so": true}"#, "var no: Bool\n"),
      (#"{"street": "a", "city": "b", "zip": "c"}"#, "var city: String\n"),
      (#"{"first name": "a", "last name": "b", "age": 3}"#, "var firstName: String\n"),
    ])
  func words(object: String, property: String) throws {
    #expect(try models("{\"m\": \(object)}").contains(property))
  }

  @Test("have one type for equal shapes, called by what their names share")
  func equalShapes() throws {
    let source = try models(
      #"{"billingAddress": {"street": "a", "no": 1}, "shippingAddress": {"street": "b", "no": 2}, "o": {"no": 1}}"#)
    #expect(source.contains("var billingAddress: Address\n"))
    #expect(source.contains("var shippingAddress: Address\n"))
    #expect(source.contains("struct Address: JSONDirectModel"))
    #expect(!source.contains("struct BillingAddress"))
    #expect(source.contains("var o: O\n"))
  }

  @Test("are read as --as-map and --as-type say, and a path that leads to no object is refused")
  func said() throws {
    var generation = ModelGeneration()
    generation.name = "Root"
    generation.support = .none
    let files = [(file: "s.json", bytes: Array(#"{"a": {"x": {"v": 1}}, "b": {"1": 1, "2": 2}}"#.utf8))]
    generation.maps = SampleMaps(maps: ["/a"], structures: ["/b"])
    let source = try #require(generation.run(files).files.first).body
    #expect(source.contains("var a: [String: AValue]\n"))
    #expect(source.contains("var b: B\n"))
    generation.maps = SampleMaps(maps: ["/b/1"])
    #expect { try generation.run(files) } throws: { ($0 as? GenerationError)?.diagnostic.id == "sample-path" }
  }
}

@Suite("What a file is") struct InputKindTests {
  @Test(
    "is told from its content",
    arguments: [
      (#"{"type": "integer"}"#, true), (#"{"minimum": 3}"#, true), (#"{"enum": [1]}"#, true),
      (#"{"properties": {"a": {}}}"#, true), (#"{"type": "cat", "title": "x"}"#, false), (#"{"title": "x"}"#, false),
      (#"{"items": [{"a": 1}]}"#, false), (#"{"a": 1}"#, false), ("[1]", false),
    ])
  func kind(text: String, isSchema: Bool) throws {
    let source = try JSONSource(Array(text.utf8), file: "x.json")
    #expect(SampleSchema.isSchema(source.root, file: "x.json") == isSchema)
  }
}

@Suite("Generated files") struct GeneratedSourceTests {
  let made = GeneratedSource(name: "A.swift", origin: "a.json", command: "mpaas generate model", body: "struct A {}\n")

  @Test("stay as they are when nothing has changed, and keep what was written between the marks")
  func kept() throws {
    let text = made.text()
    #expect(made.outcome(over: nil) == .new(text))
    #expect(made.outcome(over: text) == .unchanged)
    let mark = "kept when this file is made again\n"
    let edited = text.replacing(mark, with: mark + "extension A { var mine: Int { 1 } }\n")
    #expect(made.outcome(over: edited) == .unchanged)
    let newer = GeneratedSource(
      name: "A.swift", origin: "a.json", command: "mpaas generate model", body: "struct A { let b = 1 }\n")
    guard case .changed(let result) = newer.outcome(over: edited) else {
      Issue.record("it was not changed")
      return
    }
    #expect(result.contains("var mine: Int { 1 }"))
    #expect(result.contains("let b = 1"))
  }

  @Test("are not replaced when somebody has edited them, or when they are somebody else's")
  func edited() {
    let text = made.text()
    for other in [
      text.replacing("struct A {}", with: "struct A { let x = 1 }"), "struct A {}\n", text + "\nlet y = 1\n", "",
    ] {
      guard case .edited = made.outcome(over: other) else {
        Issue.record("\(other)")
        continue
      }
    }
  }
}
