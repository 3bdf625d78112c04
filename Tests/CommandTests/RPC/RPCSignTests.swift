import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas rpc sign and verify") struct RPCSignTests {
  let home: TemporaryFolder
  let secret: String

  init() throws {
    home = try TemporaryFolder()
    secret = home.path + "/secret.txt"
    // With the line end that an editor leaves, which is no part of the secret.
    try Data("secret\n".utf8).write(to: URL(filePath: secret))
  }

  private func mpaas(_ arguments: [String], input: String? = nil) throws -> Command.Outcome {
    try Command.run(
      Command.mpaas.path, arguments, input: input,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private struct Case: Decodable {
    let method: String
    let path: String
    let query: [[String]]
    let form: [[String]]
    let body: String?
    let secret: String
    let stringToSign: String
    let hmacSM3: String
    let hmacSHA256: String
  }

  private func fields(_ fields: [[String]]) -> String {
    fields.map { field in
      field.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }.joined(separator: "=")
    }.joined(separator: "&")
  }

  @Test("requests are signed as OpenSSL signs them, for every case of the gateway's text", .fixtures)
  func cases() throws {
    let cases = try JSONDecoder().decode([Case].self, from: Fixture.data("rpc/signing/back-end.json"))
    for one in cases {
      try Data(one.secret.utf8).write(to: URL(filePath: secret))
      let query = one.query.isEmpty ? "" : "?" + fields(one.query)
      var message = "\(one.method) \(one.path)\(query) HTTP/1.1\r\n"
      if !one.form.isEmpty { message += "Content-Type: application/x-www-form-urlencoded\r\n" }
      message += "\r\n" + (one.form.isEmpty ? one.body ?? "" : fields(one.form))
      for (algorithm, expected) in [("hmac-sm3", one.hmacSM3), ("hmac-sha256", one.hmacSHA256)] {
        let words = ["-", "--sign", algorithm, "--key-file", secret, "--json"]
        let signed = try object(mpaas(["rpc", "sign"] + words, input: message).output)
        #expect(signed["signature"] as? String == expected)
        #expect(signed["text"] as? String == one.stringToSign)
        let carried = message.replacing("HTTP/1.1\r\n", with: "HTTP/1.1\r\nX-Mgs-Proxy-Signature: \(expected)\r\n")
        let verified = try mpaas(["rpc", "verify"] + words, input: carried)
        #expect(verified.status == 0)
        #expect(try object(verified.output)["valid"] as? Bool == true)
      }
    }
  }

  @Test("a call is signed with its parts, and a changed one is found wrong, with the text that counts")
  func calls() throws {
    let call = ["--operation", "com.example.pay", "--ts", "1764300000000", "--data", "-", "--app", "SHOP"]
    let key = ["--sign", "hmac-sha256", "--key-file", secret]
    let signed = try mpaas(["rpc", "sign"] + call + key, input: "[9.45]")
    #expect(signed.status == 0)
    #expect(signed.output.contains("Operation-Type: com.example.pay\n"))
    let line = try #require(signed.output.split(separator: "\n").first { $0.hasPrefix("Sign: ") })
    let signature = String(line.dropFirst("Sign: ".count))
    let good = try mpaas(["rpc", "verify", "--signature", signature] + call + key, input: "[9.45]")
    #expect(good.status == 0)
    let wrong = try mpaas(["rpc", "verify", "--signature", signature] + call + key, input: "[9.450]")
    #expect(wrong.status == 1)
    #expect(wrong.output.contains("requestData=[9.450]"))
    let unsigned = try mpaas(["rpc", "verify"] + call + key, input: "[]")
    #expect(unsigned.status == 64)
  }

  @Test("a request that cannot be read is refused by name, and so is a key that does not fit")
  func refusals() throws {
    let unknown = try mpaas(
      ["rpc", "sign", "-", "--sign", "hmac-sha256", "--key-file", secret, "--json"], input: "curl -T file http://h")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("signing-request-malformed"))
    let rsa = try mpaas(["rpc", "sign", "-", "--sign", "rsa-sha256", "--key-file", secret, "--json"], input: "GET /")
    #expect(rsa.status == 65)
    #expect(rsa.errors.contains("signing-key-malformed"))
    #expect(try mpaas(["rpc", "sign", "-", "--key-file", secret], input: "GET /").status == 64)
  }
}
