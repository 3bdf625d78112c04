import Foundation
import MPaaSPush
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("What an issuer says of itself") struct IssuerReadingTests {
  private static let issuer = "https://id.example.com/realm"

  private static func metadata(_ changes: JSONValue.Object = [:], without: [String] = []) -> [UInt8] {
    var object: JSONValue.Object = [
      "issuer": .string(issuer), "authorization_endpoint": "https://id.example.com/authorize?tenant=1",
      "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://keys.example.com/keys",
    ]
    object.merge(changes) { $1 }
    for name in without { object[name] = nil }
    return Array(JSONValue.object(object).line.utf8)
  }

  private static func reason(_ bytes: [UInt8]) throws -> String? {
    let address = try #require(OpenIDAddress(issuer))
    do throws(ServerError) {
      _ = try OpenIDProvider(bytes, of: address)
      return nil
    } catch {
      #expect(error.code == .openIDAnswer)
      return error.values["reason"]
    }
  }

  @Test("is taken where the issuer is the one that was asked, and all addresses are https")
  func metadata() throws {
    let address = try #require(OpenIDAddress(Self.issuer))
    let provider = try OpenIDProvider(Self.metadata(), of: address)
    #expect(!provider.takesSecretInForm && !provider.namesItself && provider.userInfo == nil)
    #expect(provider.authorization.asking([("a b", "c&d")]) == "https://id.example.com/authorize?tenant=1&a%20b=c%26d")
    let more = try OpenIDProvider(
      Self.metadata([
        "token_endpoint_auth_methods_supported": ["client_secret_post"], "userinfo_endpoint": "https://a.example/i",
        "authorization_response_iss_parameter_supported": true,
      ]), of: address)
    #expect(more.takesSecretInForm && more.namesItself && more.userInfo?.url == "https://a.example/i")
    for (reason, changes): (String, JSONValue.Object) in [
      ("issuer", ["issuer": "https://id.example.com/realm/"]), ("issuer", ["issuer": "https://evil.example"]),
      ("issuer", ["issuer": .null]), ("authorization_endpoint", ["authorization_endpoint": "http://id.example.com/a"]),
      ("authorization_endpoint", ["authorization_endpoint": "javascript:alert(1)"]),
      ("authorization_endpoint", ["authorization_endpoint": "https://id.example.com/\r\nSet-Cookie: a=b"]),
      // Of an issuer on the internet nothing leads to this machine without TLS.
      ("token_endpoint", ["token_endpoint": "http://127.0.0.1/token"]), ("token_endpoint", ["token_endpoint": 1]),
      ("jwks_uri", ["jwks_uri": "file:///etc/passwd"]), ("jwks_uri", ["jwks_uri": "https://a@b.example/keys"]),
      ("code_challenge_methods_supported", ["code_challenge_methods_supported": ["plain"]]),
    ] {
      #expect(try Self.reason(Self.metadata(changes)) == reason, "\(changes)")
    }
    for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
      #expect(try Self.reason(Self.metadata(without: [name])) == name)
    }
    for text in ["", "[]", "{", "{}", String(repeating: #"{"a":"#, count: 1000)] {
      #expect(try Self.reason(Array(text.utf8)) != nil)
    }
  }

  @Test("addresses are https, or http of this machine alone")
  func addresses() {
    for text in [
      "https://id.example.com", "https://id.example.com:8443/a/b?c=d", "https://10.0.0.1", "https://[2001:db8::1]/",
      "http://localhost:8080", "http://127.0.0.1", "http://127.9.9.9:1", "http://[::1]:9400/x", "HTTPS://a.example",
    ] {
      #expect(OpenIDAddress(text) != nil, "\(text)")
    }
    for text in [
      "", "id.example.com", "http://id.example.com", "http://10.0.0.1", "http://127.0.0.1.example.com",
      "http://localhost.example.com", "http://0.0.0.0", "http://[::]", "http://[::ffff:127.0.0.1]", "http://2130706433",
      "https://a.example#b", "https://a@b.example", "https://a.example/ b", "ftp://a.example", "https://",
      "http://127.1", "http://localhost\\@evil.example",
    ] {
      #expect(OpenIDAddress(text) == nil, "\(text)")
    }
    #expect(!OpenIDAddress.isLoopback(InternetAddress(bytes: [10, 0, 0, 1])))
    #expect(!OpenIDAddress.isLoopback(InternetAddress(bytes: [])))
    #expect(OpenIDAddress.isLoopback(InternetAddress(bytes: [UInt8](repeating: 0, count: 15) + [1])))
  }

  @Test("keys of other kinds and uses, private, weak and malformed ones are left out")
  func keys() throws {
    let rsa = try TestKey(.rs256).published, ec = try TestKey(.es256).published, ed = try TestKey(.edDSA).published
    func changed(_ key: JSONValue.Object, _ changes: JSONValue.Object, without: [String] = []) -> JSONValue.Object {
      var key = key
      key.merge(changes) { $1 }
      for name in without { key[name] = nil }
      return key
    }
    for key in [rsa, ec, ed] {
      #expect(IssuerKey(key) != nil)
      #expect(IssuerKey(changed(key, [:], without: ["kid", "use", "alg"])) != nil)
      #expect(IssuerKey(changed(key, ["key_ops": ["verify"]], without: ["use"])) != nil)
      for changes: JSONValue.Object in [
        ["use": "enc"], ["key_ops": ["sign"]], ["key_ops": "verify"], ["alg": "HS256"], ["alg": "none"], ["alg": 1],
        ["d": "AQAB"], ["kty": "oct"], ["kty": .null], ["k": "AQAB"],
      ] {
        #expect(IssuerKey(changed(key, changes)) == nil, "\(changes)")
      }
    }
    func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
    let modulus = try #require(rsa["n"]?.string.flatMap { Base64URL.decode($0.utf8) })
    for changes: JSONValue.Object in [
      // 1024 bits, 16,384 bits, and exponents that are 1, even, long or none.
      ["n": text(Array(modulus.prefix(128)))], ["n": text([UInt8](repeating: 0xff, count: 2048))], ["n": ""],
      ["e": text([1])], ["e": text([1, 0, 0])], ["e": ""], ["e": text([1, 0, 0, 0, 1])], ["n": "+/=="], ["n": 1],
    ] {
      #expect(IssuerKey(changed(rsa, changes)) == nil, "\(changes)")
    }
    for changes: JSONValue.Object in [
      ["x": text([UInt8](repeating: 1, count: 32))], ["x": text([1])], ["y": .null], ["crv": "P-384"],
      ["crv": "secp256k1"], ["x": text([UInt8](repeating: 0, count: 32)), "y": text([UInt8](repeating: 0, count: 32))],
    ] {
      #expect(IssuerKey(changed(ec, changes)) == nil, "\(changes)")
    }
    for changes: JSONValue.Object in [["x": text([1])], ["crv": "X25519"], ["crv": "Ed448"]] {
      #expect(IssuerKey(changed(ed, changes)) == nil, "\(changes)")
    }
  }

  @Test("sets of keys are read as far as they go, and what is no set is refused")
  func sets() throws {
    let address = try #require(OpenIDAddress("https://id.example.com/keys"))
    let key = JSONValue.object(try TestKey(.edDSA).published)
    let set: JSONValue = ["keys": [key, 1, [:], ["kty": "oct", "k": "AQAB"], key]]
    #expect(try IssuerKeys(Array(set.line.utf8), from: address).keys.count == 2)
    let many: JSONValue = ["keys": .array([JSONValue](repeating: 1, count: 101))]
    for text in ["", "[]", "{}", #"{"keys":{}}"#, many.line] {
      #expect(throws: ServerError.self) { try IssuerKeys(Array(text.utf8), from: address) }
    }
  }

  @Test("bytes that were changed end no process, and lead nowhere else")
  func fuzz() throws {
    let address = try #require(OpenIDAddress(Self.issuer))
    let keys = try [TestKey(.rs256), TestKey(.es256), TestKey(.edDSA)].map { JSONValue.object($0.published) }
    let set = Array(JSONValue.object(["keys": .array(keys)]).line.utf8)
    let key = try TestKey(.edDSA)
    let token = try key.token(IdentityTokenTests.claims())
    var random = SeededRandom(seed: 27)
    func changed(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array("{}[]\",:.-_=\0".utf8).randomElement(using: &random) ?? 0, at: place)
        default: bytes.removeSubrange(place..<min(place + 20, bytes.count))
        }
      }
      return bytes
    }
    let expected = IdentityToken.Expectation(
      issuer: "https://id.example.com", client: "console", nonce: "n-1", accessToken: nil, now: 1_800_000_000)
    let known = try IssuerKeys(Array(JSONValue.object(["keys": [.object(key.published)]]).line.utf8), from: address)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      if let provider = try? OpenIDProvider(changed(Self.metadata()), of: address) {
        for one in [provider.authorization, provider.token, provider.keys] { #expect(!one.isPlain) }
      }
      if let read = try? IssuerKeys(changed(set), from: address) { #expect(read.keys.count <= 3) }
      let text = String(decoding: changed(Array(token.utf8)), as: UTF8.self)
      if text != token { #expect((try? IdentityToken(text, by: known, expected)) == nil, "\(text)") }
    }
  }
}
