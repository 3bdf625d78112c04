import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Models of scaffold files") struct ScaffoldModelsTests {
  private func set(_ text: String) throws -> ModelSet {
    try ScaffoldModels(try Scaffold(Array(text.utf8), file: "a.json"), file: "a.json").modelSet()
  }

  private func object(_ set: ModelSet, _ name: String) -> [String: ModelProperty] {
    guard case .object(let object)? = set[name]?.kind else { return [:] }
    return Dictionary(uniqueKeysWithValues: object.properties.map { ($0.jsonName, $0) })
  }

  @Test("take the samples that they were told from, with each field that is not marked missing or null")
  func samples() throws {
    let set = try set(
      """
      {"enum": {"COLOR": {"RED": "r", "GREEN": "g"}, "SIZE": {"S": 1, "L": 3}},
       "model": {"SHOP": {"! id": 1, "! name": "x", "open": true, "rate": 4.5, "tags": ["a"], "grid": [[1, 2]],
         "owner": {"name": "Ann", "age": 30}, "colour": "<COLOR>", "! size": "<SIZE>", "any": null, "map": {},
         "mixed": [1, "a"], "parent": "{SHOP}", "children": ["{SHOP}"]}}}
      """)
    let judge = ModelJudge(set)
    #expect(ModelShape(set).problems == [])
    func check(_ value: JSONValue, _ isGood: Bool) {
      #expect((judge.takes(value, as: .named("Shop")) && judge.allows(value, as: "Shop")) == isGood, "\(value.line)")
    }
    let bare: JSONValue = ["id": 1, "name": "x", "size": 1]
    func with(_ name: String, _ value: JSONValue?) -> JSONValue {
      var members = bare.object ?? [:]
      if let value { members[name] = value } else { _ = members.removeValue(forKey: name) }
      return .object(members)
    }
    check(bare, true)
    for name in ["id", "name", "size"] {
      check(with(name, nil), false)
      check(with(name, .null), false)
    }
    for name in ["open", "rate", "tags", "grid", "owner", "colour", "any", "map", "mixed", "parent", "children"] {
      check(with(name, .null), true)
    }
    for (name, good, bad) in [
      ("open", true, 1), ("rate", 3, "x"), ("tags", ["a", ""], [1]), ("grid", [[], [1]], [[.number(1.5)]]),
      ("colour", "g", "b"),
      ("size", 3, 2), ("owner", ["name": "B"], ["name": 1]), ("owner", [:], []), ("map", ["x": [1]], 1),
      ("mixed", [true, [:]], [:]), ("parent", bare, [:]), ("children", [bare, bare], [[:]]), ("id", 2, .number(2.5)),
    ] as [(String, JSONValue, JSONValue)] {
      check(with(name, good), true)
      check(with(name, bad), false)
    }
  }

  @Test("have what is the parents', with their own in place of it, over any number of generations")
  func parents() throws {
    let set = try set(
      """
      {"model": {"C < B": {"z": true}, "A": {"! x": 1, "y": "a"}, "B < A": {"y": 2.5, "! w": "s"}}}
      """)
    let fields = object(set, "C")
    #expect(fields["y"]?.type == .nullable(.number))
    #expect(fields["x"]?.type == .integer(.int))
    #expect(fields.filter(\.value.isRequired).keys.sorted() == ["w", "x"])
    guard case .object(let c)? = set["C"]?.kind else { return }
    #expect(c.properties.map(\.jsonName) == ["x", "y", "w", "z"])
    #expect(object(set, "A")["y"]?.type == .nullable(.string(.plain)))
  }

  @Test("mark what holds itself through fields, parents and other names, and not what lists hold")
  func circles() throws {
    let set = try set(
      """
      {"model": {"A": {"b": "{B}", "list": ["{A}"]}, "B < P": {"c": "{C}"}, "P": {"p": "{A}"}, "C": "{D}", "D": {"a": "{A}"},
       "E": {"f": {"g": "{E}"}}}}
      """)
    #expect(object(set, "A").filter(\.value.isIndirect).keys.sorted() == ["b"])
    #expect(object(set, "B").filter(\.value.isIndirect).keys.sorted() == ["c", "p"])
    #expect(object(set, "D").filter(\.value.isIndirect).keys.sorted() == ["a"])
    #expect(object(set, "E").filter(\.value.isIndirect).keys.sorted() == ["f"])
    #expect(ModelShape(set).problems == [])
  }

  @Test(
    "that are another name of themselves are refused where they stand",
    arguments: [
      ("{\"model\": {\"A\": \"{A}\"}}", "1:12"), ("{\"model\": {\"A\": \"{B}\",\n \"B\": \"{A}\"}}", "1:12"),
      ("{\"model\": {\"X\": {\"a\": \"{A}\"}, \"A\": \"{B}\", \"B\": \"{C}\", \"C\": \"{B}\"}}", "1:31"),
    ])
  func aliases(text: String, place: String) {
    let error = #expect(throws: GenerationError.self) { try set(text) }
    #expect(error?.code.id == "scaffold-inheritance-cycle")
    #expect(error?.place?.description == "a.json:\(place)")
  }

  @Test("have one property for each field, however alike their names are")
  func alike() throws {
    let names = RandomJSON.names.filter { !$0.isEmpty && $0 != "🙂" }
    let members = names.map { JSONValue.string($0 + "").line + ": 1" }.joined(separator: ", ")
    let set = try set("{\"model\": {\"A\": {\(members), \"selfMember\": 1, \"initMember\": 2}}}")
    #expect(ModelShape(set).problems == [])
    #expect(object(set, "A").count == names.count + 2)
  }

  @Test("have one case for each choice, however alike their names are")
  func choices() throws {
    let names = [
      "self", "selfMember", "init", "default", "none", "noneMember", "a b", "a_b", "aB", "中", "1st", "class",
    ]
    let members = names.enumerated().map { "\"\($0.element)\": \($0.offset)" }.joined(separator: ", ")
    let set = try set("{\"enum\": {\"E\": {\(members)}}, \"model\": {\"A\": {\"e\": \"<E>\"}}}")
    #expect(ModelShape(set).problems == [])
    guard case .enumeration(let constants)? = set["E"]?.kind else {
      Issue.record("no enumeration")
      return
    }
    #expect(constants.map(\.value) == names.indices.map { JSONValue($0) })
  }

  @Test(
    "have the file's prefix, and names that code has for itself are given another",
    arguments: [
      ("", "STRING", "StringModel"), ("", "INPUT", "InputModel"), ("", "order_item", "OrderItem"),
      ("ab", "STRING", "AbString"),
      ("", "订单", "订单"), ("", "2x", "T2x"), ("XY", "item", "XyItem"), ("", "MESSAGE", "MessageModel"),
    ])
  func typeNames(prefix: String, name: String, type: String) throws {
    #expect(
      try set("{\"prefix\": \"\(prefix)\", \"model\": {\"\(name)\": {\"a\": 1}}}").declarations.map(\.name) == [type])
  }

  @Test("of random files are declared, marked and named without a clash, or refused with a place")
  func random() throws {
    var random = RandomJSON(seed: 28)
    let models = ["A", "B", "ORDER_ITEM", "订单", "Self"]
    func sample(_ depth: Int) -> JSONValue {
      switch random.below(depth > 0 ? 9 : 6) {
      case 0: .null
      case 1: 1
      case 2: .number(1.5)
      case 3: "x"
      case 4, 5: .string("{\(models[random.below(models.count)])}")
      case 6: .array((0..<random.below(3)).map { _ in sample(depth - 1) })
      default: object(depth - 1)
      }
    }
    func object(_ depth: Int) -> JSONValue {
      var members: [String: JSONValue] = [:]
      for _ in 0..<random.below(4) {
        let name = RandomJSON.names[random.below(16)]
        members[(random.below(3) == 0 ? "! " : "") + name] = sample(depth)
      }
      return .object(members)
    }
    var made = 0
    for round in 0..<SeededRandom.rounds(or: 250) {
      var all: [String: JSONValue] = [:]
      for model in models {
        let parent = random.below(4) == 0 ? " < " + models[random.below(models.count)] : ""
        all[model + parent] = random.below(6) == 0 ? sample(1) : object(2)
      }
      let text = JSONValue.object(["model": .object(all)]).line
      do {
        let set = try set(text)
        made += 1
        #expect(ModelShape(set).problems == [], "round \(round): \(text)")
        #expect(try self.set(text) == set)
      } catch let error as GenerationError {
        #expect(error.place?.description.hasPrefix("a.json:1:") == true, "\(error)")
      }
    }
    #expect(made > 60)
  }
}

