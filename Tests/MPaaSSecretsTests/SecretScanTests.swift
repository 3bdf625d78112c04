import Foundation
import MPaaSSecrets
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The search for secrets") struct SecretScanTests {
  /// Texts that look random and are the same in every run.
  private static func random(_ alphabet: String, _ count: Int, seed: UInt64) -> String {
    var random = SeededRandom(seed: seed)
    let letters = Array(alphabet)
    return String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
  }

  private static let capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  private static let hexadecimal = "0123456789abcdef"
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// A text with a secret, made when the test runs, so that no source has the form of one.
  struct Planted: Sendable, CustomTestStringConvertible {
    let rule: String
    let before: String
    let secret: String
    let after: String
    var testDescription: String { rule }

    init(_ rule: String, _ before: String, _ secret: String, _ after: String = "\"") {
      (self.rule, self.before, self.secret, self.after) = (rule, before, secret, after)
    }
  }

  static let planted = [
    Planted("aws-access-key", "id = \"", "AK" + "IA" + random(capitals, 16, seed: 1)),
    Planted("alibaba-access-key", "key: ", "LT" + "AI" + random(letters, 20, seed: 2), "\n"),
    Planted("tencent-secret-id", "key: ", "AK" + "ID" + random(letters, 32, seed: 3), "\n"),
    Planted("google-api-key", "<string>", "AI" + "za" + random(letters, 35, seed: 4), "</string>"),
    Planted("github-token", "token=", "gh" + "p_" + random(letters, 36, seed: 5), "\n"),
    Planted("gitlab-token", "token=", "gl" + "pat-" + random(letters, 20, seed: 6), "\n"),
    Planted("stripe-key", "\"", "sk_" + "live_" + random(letters, 24, seed: 7)),
    Planted("slack-token", "\"", "xo" + "xb-" + random(letters, 40, seed: 8)),
    Planted(
      "private-key", "-----BEGIN EC PRIVATE " + "KEY-----\n", random(letters, 40, seed: 9),
      random(letters, 24, seed: 10) + "\n"),
    Planted("private-key-base64", "", "MI" + "IEvIBADANBgkqhkiG9w0BAQEFAASC" + random(letters, 100, seed: 11)),
    Planted("wechat-app-secret", "WXAppSecret = @\"", random(hexadecimal, 32, seed: 12)),
    Planted("password-in-url", "mysql://root:", "Tr0ub4dor&3", "@db.internal/app"),
    Planted("secret-in-assignment", "clientSecret: \"", random(letters, 24, seed: 13)),
    Planted(
      "secret-in-property-list", "<key>ClientSecret</key>\n\t<string>", random(letters, 30, seed: 14), "</string>"),
    Planted(
      "dingtalk-webhook", "https://oapi.dingtalk.com/robot/send?access_token=", random(hexadecimal, 64, seed: 15)),
    Planted("telegram-bot-token", "\"", "907153682:" + "AA" + random(letters, 33, seed: 16)),
  ]

  private static let rules = Result { try SecretRules.builtIn() }

  @Test(
    "finds each kind in texts and between other bytes, with its place, and never shows all of it", arguments: planted)
  func finds(_ item: Planted) throws {
    let rules = try Self.rules.get()
    let text = Array((item.before + item.secret + item.after).utf8)
    for before in [[], Array("first line\n".utf8), [0, 1, 2, 0xff, 0]] as [[UInt8]] {
      let bytes = before + text + [0, 7, 0]
      let found = SecretScan(rules, path: "a/file").findings(in: Bytes(bytes)).filter { $0.rule == item.rule }
      #expect(found.count == 1)
      #expect(found.first?.offset == before.count + item.before.utf8.count)
      #expect(found.first?.length == item.secret.utf8.count)
      let masked = try #require(found.first?.masked)
      #expect(masked.hasSuffix("…") && masked.count <= 5 && item.secret.hasPrefix(masked.dropLast()))
    }
  }

  @Test(
    "takes none of these for a secret",
    arguments: [
      // Parts of libraries: heads without keys, formats, names.
      "-----BEGIN PRIVATE " + "KEY-----\0-----END PRIVATE KEY-----\0", "-----BEGIN RSA PRIVATE " + "KEY-----\n",
      "%s://%s:%s@%s", "https://user:password@host/", "https://${USER}:${PASSWORD}@host", "http://[::1]:8080/@x",
      "AK" + "IAIOSFODNN7EXAMPLE", "password: \"your_password_here\"", "let passwordLabel = \"Password.label\"",
      "apiKey = \"$(API_KEY)\"", "setSecretKey:withAccessToken:", "AK" + "IAAAAAAAAAAAAAAAAA",
      "<key>PasswordHint</key><string>Enter it</string>", "authorization: bearer token", "token=gh" + "p_short",
      "secret_key=\"%@\"", "keychain_password=\"\"", "-----BEGIN CERTIFICATE-----\nMIIC",
    ])
  func falseAlarms(_ text: String) throws {
    let found = SecretScan(try Self.rules.get(), path: "a/file").findings(in: Bytes(Array(text.utf8)))
    #expect(found.isEmpty, "\(found)")
  }

  @Test("finds nothing in the fixtures of signed apps, certificates and tables of symbols", .fixtures)
  func clean() throws {
    let rules = try Self.rules.get()
    for file in ["isign-Test.app/isignTestApp", "isign-Test.app/_CodeSignature/CodeResources", "macho/goodcert"] {
      let bytes = Bytes(Array(try Fixture.data("scan/" + file)))
      #expect(SecretScan(rules, path: file).findings(in: bytes).isEmpty, "\(file)")
    }
  }

  @Test("finds a file of keys by its path")
  func path() throws {
    let rules = try Self.rules.get()
    #expect(SecretScan(rules, path: "Resources/push.p12").findings(in: .empty).map(\.rule) == ["key-store"])
  }

  @Test("finds many secrets of one line, each once")
  func many() throws {
    let keys = (0..<50).map { "gh" + "p_" + Self.random(Self.letters, 36, seed: 100 + UInt64($0)) }
    let found = SecretScan(try Self.rules.get(), path: "x.js").findings(
      in: Bytes(Array(keys.joined(separator: ",").utf8)))
    #expect(found.map(\.offset) == (0..<50).map { $0 * 41 })
  }

  @Test("gives findings for any bytes, and ends")
  func mutations() throws {
    let rules = try Self.rules.get()
    let text = Array(Self.planted.map { $0.before + $0.secret + $0.after }.joined(separator: "\n").utf8)
    var random = SeededRandom(seed: 3)
    for _ in 0..<SeededRandom.rounds(or: 100) {
      var bytes = text
      for _ in 0..<8 { bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
      for finding in SecretScan(rules, path: "x").findings(in: Bytes(bytes)) {
        #expect(finding.offset + finding.length <= bytes.count)
      }
    }
  }
}
