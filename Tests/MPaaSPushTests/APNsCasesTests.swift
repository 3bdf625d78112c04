import Crypto
import Foundation
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The cases of `services/push/apns-cases.json`: requests with the answers of APNs.
struct APNsCases: Decodable {
  struct Case: Decodable {
    struct Request: Decodable {
      let method: String
      let path: String
      let headers: [String: String]
      let body: JSONValue
      let bodySize: Int?
      let bodyRaw: String?
      private enum CodingKeys: String, CodingKey {
        case method, path, headers, body
        case bodySize = "body_size"
        case bodyRaw = "body_raw"
      }
    }
    struct Expectation: Decodable {
      let status: Int
      let reason: String?
      let timestamp: String?
    }
    let name: String
    let request: Request
    let expect: Expectation
  }

  let topics: [String: [String]]
  let unregistered: [String: UInt64]
  let otherKey: String
  let cases: [Case]
  private enum CodingKeys: String, CodingKey {
    case topics, unregistered, cases
    case otherKey = "other_key_pem"
  }

  static func read() throws -> APNsCases {
    try JSONDecoder().decode(APNsCases.self, from: Fixture.data("services/push/apns-cases.json"))
  }

  /// The value of a header, a provider token in the place of its template.
  func value(_ template: String, _ key: ProviderKey, now: Int) throws -> String {
    guard let match = template.firstMatch(of: /\{\{jwt:([^}]*)\}\}/) else { return template }
    let words = match.1.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
    let options = Dictionary(words.map { ($0[0], $0[1]) }) { $1 }
    let second = now - (options["iat"]?.split(separator: "-").dropFirst().first.flatMap { Int($0) } ?? 0)
    let text: String
    if options["alg"] == "HS256" {
      let claims: JSONValue = ["iss": .string(key.teamID), "iat": JSONValue(second)]
      text = JSONWebToken.text(header: ["alg": "HS256", "kid": .string(key.keyID)], claims: claims) {
        Array(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: Array(key.publicPEM.utf8))))
      }
    } else if options["key"] == "other" {
      text = try ProviderKey(pem: otherKey, keyID: key.keyID, teamID: key.teamID).token(issuedAt: second)
    } else {
      text = try key.token(issuedAt: second)
    }
    return template.replacing(match.0, with: text)
  }
}

extension APNsCases.Case.Request {
  var bytes: [UInt8] {
    if let bodyRaw { return Array(bodyRaw.utf8) }
    let json = Array(body.line.utf8)
    guard let bodySize else { return json }
    // Blanks are JSON too.
    return json + [UInt8](repeating: 0x20, count: bodySize - json.count)
  }
}

@Suite("The double of APNs", .fixtures) struct APNsCasesTests {
  @Test("answers each case as APNs does, with the ID of the request where it has one")
  func cases() async throws {
    let cases = try APNsCases.read()
    let secret = try String(decoding: Fixture.data("services/push/AuthKey_TESTKEY001.p8"), as: UTF8.self)
    let key = try ProviderKey(pem: secret, keyID: DoubleBench.keyID, teamID: DoubleBench.team)
    let open = try String(decoding: Fixture.data("services/push/public.pem"), as: UTF8.self)
    let topics = cases.topics.mapValues { JSONValue.array($0.map { .string($0) }) }
    let configuration = try DoubleBench.configuration([
      "key_id": .string(key.keyID), "team_id": .string(key.teamID), "public_key": .string(open),
      "topics": .object(topics), "unregistered": .object(cases.unregistered.mapValues { JSONValue($0) }),
    ])
    let double = try await PushDouble.listen(on: "127.0.0.1:0", configuration, now: { Date().timeIntervalSince1970 })
    let (address, trust) = try (PushAddress(double.url), PushTrust(authorities: Array(double.authority.utf8)))
    #expect(cases.cases.count > 25)
    for one in cases.cases {
      let fields = try one.request.headers.map { name, value in
        (name, try cases.value(value, key, now: Int(Date().timeIntervalSince1970)))
      }
      let exchange = SingleExchange(one.request.method, one.request.path, fields: fields, body: one.request.bytes)
      let answer = try await exchange.answer(from: address, trust: trust)
      #expect(answer.status == one.expect.status, "\(one.name)")
      #expect(answer.object?["reason"]?.string == one.expect.reason, "\(one.name)")
      let hasTime = answer.object?["timestamp"]?.integer(UInt64.self) != nil
      #expect(hasTime == (one.expect.timestamp != nil), "\(one.name)")
      let id = one.request.headers["apns-id"]
      if let id, one.expect.reason != "BadMessageId" { #expect(answer.id == id, "\(one.name)") }
      #expect(answer.id.map(APNsJudge.isUUID) == true, "\(one.name)")
    }
    await double.close()
  }
}