@Suite("Calls of scaffold files") struct ScaffoldCallTests {
  private func scaffold(_ call: String, _ details: String = "{}", _ rest: String = "") throws -> Scaffold {
    try Scaffold(
      Array("{\"server\": \"https://h\", \"controller\": {\"\(call)\": \(details)}\(rest)}".utf8), file: "a.json")
  }

  private func source(_ scaffold: Scaffold, name: String = "shop") throws -> String {
    try #require(SwiftAPIWriter(scaffold, file: "a.json", options: .init(name: name)).source)
  }

  @Test(
    "travel as their method has it by custom, as the file says for all, or as they say",
    arguments: [
      ("GET", nil, nil, Scaffold.Body.query), ("POST", nil, nil, .json), ("DELETE", "form", nil, .query),
      ("PUT", "form", nil, .form),
      ("PATCH", "form", "json", .json), ("GET", nil, "json", .json), ("OPTIONS", nil, nil, .query),
      ("POST", "json-field", nil, .jsonField),
    ] as [(String, String?, String?, Scaffold.Body)])
  func bodies(method: String, all: String?, own: String?, body: Scaffold.Body) throws {
    let details = own.map { "{\"body\": \"\($0)\", \"request\": {\"a\": 1}}" } ?? "{\"request\": {\"a\": 1}}"
    let call = try scaffold("\(method) /a", details, all.map { ", \"body\": \"\($0)\"" } ?? "").calls[0]
    #expect(call.body == body)
    #expect(call.method == method)
  }

