import Foundation
import MPaaSOpenAPI
import MPaaSTestSupport
import Testing

@Suite("Answers of the mock", .serialized) struct OpenAPIMockTests {
  /// Cases that are answered otherwise, with the reason.
  static let others = [
    // Its sentences are those of an older Prism than those of the case beside it, which both cannot hold.
    "proxy/proxy.validation.httpHeader-truncated.txt": "the sentences are others, and so the cut is elsewhere"
  ]

  @Test("are those of Prism's cases, but for those that are named", .fixtures)
  func prism() throws {
    var count = 0
    var wrong: [String] = []
    let root = try Fixture.path("rpc/openapi-mock/prism")
    for name in (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).sorted() {
      let file = root + "/" + name
      guard name.hasSuffix(".txt") else { continue }
      guard let example = MockCase(try String(contentsOfFile: file, encoding: .utf8), name: name) else { continue }
      count += 1
      let difference: String?
      do { difference = try example.difference() } catch { difference = "\(error)" }
      if let difference, Self.others[name] == nil { wrong.append("\(name): \(difference)") }
      if difference == nil, Self.others[name] != nil { wrong.append("\(name): right after all") }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(count):\n\(wrong.joined(separator: "\n"))")
    #expect(count > 150)
  }
}

@Suite("A mock before another server") struct OpenAPIProxyTests {
  private let mock = try? OpenAPIMock(
    OpenAPIDocument(
      Array(
        """
        openapi: 3.0.3
        info: {title: T, version: "1"}
        paths:
          /a:
            get:
              parameters: [{name: X-Key, in: header, required: true, schema: {type: integer}}]
              responses: {"200": {description: ok, content: {application/json: {schema: {type: object, required: [x]}}}}}
        """.utf8), file: "t.yaml"))

  @Test("hands on what the description takes, refuses the rest, and tells what is wrong with answers")
  func proxy() throws {
    let mock = try #require(mock)
    let good = OpenAPIRequest(method: "GET", target: "/a", headers: OpenAPIHeaders([("x-key", "10")]))
    let bad = OpenAPIRequest(method: "GET", target: "/a", headers: OpenAPIHeaders([]))
    #expect(mock.refusal(of: good).answer == nil)
    #expect(mock.refusal(of: bad).answer?.status == 422)
    #expect(mock.refusal(of: bad).issues.map(\.location) == [["request", "header"]])
    let answer = OpenAPIAnswer(
      status: 200, headers: OpenAPIHeaders([("Content-Type", "application/json")]), body: Array("{}".utf8))
    #expect(mock.issues(of: answer, to: good).map(\.code) == ["required"])
  }

  @Test("answers for operations that the server does not have yet, and leaves the rest of it alone")
  func remaking() throws {
    let proxy = OpenAPIProxy(try #require(mock))
    let request = OpenAPIRequest(method: "GET", target: "/a", headers: OpenAPIHeaders([("x-key", "1")]))
    #expect(proxy.answer(OpenAPIAnswer(status: 501), to: request).status == 200)
    let other = OpenAPIRequest(method: "GET", target: "/b", headers: OpenAPIHeaders([]))
    #expect(proxy.answer(OpenAPIAnswer(status: 501), to: other) == OpenAPIAnswer(status: 501))
    guard case .pass = proxy.step(other) else {
      Issue.record("a request that no operation is for is handed on where errors are only told")
      return
    }
  }

  @Test("cuts a list of violations that is too long for a header")
  func long() throws {
    let names = (0..<200).map { "\"a-name-that-is-rather-long-\($0)\"" }.joined(separator: ", ")
    let text = """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /a: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {required: [\(names)]}}}}}}}
      """
    let proxy = OpenAPIProxy(OpenAPIMock(try OpenAPIDocument(Array(text.utf8), file: "t.yaml")))
    let request = OpenAPIRequest(method: "GET", target: "/a", headers: OpenAPIHeaders([]))
    let type = OpenAPIHeaders([("Content-Type", "application/json")])
    let answer = proxy.answer(OpenAPIAnswer(status: 200, headers: type, body: Array("{}".utf8)), to: request)
    let told = try #require(answer.headers["sl-violations"])
    #expect(told.hasPrefix("Too many violations! [{") && told.utf8.count < 9 << 10)
    #expect(answer.body == Array("{}".utf8))
  }

  @Test("answers whatever bytes a request has")
  func mutations() throws {
    let mock = try #require(mock)
    var random = SeededRandom(seed: 7)
    let heads = [
      "application/json", "multipart/form-data; boundary=\"", "application/x-www-form-urlencoded", ";;=", "*/*",
    ]
    for _ in 0..<2_000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0x20...0xff, using: &random) }
      let text = String(decoding: bytes, as: UTF8.self)
      let head = heads.randomElement(using: &random) ?? ""
      let headers = OpenAPIHeaders([
        ("Content-Type", head + text), ("Accept", text), ("Prefer", text), ("Cookie", text),
      ])
      let request = OpenAPIRequest(method: "GET", target: "/a?" + text, headers: headers, body: bytes)
      #expect((200...599).contains(mock.answer(request).status))
    }
  }
}

