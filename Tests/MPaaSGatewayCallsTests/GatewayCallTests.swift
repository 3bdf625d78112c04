import Foundation
import MPaaSGatewayCalls
import MPaaSJSON
import MPaaSMock
import MPaaSSigning
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Calls of mPaaS' gateway, answered by the mock") struct GatewayCallTests {
  /// A source that answers what a closure gives.
  struct Source: MockSource {
    let name = "test"
    let work: @Sendable (MockRequest) -> MockAnswer?

    func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
      work(request).map { .answer($0, by: MockOrigin("test", id: "1")) }
        ?? .none([MockMiss(MockOrigin("test", id: "1"), distance: 0.5, reasons: ["method: is POST"])])
    }
  }

  static let now = 1_764_300_000.0

  static func rules(strict: Bool = true) throws -> GatewayCallRules {
    var rules = GatewayCallRules()
    rules.isStrict = strict
    let key = try RequestKey(secret: "s3cr3t")
    rules.signers = ["SHOP": [try RequestSigner(.hmacSM3, key: key), try RequestSigner(.hmacSHA256, key: key)]]
    return rules
  }

  /// A call that is signed, and then changed.
  static func call(
    _ data: String = "[{\"id\":7,\"q\":\"a b\"}]", ts: Int64 = Int64(now * 1000), app: String = "SHOP",
    change: (inout MockRequest) -> Void = { _ in }
  ) throws -> MockRequest {
    let signing = SigningRequest(
      operationType: "com.example.pay", timestamp: ts, requestData: Array(data.utf8), appID: app)
    let signer = try RequestSigner(.hmacSM3, key: RequestKey(secret: "s3cr3t"))
    var request = MockRequest("POST", "/mgw.htm", body: Array(data.utf8))
    request.headers = signing.headers.map { ($0.name, $0.value) }
    request.headers.append(("Sign", try signer.signature(of: signing)))
    change(&request)
    return request
  }

  func result(
    _ request: MockRequest, strict: Bool = true, _ work: @escaping @Sendable (MockRequest) -> MockAnswer?
  ) throws -> MockAnswer? {
    let source = GatewayCallSource(
      try Self.rules(strict: strict), sources: { [Source(work: work)] },
      route: { $0 == "com.example.pay" ? OperationRoute(method: "GET", path: "/pets/{id}") : nil })
    if case .answer(let answer, _) = source.answer(request, at: Self.now) { return answer }
    return nil
  }

  private func header(_ answer: MockAnswer?, _ name: String) -> String? {
    answer?.headers.first { $0.name == name }?.value
  }

  @Test("get 1000 with the answer of a stub, which may look at the header or at the path")
  func success() throws {
    let byHeader = try result(Self.call()) { request in
      request.header("Operation-Type") == "com.example.pay" && request.target == "/mgw.htm"
        ? MockAnswer(200, body: [1]) : nil
    }
    #expect(header(byHeader, "Result-Status") == "1000")
    #expect(byHeader?.body == [1])
    let byPath = try result(Self.call("[{\"_requestBody\":\"{\\\"a\\\":1}\"}]")) { request in
      request.target == "/com.example.pay" ? MockAnswer(200, body: request.body) : nil
    }
    #expect(byPath.map { String(decoding: $0.body, as: UTF8.self) } == "{\"a\":1}")
    let byDocument = try result(Self.call()) { request in
      request.method == "GET" && request.target == "/pets/7?q=a%20b" ? MockAnswer(200, body: [2]) : nil
    }
    #expect(byDocument?.body == [2])
  }

  @Test("get the code of the first rule that they break")
  func violations() throws {
    let cases: [(String, MockRequest)] = [
      ("7007", try Self.call { $0.headers.removeAll { $0.name == "Ts" } }),
      ("7003", try Self.call(ts: Int64(Self.now * 1000) - 700_000)),
      ("7003", try Self.call { $0.headers = $0.headers.map { $0.name == "Ts" ? ("Ts", "soon") : $0 } }),
      ("7014", try Self.call { $0.headers.removeAll { $0.name == "Sign" } }),
      ("7000", try Self.call(app: "OTHER")), ("7002", try Self.call { $0.body = Array("[1]".utf8) }),
      ("7002", try Self.call { $0.headers.append(("Sign-Type", "hmac-sha256")) }),
      ("3001", try Self.call("")), ("3002", try Self.call("{}")),
    ]
    for (code, request) in cases {
      let answer = try result(request) { _ in MockAnswer(200) }
      #expect(answer?.status == 200)
      #expect(header(answer, "Result-Status") == code)
      #expect(header(answer, "Memo") != nil)
      let lax = try result(request, strict: false) { _ in MockAnswer(200) }
      // A wrong signature is refused wherever keys are given; all else is told beside the answer.
      let refused = ["7000", "7001", "7002", "7014"]
      if let status = header(lax, "Result-Status"), status != "1000" {
        #expect(refused.contains(status))
      } else {
        #expect(header(lax, "X-Mpaas-Violations")?.contains(code) == true)
        #expect(!refused.contains(code))
      }
    }
  }

  @Test("get 3000 where nothing has an answer, with the nearest reason, and 4001 or 4002 where a service fails")
  func services() throws {
    let unknown = try result(Self.call()) { _ in nil }
    #expect(header(unknown, "Result-Status") == "3000")
    #expect(header(unknown, "Memo")?.contains("method: is POST") == true)
    let failed = try result(Self.call()) { _ in MockAnswer(500) }
    #expect(header(failed, "Result-Status") == "4002" && failed?.status == 200)
    let late = try result(Self.call()) { _ in
      var answer = MockAnswer(200)
      answer.delay = 5000
      return answer
    }
    #expect(header(late, "Result-Status") == "4001" && late?.delay == 3000)
    let own = try result(Self.call()) { _ in MockAnswer(200, headers: [("result-status", "6001")]) }
    #expect(header(own, "Result-Status") == nil && header(own, "result-status") == "6001")
  }

  @Test(
    "get any code that a test prefers, with tips for users that fit into a header", arguments: GatewayResult.allCases)
  func wishes(_ code: GatewayResult) throws {
    let answer = try result(Self.call { $0.headers.append(("Prefer", "result=\(code.rawValue)")) }) { _ in nil }
    #expect(header(answer, "Result-Status") == String(code.rawValue))
    let isASCII = answer?.headers.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
    #expect(isASCII == true)
    if code == .sessionOver {
      #expect(header(answer, "Tips").flatMap { $0.removingPercentEncoding } == "登录已失效，请重新登录")
    }
  }

  @Test("are left to others where a request names no operation")
  func others() throws {
    #expect(try result(MockRequest("GET", "/pets")) { _ in MockAnswer(200) } == nil)
  }

  @Test("of any bytes never stop the mock")
  func fuzz() throws {
    var random = SeededRandom(seed: 29)
    let parts = [
      "operationType=", "a", "&", "ts=", "9", "requestData=", "[", "{", "%5B", "\"", "sign=", "=", "\u{1}",
      "_requestBody",
    ]
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      let text = (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      var request = MockRequest("POST", "/mgw.htm?" + text, body: Array(text.utf8))
      request.headers = [
        ("Content-Type", "application/x-www-form-urlencoded"), ("Ts", text), ("Sign", text), ("AppId", "SHOP"),
      ]
      if Bool.random(using: &random) { request.headers.append(("Operation-Type", text)) }
      _ = try result(request, strict: Bool.random(using: &random)) {
        $0.target.hasPrefix("/com") ? MockAnswer(200) : nil
      }
    }
  }
}