  @Test("may be written small, with blanks, and are the same for that")
  func methods() throws {
    for text in ["get /a", "GET  /a", " GET /a ", "Get\\t/a"] { #expect(try scaffold(text).calls[0].title == "GET /a") }
  }

  @Test("are named by their alias, else by method and path, and by no name that something else has")
  func names() throws {
    #expect(try source(scaffold("GET /shots/:id/comments")).contains("enum GetShotsIdComments: CallMessage"))
    #expect(try source(scaffold("GET /a", "{\"alias\": \"查订单\", \"request\": {}}")).contains("enum 查订单: CallMessage"))
    #expect(try source(scaffold("GET https://other.example/v1/me")).contains("enum GetV1Me: CallMessage"))
    #expect(
      throws: GenerationError(
        .scaffoldTypeTwice, ["name": "A", "type": "A", "line": "1"], at: .text(file: "a.json", line: 1, column: 40))
    ) {
      let text = "{\"model\": {\"A\": {}}, \"controller\": {\n\"GET /b\": {\"alias\": \"A\"}}}".replacing(
        "\n", with: "   ")
      _ = try source(Scaffold(Array(text.utf8), file: "a.json"))
    }
  }

  @Test("put each place of the URL, each header and each file where it belongs")
  func parts() throws {
    let text = try source(
      scaffold(
        "POST /a/:id/b/{name}",
        """
        {"parameters": {"id": 1}, "headers": {"! X-Key": "k", "X-Opt": 2}, "fileList": {"! photo": "{PNG}", "更多": "{FILE}"},
         "request": {"! q": "x"}}
        """))
    for line in [
      "request.path(\"/a/\")", "try request.path(\"id\", input.id)", "request.path(\"/b/\")",
      "try request.path(\"name\", input.name)",
      "try request.header(\"X-Key\", input.xKey)", "try request.header(\"X-Opt\", input.xOpt)",
      "request.file(\"photo\", input.photo)",
      "request.file(\"更多\", input.更多)", "var xOpt: Int?", "var photo: CallFile\n", "var 更多: CallFile?",
      "try request.json(input.request)",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    let order = try ["\"/a/\"", "\"id\", input", "\"/b/\"", "\"name\", input"].map {
      try #require(text.firstRange(of: "request.path(" + $0)).lowerBound
    }
    #expect(order == order.sorted())
  }

  @Test(
    "send a whole request in a query field by field, with choices by what they stand for", arguments: ["query", "form"])
  func pairs(body: String) throws {
    let details =
      "{\"body\": \"\(body)\", \"request\": {\"! a\": \"<E>\", \"b\": \"<E>\", \"c\": [\"<E>\"], \"d\": {\"x\": 1}, \"e\": [[1]], \"class\": 1}}"
    let text = try source(scaffold("POST /a", details, ", \"enum\": {\"E\": {\"X\": 1}}"))
    let word = body == "form" ? "field" : "query"
    for line in [
      "request.\(word)(\"a\", input.request.a.rawValue)", "request.\(word)(\"b\", input.request.b?.rawValue)",
      "request.\(word)(\"c\", input.request.c?.map(\\.rawValue))", "try request.\(word)(\"d\", json: input.request.d)",
      "try request.\(word)(\"e\", json: input.request.e)", "request.\(word)(\"class\", input.request.`class`)",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
  }

  @Test("have inputs of one name each, whatever places, headers and files are called")
  func inputs() throws {
    let text = try source(
      scaffold(
        "POST /:request/:input/:x-key",
        "{\"headers\": {\"X-Key\": \"a\"}, \"files\": {\"request\": \"{JPG}\"}, \"request\": {\"! a\": 1}}"))
    let names = text.split(separator: "\n").filter {
      $0.contains("    var ") && $0.contains(": ") && !$0.contains(" = ")
    }
    .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    #expect(Set(names).count == names.count, "\(names)")
    #expect(names.count == 6, "\(names)")
  }

  @Test("without anything to send or to get back have neither")
  func empty() throws {
    let text = try source(scaffold("DELETE /a", "{\"request\": {}, \"response\": null}"))
    #expect(text.contains("typealias Output = Void"))
    #expect(text.contains("init() {}"))
    let call = try scaffold("DELETE /a", "{\"request\": {}, \"response\": null}").calls[0]
    #expect(call.request == nil)
    #expect(call.response == nil)
  }

  @Test(
    "are told once for each server, by the words for environments that people use",
    arguments: [
      ("production", Scaffold.Environment.release), ("PROD", .release), ("dev", .dev), ("Development", .dev),
      ("pre", .staging),
      ("staging", .staging), ("testing", .test),
    ])
  func servers(word: String, environment: Scaffold.Environment) throws {
    let text = "{\"servers\": {\"\(word)\": \"https://h/v1\"}, \"model\": {\"A\": {}}}"
    let scaffold = try Scaffold(Array(text.utf8), file: "a.json")
    #expect(scaffold.servers.map(\.environment) == [environment])
    #expect(scaffold.servers.map(\.url) == ["https://h/v1"])
  }

  @Test("are put together of places and texts, whatever those are")
  func urls() throws {
    var random = RandomJSON(seed: 29)
    let literals = ["/", "/a", "/b.json", "?x=", "&y=", "/12:30", "/价", "-"]
    let names = ["id", "user_id", "x-1", "名"]
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var text = ""
      var parts: [URLTemplate.Part] = []
      for _ in 0...random.below(5) {
        let literal = literals[random.below(literals.count)]
        if case .literal(let last)? = parts.last {
          parts[parts.count - 1] = .literal(last + literal)
        } else {
          parts.append(.literal(literal))
        }
        text += literal
        guard random.below(2) == 0 else { continue }
        let name = names[random.below(names.count)]
        text += "{\(name)}"
        parts.append(.parameter(name))
      }
      let template = try #require(URLTemplate(text), "\(text)")
      #expect(template.parts == parts, "\(text)")
      #expect(template.parameters == parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } })
    }
  }
}