@Suite("A mock that remembers") struct OpenAPIStateMockTests {
  private static let pets = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get: {responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}
        post:
          requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
          responses: {"201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
      /pets/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get: {responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
        patch:
          requestBody: {content: {application/json: {schema: {type: object}}}}
          responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
        delete: {responses: {"204": {description: gone}}}
    components:
      schemas:
        Pet:
          type: object
          required: [id, name]
          properties: {id: {type: integer, readOnly: true}, name: {type: string}, tag: {type: string}}
    """

  private func call(_ mock: OpenAPIStateMock, _ method: String, _ target: String, _ body: String = "") -> (Int, String)
  {
    let headers = body.isEmpty ? [] : [(name: "Content-Type", value: "application/json")]
    let answer = mock.answer(
      OpenAPIRequest(method: method, target: target, headers: OpenAPIHeaders(headers), body: Array(body.utf8)))
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  @Test("finds what was posted by the next GET, changes it, and loses it when it is deleted")
  func life() throws {
    let mock = OpenAPIStateMock(OpenAPIMock(try OpenAPIDocument(Array(Self.pets.utf8), file: "pets.yaml")))
    #expect(call(mock, "POST", "/pets", #"{"name":"Tom"}"#) == (201, #"{"id":1,"name":"Tom","tag":"string"}"#))
    #expect(call(mock, "POST", "/pets", #"{"tag":"cat"}"#).0 == 422)
    #expect(call(mock, "GET", "/pets/1") == (200, #"{"id":1,"name":"Tom","tag":"string"}"#))
    #expect(call(mock, "PATCH", "/pets/1", #"{"name":"Jerry"}"#).1 == #"{"id":1,"name":"Jerry","tag":"string"}"#)
    #expect(call(mock, "GET", "/pets") == (200, #"[{"id":1,"name":"Jerry","tag":"string"}]"#))
    #expect(call(mock, "DELETE", "/pets/1").0 == 204)
    #expect(call(mock, "GET", "/pets/1").0 == 404)
    #expect(call(mock, "GET", "/pets") == (200, "[]"))
    mock.reset()
    #expect(call(mock, "GET", "/pets/1").0 == 200)
  }

  @Test("draws the same samples for the same seed, and only such as their schemas take")
  func samples() throws {
    let text = """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths:
        /t:
          get:
            responses:
              "200":
                description: ok
                content:
                  application/json:
                    schema:
                      type: object
                      required: [a, b, c, d, e, f]
                      properties:
                        a: {type: integer, minimum: 3, exclusiveMaximum: 9, multipleOf: 2}
                        b: {type: string, pattern: '^[A-Z]{2}-[0-9]{3,5}$'}
                        c: {type: array, items: {type: number, minimum: 0.5}, minItems: 2, maxItems: 4, uniqueItems: true}
                        d: {oneOf: [{type: string, format: uuid}, {type: boolean}]}
                        e: {allOf: [{type: object, properties: {x: {enum: [1, 2]}}}, {type: object, properties: {y: {type: 'null'}}}]}
                        f: {type: string, minLength: 20, maxLength: 22}
      """
    let document = try OpenAPIDocument(Array(text.utf8), file: "t.yaml")
    let checker = OpenAPIChecker(document)
    let request = OpenAPIRequest(method: "GET", target: "/t", headers: OpenAPIHeaders([]))
    var seen: Set<String> = []
    for seed in 0..<100 {
      var options = OpenAPIMock.Options()
      options.isDynamic = true
      options.seed = UInt64(seed)
      let answer = OpenAPIMock(checker, options: options).answer(request)
      #expect(answer == OpenAPIMock(checker, options: options).answer(request))
      #expect(
        answer.status == 200 && answer.headers["sl-violations"] == nil,
        "\(String(decoding: answer.body, as: UTF8.self))")
      seen.insert(String(decoding: answer.body, as: UTF8.self))
    }
    #expect(seen.count > 20)
  }
}
