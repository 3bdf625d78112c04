import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas generate model") struct GenerateModelTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  func run(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["generate", "model"] + arguments, environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"],
      directory: home.url)
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: home.url.appending(path: name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: home.url.appending(path: name)), as: UTF8.self)
  }

  static let schema = #"""
    {"title": "Order", "type": "object", "required": ["id"],
     "properties": {"id": {"type": "integer", "minimum": 1}, "items": {"type": "array", "items": {
       "type": "object", "required": ["price"], "properties": {"price": {"type": "number", "minimum": 0}}}}}}
    """#

  @Test("writes models once, changes nothing the second time, and leaves edited files alone")
  func lifeCycle() throws {
    try write(Self.schema, "order.schema.json")
    let trial = try run("order.schema.json", "--dry-run")
    #expect(trial.status == 0)
    #expect(trial.output.contains("Nothing was written"))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/Order.swift"))
    let first = try run("order.schema.json", "--json")
    let document = try json(first.output)
    #expect(first.status == 0, "\(first.errors)")
    #expect((document["files"] as? [[String: Any]])?.map { $0["state"] as? String } == ["new", "new"])
    #expect((document["types"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Order", "Item"])
    let again = try json(run("order.schema.json", "--json").output)
    #expect((again["files"] as? [[String: Any]])?.map { $0["state"] as? String } == ["unchanged", "unchanged"])
    let text = try read("Order.swift")
    try write(text.replacing("var id: Int", with: "var id: Int64"), "Order.swift")
    let refused = try run("order.schema.json", "--json")
    #expect(refused.status == 73)
    #expect(refused.errors.contains("generated-file-edited"))
    #expect(try run("order.schema.json", "--force").status == 0)
    #expect(try read("Order.swift") == text)
  }

  @Test("says of an object in a sample that its names are data, and refuses a path that leads nowhere")
  func maps() throws {
    try write(#"{"prices": {"tea": 1, "rice": 2}}"#, "shop.json")
    let said = try run("shop.json", "--as-map", "/prices", "--output", "-")
    #expect(said.status == 0, "\(said.errors)")
    #expect(said.output.contains("var prices: [String: Int]\n"), "\(said.errors)")
    let wrong = try run("shop.json", "--as-map", "/price", "--output", "-")
    #expect(wrong.status == 65, "\(wrong.errors)")
    #expect(wrong.errors.contains("sample-path"), "\(wrong.errors)")
    #expect(try run("shop.json", "--as-type", "prices").status == 64)
    #expect(try run("shop.json", "--schema", "--as-map", "/prices").status == 64)
  }

  /// A string catalogue of some 40 kB, in four languages, with plural forms in every fifth text.
  private static var catalogue: String {
    let languages = ["de", "fr", "ja", "zh-Hans"]
    let texts = (0..<91).map { number -> String in
      let key = "\"Text number \(number) of %@\""
      if number % 13 == 0 { return key + #": {"extractionState": "manual"}"# }
      let forms = languages.map { language in
        let unit = #"{"stringUnit": {"state": "translated", "value": "\#(language) \#(number) of %@"}}"#
        let plural = #"{"variations": {"plural": {"one": \#(unit), "other": \#(unit)}}}"#
        return "\"\(language)\": " + (number % 5 == 0 ? plural : unit)
      }
      return key + #": {"comment": "Number \#(number)", "localizations": {\#(forms.joined(separator: ",\n      "))}}"#
    }
    return #"{"sourceLanguage": "en", "strings": {\#(texts.joined(separator: ",\n    "))}, "version": "1.0"}"#
  }

  private func types(_ arguments: String...) throws -> [String?] {
    let outcome = try Command.run(
      "mpaas", ["generate", "model", "--dry-run", "--json"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"], directory: home.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return (try json(outcome.output)["types"] as? [[String: Any]] ?? []).map { $0["name"] as? String }
  }

  @Test("a string catalogue, whose keys are data, makes a type for each of its shapes and no more")
  func catalogueTypes() throws {
    #expect(Self.catalogue.utf8.count > 30_000)
    try write(Self.catalogue, "Localizable.json")
    let names = try types("Localizable.json", "--name", "Catalog")
    // The catalogue, a text, its form in a language, what that says, the choice by number, its forms, one of them.
    #expect(names.count == 7, "\(names)")
    let source = try run("Localizable.json", "--name", "Catalog", "--output", "-").output
    #expect(source.contains(#/var strings: \[String: \w+\]\n/#), "\(source.prefix(400))")
    #expect(source.contains(#/var localizations: \[String: \w+\]\?\n/#))
  }

  @Test("a list of 84 kB, in which one shape has several names, makes three types", .fixtures)
  func equalShapes() throws {
    let names = try types(Fixture.path("project/quicktype/json/misc/337ed.json"), "--sample", "--name", "Incomes")
    #expect(names.count == 3, "\(names)")
  }

  @Test("a member that is nearly a keyword is named with its place; other members are remarks")
  func slips() throws {
    try write(
      "{\"type\": \"object\",\n \"propertees\": {}, \"x-order\": 1, \"properties\": {\"minimun\": {}}}", "a.schema.json"
    )
    let outcome = try run("a.schema.json", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("a.schema.json:2:2: propertees"), "\(outcome.output)")
    let notes = try json(run("a.schema.json", "--dry-run", "--json").output)["notes"] as? [[String: Any]]
    #expect(notes?.map { $0["id"] as? String } == ["schema-unknown-keyword"])
  }

  @Test("reads standard input and prints one source that stands alone, with no more support than it needs")
  func pipes() throws {
    let outcome = try Command.run(
      "mpaas", ["generate", "model", "-", "--name", "Order", "--output", "-"], input: Self.schema,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"], directory: home.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("// Order.swift"))
    #expect(outcome.output.hasSuffix("Yours until here\n"))
    #expect(outcome.output.contains("struct JSONReport"))
    #expect(!outcome.output.contains("enum JSONFormat"))
    try write(outcome.output, "Order.swift")
    let compiled = try Command.run(
      "swiftc", ["-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "Order.swift"],
      directory: home.url)
    #expect(compiled.status == 0, "\(compiled.output)\(compiled.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasSuffix(".swift") }.count == 1)
  }

  @Test("names file, line and column of what is wrong with a schema")
  func errors() throws {
    try write("{\n  \"type\": \"objekt\"\n}", "bad.schema.json")
    let outcome = try run("bad.schema.json")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("bad.schema.json:2:11"), "\(outcome.errors)")
    #expect(try run("missing.json").status == 66)
    #expect(try run("bad.schema.json", "--schema", "--sample").status == 64)
    #expect(try run("bad.schema.json", "--map", "x").status == 64)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: home.path)) == ["bad.schema.json"])
  }

  @Test("writes what swift format would write", .tool("swift"))
  func formatted() throws {
    try write(Self.schema, "order.schema.json")
    #expect(try run("order.schema.json").status == 0)
    for file in ["Order.swift", "JSONModelSupport.swift"] {
      let formatted = try Command.run(
        "swift", ["format", "--configuration", "{\"version\": 1}", home.path + "/" + file])
      #expect(formatted.status == 0, "\(formatted.errors)")
      #expect(formatted.output == (try read(file)), "\(file)")
    }
  }

  static let program = #"""
    import Foundation

    func told(_ text: String) -> String {
      do {
        let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(order), as: UTF8.self)
      } catch { return "\(error)" }
    }
    print(told(#"{"id": 1, "items": [{"price": 2.5, "more": {"x": [1, null]}}], "note": "n"}"#))
    print(told(#"{"id": 1, "items": [{"price": 1}, {"price": -1}]}"#))
    print(told(#"{"id": 0, "items": [{"price": "1"}, {}]}"#))
    var order = Order(id: 0)
    do { try order.validate() } catch { print(error) }
    """#

  @Test("makes models that keep what they do not know and name the path of what is wrong", .tool("swiftc"))
  func behaviour() throws {
    try write(Self.schema, "order.schema.json")
    try write(Self.program.replacing("var order", with: "let order"), "main.swift")
    #expect(try run("order.schema.json").status == 0)
    let built = try Command.run(
      "swiftc",
      [
        "-swift-version", "6", "-warnings-as-errors", "Order.swift", "JSONModelSupport.swift", "main.swift", "-o",
        "program",
      ],
      directory: home.url)
    #expect(built.status == 0, "\(built.output)\(built.errors)")
    let told = try Command.run(home.path + "/program").output.split(separator: "\n").map(String.init)
    #expect(
      told == [
        #"{"id":1,"items":[{"more":{"x":[1,null]},"price":2.5}],"note":"n"}"#,
        "/items/1/price: must be at least 0",
        "/id: must be at least 1", "/items/0/price: must be a number, not string",
        "/items/1: must have a member “price”",
        "/id: must be at least 1",
      ])
  }

  static let twins = ##"""
    import Foundation

    let sample = CommandLine.arguments[1]
    let words = [#"null"#, "1", "1.5", "-0.5", "1e3", "1e400", "18446744073709551615", "true", #""x""#, "[]", "{}", "[null]",
      "0", "-1", "1000.0", "1001", "9007199254740993", "9007199254740991", #""abc""#, #""A-1""#, #""é""#, "[1, 1.0]", "[10]",
      #"["a", "a"]"#, #"{"a": -1}"#, #"{"row": 1}"#, #""a@b""#, #""_-b""#]
    func told(_ work: () throws -> Trip) -> String {
      do {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(try work()), as: UTF8.self)
      } catch let error as JSONInvalid { return error.description } catch { return "no JSON" }
    }
    var (count, differing, refused) = (0, 0, 0)
    // Each value of the sample is replaced by each word, each member is left out or doubled under another name.
    let texts = sample.matches(of: #/("[^"]*"|[0-9.]+|true|false|null)([,}\]])/#).flatMap { match in
      words.map { sample.replacingCharacters(in: match.output.1.startIndex..<match.output.1.endIndex, with: $0) }
    } + sample.matches(of: #/"([a-z]+)":/#).flatMap { match in
      [#""other":"#, #""x": null, "\#(match.output.1)":"#].map { sample.replacingCharacters(in: match.range, with: $0) }
    }
    for text in texts + [sample] {
      let data = Data(text.utf8)
      let direct = told { try JSONDecoder().decode(Trip.self, from: data) }
      let checked = told { try Trip(validating: try JSONDecoder().decode(JSONValue.self, from: data)) }
      count += 1
      if direct != checked { differing += 1; print(text, direct, checked, separator: "\n  ") }
      if checked.first != "{" { refused += 1 }
    }
    print(count > 200, differing, refused > 100 && refused < count)
    """##

  static let sample = #"""
    {"id": 1, "name": "a", "fare": 2.5, "paid": true, "tags": ["b"],
     "seats": [{"row": 1, "side": null}, {"row": 2, "side": "l"}],
     "when": "2026-01-01T00:00:00Z", "day": "2026-01-01", "more": null, "decoder": {"encoder": 1, "deep": [[1], []]}}
    """#

  static let checked = (
    schema: #"""
    {"title": "Trip", "type": "object", "required": ["id", "name", "tags", "mode", "box"],
     "properties": {
       "id": {"type": "integer", "minimum": 1, "maximum": 1000},
       "name": {"type": "string", "pattern": "^[A-Za-z_-]{1,3}(b|c)?$", "maxLength": 3},
       "code": {"type": "string", "pattern": "[A-Z]+-\\d{2,}x?$"},
       "fare": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5, "maximum": 9007199254740992},
       "mode": {"enum": ["bus", "train"]}, "mail": {"type": "string", "format": "email"},
       "tags": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"type": "string", "maxLength": 2}},
       "note": {"type": ["string", "null"], "minLength": 2}, "box": {"$ref": "#/$defs/box"},
       "seats": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/seat"}},
       "rates": {"type": "object", "maxProperties": 2, "additionalProperties": {"type": "number", "minimum": 0}},
       "value": {"anyOf": [{"type": "array", "minItems": 1, "items": {"type": "integer"}}, {"type": "null"}]}},
     "additionalProperties": {"type": "integer", "minimum": 0},
     "$defs": {
       "box": {"type": "array", "items": {"type": "number", "maximum": 9}, "maxItems": 2},
       "seat": {"type": "object", "required": ["row", "side"], "additionalProperties": false, "properties": {
         "row": {"type": "integer", "exclusiveMinimum": 0},
         "side": {"type": ["string", "null"], "pattern": "^[lr]$"}}}}}
    """#,
    sample: #"""
    {"id": 1, "name": "a", "code": "aAB-123x", "fare": 2.5, "mode": "bus", "mail": "a.b@c.de", "tags": ["b", "cc"],
     "note": "no", "box": [1, 2.5], "seats": [{"row": 1, "side": null}, {"row": 2, "side": "l"}],
     "rates": {"a": 1, "b": 2}, "value": [1], "more": 5}
    """#
  )

  @Test(
    "decodes member by member what decoding by a JSON value decodes, and refuses the same with the same words",
    .tool("swiftc"), arguments: [false, true])
  func direct(isChecked: Bool) throws {
    let sample = isChecked ? Self.checked.sample : Self.sample
    if isChecked { try write(Self.checked.schema, "trip.schema.json") } else { try write(sample, "trip.json") }
    try write(Self.twins, "main.swift")
    #expect(try run(isChecked ? "trip.schema.json" : "trip.json").status == 0)
    let source = try read("Trip.swift")
    #expect(source.contains("struct Trip: JSONDirectModel"), "\(source)")
    #expect(!source.contains(": JSONModel {"), "\(source)")
    let built = try Command.run(
      "swiftc",
      [
        "-swift-version", "6", "-warnings-as-errors", "Trip.swift", "JSONModelSupport.swift", "main.swift", "-o",
        "program",
      ],
      directory: home.url)
    #expect(built.status == 0, "\(built.output)\(built.errors)")
    let told = try Command.run(home.path + "/program", [sample])
    #expect(told.status == 0, "\(told.output)\(told.errors)")
    #expect(told.output == "true 0 true\n", "\(told.output)\(told.errors)")
  }

  /// Part of the instances, since compiling is slow; `MPAAS_MODEL_SUITE=1/1` takes all.
  @Test("passes the test suite of JSON Schema and quicktype's samples", .fixtures, .tool("swiftc"), .tool("python3"))
  func suite() throws {
    let part = ProcessInfo.processInfo.environment["MPAAS_MODEL_SUITE"] ?? "1/14"
    let outcome = try Command.run(
      Fixture.package.appending(path: "scripts/model-suite").path, ["--json", "--part", part],
      environment: ["MPAAS": Command.mpaas.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try json(outcome.output)
    let (passed, total) = (document["passed"] as? Int ?? 0, document["total"] as? Int ?? 0)
    #expect(total > 100, "\(document["failures"] ?? "")")
    #expect(passed * 100 >= total * 99, "\(document["failures"] ?? "")")
    let failures = document["failures"] as? [[String]] ?? []
    #expect(failures.filter { $0[0].hasPrefix("quicktype") } == [])
  }
}
