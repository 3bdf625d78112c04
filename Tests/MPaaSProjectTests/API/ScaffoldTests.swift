import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

/// The scaffold file of Examples.
func exampleScaffold() throws -> [UInt8] {
  [UInt8](try Data(contentsOf: Fixture.package.appending(path: "Examples/Scaffold/library.json")))
}

@Suite("Bee's scaffold files") struct ScaffoldTests {
  private func read(_ text: String) throws -> Scaffold { try Scaffold(Array(text.utf8), file: "a.json") }

  @Test("the example says what is in it")
  func example() throws {
    let scaffold = try Scaffold(exampleScaffold(), file: "library.json")
    #expect(scaffold.title == "Reading Room")
    #expect(scaffold.author == "The kit's examples")
    #expect(scaffold.servers.map(\.environment) == [.dev, .test, .release])
    #expect(scaffold.enumerations.map(\.name) == ["SORT", "LOAN_STATE"])
    #expect(scaffold.enumerations[1].cases.map(\.value) == [.number(1), .number(2), .number(3)])
    #expect(scaffold.enumerations[1].cases[2].comment == "a reminder was sent")
    #expect(scaffold.models.prefix(5).map(\.name) == ["RECORD", "AUTHOR", "BOOK", "LOAN", "SHELF"])
    #expect(scaffold.models[2].parent == "RECORD")
    #expect(scaffold.calls.map(\.title).first == "GET /books")
    #expect(scaffold.calls.count == 6)
    #expect(scaffold.calls[0].comment == "Books, page by page.")
    #expect(scaffold.calls[0].alias == "BOOKS")
    #expect(scaffold.calls[1].parameters.map(\.type) == [.whole])
    #expect(scaffold.calls[1].response == .model("BOOK"))
    #expect(scaffold.calls[3].body == .json)
    #expect(scaffold.calls[0].body == .query)
    #expect(scaffold.calls[4].files.map(\.kind) == [.jpeg])
    #expect(scaffold.calls[5].request == nil)
    #expect(scaffold.calls[5].response == nil)
    #expect(scaffold.notes.map(\.code.id) == ["scaffold-call-skipped"])
  }

  @Test("fields have the types of their samples")
  func types() throws {
    let scaffold = try read(
      """
      {"enums": {"E": {"A": "a"}}, "models": {"M": {"a": null, "b": true, "! c": 1, "d": 1.0, "e": "x", "f": {},
        "g": ["{M}"], "h": "<E>", "i": [], "j": [1, 2.5], "k": [[1]], "l": ["x", 1], "m": {"n": 1},
        "o": [{"p": 1}, {"q": 2}], "r": "<b>bold</b>", "s": "{0} of {1}", "t": "{ M }"}}}
      """)
    guard case .fields(let fields) = scaffold.models[0].shape else { return #expect(Bool(false)) }
    let types = Dictionary(fields.map { ($0.name, $0.type) }) { $1 }
    #expect(
      types == [
        "a": .any, "b": .bool, "c": .whole, "d": .number, "e": .text, "f": .object, "g": .list(.model("M")),
        "h": .enumeration("E"), "i": .list(.any), "j": .list(.number), "k": .list(.list(.whole)), "l": .list(.any),
        "m": .model("M_m"), "o": .list(.model("M_o")), "r": .text, "s": .text, "t": .model("M"),
      ])
    #expect(fields.filter(\.isRequired).map(\.name) == ["c"])
    #expect(scaffold.models.map(\.name) == ["M", "M_m", "M_o"])
    #expect(scaffold.models[2].shape.fieldNames == ["p", "q"])
  }

  @Test("flat files of before have models and calls beside the title, and whole responses")
  func flat() throws {
    let scaffold = try read(
      """
      {"title": "Old", "server": {"product": "api.example.com"}, "!USER": {"! id": 1}, "LIST": ["{USER}"],
       "GET /users": {"total": 1, "users": ["{USER}"]}, "GET http://other.example/me": "{USER}"}
      """)
    #expect(scaffold.models.map(\.name) == ["USER", "LIST", "GET_/users_response"])
    #expect(scaffold.calls[0].response == .model("GET_/users_response"))
    #expect(scaffold.calls[1].response == .model("USER"))
    #expect(scaffold.calls[1].url.isAbsolute)
    #expect(scaffold.servers.map(\.url) == ["http://api.example.com"])
    #expect(scaffold.notes.map(\.code.id) == ["scaffold-plain-server"])
  }

  @Test(
    "URLs have places for parameters",
    arguments: [
      ("/shots/:id", ["id"]), ("/shots/{shot-id}/x", ["shot-id"]), ("/a/:b.json?c=:d&e={f}", ["b", "d", "f"]),
      ("http://host:8080/a/:b", ["b"]), ("/time/12:30", []), ("?url=/order/list", []),
    ])
  func urls(text: String, parameters: [String]) throws {
    #expect(try #require(URLTemplate(text)).parameters == parameters)
  }

