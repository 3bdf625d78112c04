import Foundation
import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Checks of requests") struct RequestCheckTests {
  @Test("agree with openapi-core, and with the specification where that errs", .fixtures)
  func cases() throws {
    let file = try Fixture.path("rpc/openapi/requests/openapi.json")
    let checker = OpenAPIChecker(try OpenAPIDocument(file: file))
    let cases =
      try JSONSource(
        parsing: [UInt8](try Fixture.data("rpc/openapi/requests/cases.json")), file: "cases.json"
      ).root.elements ?? []
    for each in cases {
      let target = each["target"]?.string ?? ""
      let request = OpenAPIRequest(
        method: each["method"]?.string ?? "", target: target,
        headers: OpenAPIHeaders((each["headers"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }),
        body: Array((each["body"]?.string ?? "").utf8))
      let (route, issues) = checker.check(request)
      guard case .operation = route else {
        Issue.record("no route for \(target)")
        continue
      }
      #expect(issues.isEmpty == each["valid"]?.bool, "\(target) \(each["body"]?.string ?? "") \(issues)")
    }
    #expect(cases.count >= 58)
  }

  private static let styles = """
    openapi: 3.2.0
    info: {title: styles, version: "1"}
    paths:
      /m/{a}/{b}:
        get:
          parameters:
            - {name: a, in: path, required: true, style: matrix, schema: {type: array, items: {type: integer}}}
            - {name: b, in: path, required: true, style: label, explode: true, schema: {$ref: '#/components/schemas/P'}}
          responses: {}
      /q:
        get:
          parameters:
            - {name: s, in: query, style: spaceDelimited, schema: {type: array, items: {type: integer}}}
            - {name: p, in: query, style: pipeDelimited, schema: {type: array, items: {type: integer}}}
            - {name: d, in: query, style: deepObject, explode: true, schema: {$ref: '#/components/schemas/P'}}
            - {name: j, in: query, content: {application/json: {schema: {type: object, required: [x]}}}}
          responses: {}
      /w:
        get:
          parameters:
            - {name: w, in: querystring, content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/P'}}}}
          responses: {}
        additionalOperations:
          COPY: {responses: {}}
    components:
      schemas:
        P: {type: object, required: [x], properties: {x: {type: integer}}, additionalProperties: false}
    """

  @Test(
    "read each style as RFC 6570 and OpenAPI write it",
    arguments: [
      ("/m/;a=1,2/.x=1", true), ("/m/;a=1,z/.x=1", false), ("/m/1,2/.x=1", false), ("/m/;a=1/.y=1", false),
      ("/q?s=1%202&p=3%7C4&d[x]=5", true), ("/q?s=1%20a", false), ("/q?p=1|b", false), ("/q?d[x]=a", false),
      ("/q?j=%7B%22x%22:1%7D", true), ("/q?j=%7B%7D", false), ("/q?j=%7B", false), ("/w?x=1", true), ("/w?x=a", false),
    ])
  func styles(target: String, isValid: Bool) throws {
    let checker = OpenAPIChecker(try OpenAPIDocument(Array(Self.styles.utf8), file: "styles.yaml"))
    let request = OpenAPIRequest(method: "GET", target: target, headers: OpenAPIHeaders([]))
    #expect(checker.check(request).issues.isEmpty == isValid, "\(checker.check(request).issues)")
  }

  @Test("find operations with methods of their own")
  func methods() throws {
    let router = OpenAPIRouter(try OpenAPIDocument(Array(Self.styles.utf8), file: "styles.yaml"))
    guard case .operation(let operation, _) = router.route("COPY", "/w") else {
      Issue.record("not found")
      return
    }
    #expect(operation.method == "COPY")
    guard case .otherMethods(let methods) = router.route("POST", "/w") else {
      Issue.record("not refused")
      return
    }
    #expect(methods.sorted() == ["COPY", "GET"])
  }
}
