import Foundation
import MPaaSDigests
import MPaaSPush
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Tokens about people") struct IdentityTokenTests {
  private static let now = 1_800_000_000.0
  private static let expected = IdentityToken.Expectation(
    issuer: "https://id.example.com", client: "console", nonce: "n-1", accessToken: "access-1", now: now)

  static func claims(_ changes: JSONValue.Object = [:], without: [String] = []) -> JSONValue.Object {
    var claims: JSONValue.Object = [
      "iss": "https://id.example.com", "aud": "console", "sub": "4711", "nonce": "n-1",
      "iat": JSONValue(Int(now)), "exp": JSONValue(Int(now) + 300),
    ]
    claims.merge(changes) { $1 }
    for name in without { claims[name] = nil }
    return claims
  }

  private static func keys(_ keys: TestKey...) throws -> IssuerKeys {
    let set: JSONValue = ["keys": .array(keys.map { .object($0.published) })]
    let address = try #require(OpenIDAddress("https://id.example.com/keys"))
    return try IssuerKeys(Array(set.line.utf8), from: address)
  }

  private static func fault(_ text: String, _ keys: IssuerKeys) -> IdentityTokenFault? {
    do throws(IdentityTokenFault) {
      _ = try IdentityToken(text, by: keys, expected)
      return nil
    } catch {
      return error
    }
  }

  @Test("are taken where all of them is right, with each algorithm", arguments: SigningAlgorithm.allCases)
  func right(algorithm: SigningAlgorithm) throws {
    let key = try TestKey(algorithm)
    let keys = try Self.keys(TestKey(algorithm, id: "k0"), key)
    #expect(keys.keys.count == 2)
    let hash = IdentityToken.hash("access-1", algorithm)
    for changes: JSONValue.Object in [
      [:], ["aud": ["console"]], ["aud": ["other", "console"], "azp": "console"], ["azp": "console"],
      ["at_hash": .string(hash)], ["nbf": JSONValue(Int(Self.now) + 60), "iat": JSONValue(Int(Self.now) + 60)],
      ["exp": JSONValue(Int(Self.now) - 59)], ["exp": .number(Self.now + 0.5)],
    ] {
      let token = try IdentityToken(try key.token(Self.claims(changes)), by: keys, Self.expected)
      #expect(token.subject == "4711")
    }
    // Without the name of a key all are tried.
    let nameless = try JSONWebToken.text(
      header: ["alg": .string(algorithm.rawValue)], claims: .object(Self.claims()), sign: key.sign)
    #expect(Self.fault(nameless, keys) == nil)
  }

  /// Claims that one thing is wrong with.
  private static let wrong: [(IdentityTokenFault, JSONValue.Object, [String])] = [
    (.issuer, ["iss": "https://id.example.com/"], []), (.issuer, [:], ["iss"]), (.issuer, ["iss": 1], []),
    (.audience, ["aud": "other"], []), (.audience, [:], ["aud"]), (.audience, ["aud": []], []),
    (.audience, ["aud": ["other", "third"]], []), (.audience, ["aud": ["console": "console"]], []),
    (.party, ["aud": ["console", "other"]], []), (.party, ["aud": ["console", "other"], "azp": "other"], []),
    (.party, ["azp": "other"], []), (.party, ["azp": 1], []),
    (.subject, [:], ["sub"]), (.subject, ["sub": ""], []), (.subject, ["sub": 4711], []),
    (.subject, ["sub": "a b"], []), (.subject, ["sub": "a\u{a0}b"], []), (.subject, ["sub": "a\0b"], []),
    (.subject, ["sub": .string(String(repeating: "a", count: 256))], []),
    (.expired, [:], ["exp"]), (.expired, ["exp": "soon"], []), (.expired, ["exp": JSONValue(Int(now) - 60)], []),
    (.issued, [:], ["iat"]), (.issued, ["iat": JSONValue(Int(now) + 61)], []), (.issued, ["iat": "now"], []),
    (.early, ["nbf": JSONValue(Int(now) + 61)], []), (.early, ["nbf": "later"], []),
    (.nonce, [:], ["nonce"]), (.nonce, ["nonce": "n-2"], []), (.nonce, ["nonce": ""], []), (.nonce, ["nonce": 1], []),
    (.accessHash, ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], []), (.accessHash, ["at_hash": 1], []),
    // What Unicode takes for the same is another text: the sign of Kelvin is no K.
    (.issuer, ["iss": "https://id.example.com\u{2024}"], []),
  ]

  @Test("with a claim that is wrong are refused for it", arguments: wrong)
  func claims(fault: IdentityTokenFault, changes: JSONValue.Object, without: [String]) throws {
    let key = try TestKey(.edDSA)
    let keys = try Self.keys(key)
    #expect(Self.fault(try key.token(Self.claims(changes, without: without)), keys) == fault)
  }

  @Test("without a signature, or with one by a key that both sides would have, are refused")
  func algorithms() throws {
    let key = try TestKey(.rs256)
    let keys = try Self.keys(key)
    for name in ["none", "None", "nOnE", "", "HS256", "HS384", "HS512", "RS384", "PS256", "ES384", "rs256", "RS256 "] {
      let head: JSONValue.Object = ["alg": .string(name)]
      #expect(Self.fault(try key.token(Self.claims(), header: head), keys) == .algorithm, "\(name)")
      let empty = JSONWebToken.text(header: .object(head), claims: .object(Self.claims())) { _ in [] }
      #expect(Self.fault(empty, keys) == .algorithm, "\(name)")
    }
    // The public key as the secret of an HMAC, in each of its forms.
    let modulus = try #require(key.published["n"]?.string.flatMap { Base64URL.decode($0.utf8) })
    for secret in [Array(key.pem.utf8), Array((key.pem + "\n").utf8), modulus] {
      let code = try #require(HMAC(.sha256, key: secret))
      let forged = JSONWebToken.text(
        header: ["alg": "HS256", "kid": "k1", "typ": "JWT"], claims: .object(Self.claims())
      ) { code.code(of: $0) }
      #expect(Self.fault(forged, keys) == .algorithm)
    }
    let missing = try JSONWebToken.text(header: ["kid": "k1"], claims: .object(Self.claims()), sign: key.sign)
    #expect(Self.fault(missing, keys) == .algorithm)
    for value: JSONValue in [1, ["RS256"], .null] {
      #expect(Self.fault(try key.token(Self.claims(), header: ["alg": value]), keys) == .algorithm)
    }
  }

  @Test("of a key that the issuer does not publish, or that another one signed, are refused")
  func keys() throws {
    let (key, other) = (try TestKey(.es256), try TestKey(.es256))
    let keys = try Self.keys(key)
    #expect(Self.fault(try other.token(Self.claims()), keys) == .signature)
    #expect(Self.fault(try key.token(Self.claims(), header: ["kid": "k2"]), keys) == .key)
    #expect(Self.fault(try key.token(Self.claims(), header: ["alg": "RS256"]), keys) == .key)
    #expect(Self.fault(try key.token(Self.claims(), header: ["kid": 1]), keys) == .malformed)
    // Keys and addresses of keys that a token brings itself are nothing.
    let own: JSONValue.Object = ["jwk": .object(other.published), "jku": "https://evil.example/keys"]
    #expect(Self.fault(try other.token(Self.claims(), header: own), keys) == .signature)
    #expect(Self.fault(try key.token(Self.claims(), header: ["crit": ["exp"]]), keys) == .critical)
    #expect(Self.fault(try key.token(Self.claims(), header: ["crit": []]), keys) == .critical)
    var parts = try key.token(Self.claims()).split(separator: ".").map(String.init)
    let others = try key.token(Self.claims(["sub": "4712"])).split(separator: ".").map(String.init)
    #expect(Self.fault([parts[0], others[1], parts[2]].joined(separator: "."), keys) == .signature)
    parts[2] = ""
    #expect(Self.fault(parts.joined(separator: "."), keys) == .signature)
    #expect(Self.fault(try key.token(Self.claims()), IssuerKeys([])) == .key)
  }

  @Test(
    "that are none are refused",
    arguments: ["", ".", "..", "...", "a.b.c", "e30.e30.", "e30=.e30.AA", "\u{e9}.e30.e30"])
  func malformed(text: String) throws {
    let fault = try #require(Self.fault(text, try Self.keys(TestKey(.edDSA))))
    #expect(fault == .malformed || fault == .algorithm, "\(text)")
  }

  @Test("of other forms than the one that there is are refused")
  func forms() throws {
    let key = try TestKey(.edDSA)
    let keys = try Self.keys(key)
    let good = try key.token(Self.claims())
    #expect(Self.fault(good, keys) == nil)
    let parts = good.split(separator: ".").map(String.init)
    for text in [
      good + ".", good + ".AA", parts[0] + "." + parts[1], good + "=", " " + good, good + "\n",
      good.replacingOccurrences(of: ".", with: ".."), "\(parts[0]).\(parts[1])!.\(parts[2])",
    ] {
      #expect(Self.fault(text, keys) == .malformed, "\(text)")
    }
    func signed(_ head: String, _ body: [UInt8]) throws -> String {
      let signed = Base64URL.encode(Array(head.utf8)) + "." + Base64URL.encode(body)
      return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }
    let head = #"{"alg":"EdDSA"}"#
    for body in ["[]", "1", "{", "{}{}", #"{"a":"\ud800"}"#, String(repeating: "[", count: 10_000)] {
      #expect(Self.fault(try signed(head, Array(body.utf8)), keys) == .malformed, "\(body.prefix(20))")
    }
    #expect(Self.fault(try signed(head, [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), keys) == .malformed)
    let large = String(repeating: "a", count: IdentityToken.longest)
    #expect(Self.fault(try key.token(Self.claims(["large": .string(large)])), keys) == .malformed)
    let fits = String(repeating: "a", count: 32 << 10)
    #expect(Self.fault(try key.token(Self.claims(["large": .string(fits)])), keys) == nil)
  }

  @Test("changed in any place are refused", arguments: SigningAlgorithm.allCases)
  func changed(algorithm: SigningAlgorithm) throws {
    let key = try TestKey(algorithm)
    let keys = try Self.keys(key)
    let good = Array(try key.token(Self.claims(["at_hash": .string(IdentityToken.hash("access-1", algorithm))])).utf8)
    #expect(Self.fault(String(decoding: good, as: UTF8.self), keys) == nil)
    for place in good.indices {
      for bit in Flips.bits(of: place) {
        var changed = good
        changed[place] ^= 1 << UInt8(bit)
        #expect(Self.fault(String(decoding: changed, as: UTF8.self), keys) != nil, "\(place) \(bit)")
      }
    }
    for length in good.indices {
      #expect(Self.fault(String(decoding: good.prefix(length), as: UTF8.self), keys) != nil)
    }
  }
}