  @Test(
    "what is wrong is named with its place",
    arguments: [
      ("[]", "scaffold-wrong-kind", "1:1"),
      ("{\"title\": \"x\"}", "scaffold-empty", "1:1"),
      ("{\"title\": 1, \"model\": {\"A\": {}}}", "scaffold-wrong-kind", "1:11"),
      ("{\"model\": {\"A\": {\"b\": \"{C}\"}}}", "scaffold-unknown-type", "1:18"),
      ("{\"model\": {\"A\": {\"b\": [\"<C>\"]}}}", "scaffold-unknown-type", "1:18"),
      ("{\"model\": {\"A\": {\"b\": [\"{A\"]}}}", "scaffold-open-reference", "1:24"),
      ("{\"model\": {\"A < B\": {}, \"B<A\": {}}}", "scaffold-inheritance-cycle", "1:12"),
      ("{\"model\": {\"A < X\": {}}}", "scaffold-unknown-type", "1:12"),
      ("{\"model\": {\"A\": {}, \"!A\": {}}}", "scaffold-name-twice", "1:21"),
      ("{\"model\": {\"A\": {\"! \": 1}}}", "scaffold-bad-name", "1:18"),
      ("{\"model\": {\"A\": {\"b\": 1, \"! b\": 1}}}", "scaffold-name-twice", "1:26"),
      ("{\"enum\": {\"A\": {\"b\": 1, \"c\": \"d\"}}}", "scaffold-bad-enumeration", "1:30"),
      ("{\"enum\": {\"A\": {}}}", "scaffold-bad-enumeration", "1:16"),
      ("{\"enum\": {\"A\": {\"b\": 1, \"c\": 1}}}", "scaffold-value-twice", "1:30"),
      ("{\"server\": {\"moon\": \"a\"}, \"model\": {\"A\": {}}}", "scaffold-bad-server", "1:13"),
      ("{\"server\": \"ftp://a\", \"model\": {\"A\": {}}}", "scaffold-bad-url", "1:12"),
      ("{\"controller\": {\"GET\": {}}}", "scaffold-bad-call", "1:17"),
      ("{\"controller\": {\"GTE /a\": {}}}", "scaffold-bad-method", "1:17"),
      ("{\"controller\": {\"GET /a/{b\": {}}}", "scaffold-bad-url", "1:17"),
      ("{\"controller\": {\"GET /:a/:a\": {}}}", "scaffold-parameter-twice", "1:17"),
      ("{\"controller\": {\"GET /a\": {\"parameters\": {\"b\": 1}}}}", "scaffold-bad-parameter", "1:43"),
      ("{\"controller\": {\"GET /:a\": {\"parameters\": {\"a\": []}}}}", "scaffold-bad-parameter", "1:44"),
      ("{\"controller\": {\"GET /a\": {\"headers\": {\"b c\": \"\"}}}}", "scaffold-bad-header", "1:40"),
      ("{\"controller\": {\"GET /a\": {\"fileList\": {\"b\": \"{JPG}\"}}}}", "scaffold-bad-file", "1:41"),
      ("{\"controller\": {\"PUT /a\": {\"fileList\": {\"b\": \"x\"}}}}", "scaffold-bad-file", "1:41"),
      ("{\"controller\": {\"PUT /a\": {\"body\": \"xml\"}}}", "scaffold-bad-body", "1:36"),
      ("{\"controller\": {\"GET /a\": {}, \"get  /a\": {}}}", "scaffold-name-twice", "1:31"),
    ])
  func errors(text: String, id: String, place: String) throws {
    let error = #expect(throws: GenerationError.self) { try read(text) }
    #expect(error?.code.id.name == id)
    #expect(error?.place?.description == "a.json:\(place)")
  }

  @Test("a name that is nearly right is suggested")
  func suggestion() throws {
    let error = #expect(throws: GenerationError.self) {
      try read("{\"model\": {\"PLAYER\": {}, \"SHOT\": {\"player\": \"{PLYER}\"}}}")
    }
    #expect(error?.details.first?.values["name"] == "PLAYER")
  }

  @Test("types of the same name in code are refused, with the line of the first")
  func sameName() throws {
    let scaffold = try read("{\"model\": {\"A_B\": {},\n\"a b\": {}}}")
    let error = #expect(throws: GenerationError.self) { try ScaffoldModels(scaffold, file: "a.json") }
    #expect(error?.code.id == "scaffold-type-twice")
    #expect(error?.values["line"] == "1")
  }

  @Test("models have the fields of their parents, and what must hold of them")
  func models() throws {
    let set = try ScaffoldModels(try Scaffold(exampleScaffold(), file: "library.json"), file: "").modelSet()
    guard case .object(let book) = set["Book"]?.kind else { return #expect(Bool(false)) }
    #expect(book.properties.prefix(4).map(\.name) == ["id", "createdAt", "title", "author"])
    #expect(book.properties[0].isRequired)
    #expect(book.properties[0].type == .integer(.int))
    #expect(book.properties[1].type == .nullable(.string(.plain)))
    #expect(!book.properties[1].isRequired)
    #expect(book.properties.filter(\.isIndirect).map(\.name) == ["sequel"])
    #expect(set["Book"]?.checks.contains(.required(["id", "title"])) == true)
    #expect(set["BookCover"] != nil)
    #expect(set["Shelf"]?.kind == .value(.array(.named("Book"))))
  }

  @Test("mutated files are read or refused, and never crash the reader")
  func fuzz() throws {
    let original = try exampleScaffold()
    var random = SeededRandom(seed: 61)
    let pieces = [
      "{", "}", "[", "]", "\"", ":", ",", "!", "<", "//", "/*", "\\", "\\u", "-", "1e", "null", "\n", "{A}",
    ]
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        default: bytes = Array(bytes[..<place]) + [0]
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if let error = refusal(bytes) { #expect(error.place != nil, "\(error)") }
    }
  }

  /// The reason why no models are made of the bytes.
  private func refusal(_ bytes: [UInt8]) -> GenerationError? {
    do throws(GenerationError) {
      _ = try ScaffoldModels(try Scaffold(bytes, file: "a.json"), file: "a.json").modelSet()
      return nil
    } catch {
      return error
    }
  }
}

extension Scaffold.Model.Shape {
  fileprivate var fieldNames: [String] {
    if case .fields(let fields) = self { fields.map(\.name) } else { [] }
  }
}
