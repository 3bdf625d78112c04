import Foundation
import MPaaSSigning
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// A request of `rpc/signing/back-end.json`, with what OpenSSL makes of it.
struct BackEndCase: Decodable, Sendable {
  let method: String
  let path: String
  let query: [[String]]
  let form: [[String]]
  let body: String?
  let secret: String
  let stringToSign: String
  let hmacSM3: String
  let hmacSHA256: String

  static func all() throws -> [BackEndCase] {
    try JSONDecoder().decode([BackEndCase].self, from: Fixture.data("rpc/signing/back-end.json"))
  }

  var request: SigningRequest {
    SigningRequest(
      method: method, path: path, query: query.map { RequestField($0[0], $0[1]) },
      form: form.map { RequestField($0[0], $0[1]) }, body: body.map { Array($0.utf8) })
  }
}

@Suite("The text that the gateway signs for servers behind it") struct BackEndFormTests {
  @Test("and its signatures are those of OpenSSL, for every case", .fixtures)
  func cases() throws {
    let cases = try BackEndCase.all()
    #expect(cases.count == 7)
    for one in cases {
      let text = try BackEndForm().bytes(of: one.request)
      #expect(String(decoding: text, as: UTF8.self) == one.stringToSign)
      for (algorithm, expected) in [(SigningAlgorithm.hmacSHA256, one.hmacSHA256), (.hmacSM3, one.hmacSM3)] {
        let signer = try RequestSigner(algorithm, key: RequestKey(secret: one.secret), form: BackEndForm())
        #expect(try signer.signature(of: one.request) == expected)
        #expect(try signer.verifies(expected, of: one.request))
        #expect(try signer.verifies(expected.uppercased(), of: one.request))
      }
    }
  }

  @Test("is the same from what stands in HTTP: query, form and content type")
  func http() throws {
    let request = SigningRequest(
      method: "post", target: "https://example.com:8080/test/testSign?c=3&a=1&a=9#part",
      headers: [RequestField("content-type", "application/x-www-form-urlencoded; charset=UTF-8")],
      body: Array("b=2&d=4&empty=&space=a+b%20c".utf8))
    let text = String(decoding: try BackEndForm().bytes(of: request), as: UTF8.self)
    #expect(text == "POST\n\n/test/testSign?a=1&b=2&c=3&d=4&empty&space=a b c")
  }

  @Test("has the digest of the word null for PUT and POST without a body alone")
  func noBody() throws {
    func text(_ method: String, _ body: [UInt8]?) throws -> String {
      String(
        decoding: try BackEndForm().bytes(of: SigningRequest(method: method, path: "/a", body: body)), as: UTF8.self)
    }
    #expect(try text("PUT", nil) == "PUT\nN6YlnMDB2uKZp4Zkid/wvQ==\n/a")
    #expect(try text("POST", []) == "POST\nN6YlnMDB2uKZp4Zkid/wvQ==\n/a")
    #expect(try text("PATCH", [1]) == "PATCH\n\n/a")
  }

  @Test("orders names as Java does, by units of UTF-16")
  func order() throws {
    let request = SigningRequest(
      method: "GET", path: "/", query: [RequestField("\u{ff21}", "1"), RequestField("\u{1f600}", "2")])
    #expect(String(decoding: try BackEndForm().bytes(of: request), as: UTF8.self) == "GET\n\n/?\u{1f600}=2&\u{ff21}=1")
  }
}
