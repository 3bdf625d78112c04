import Foundation
import MPaaSDigests
import MPaaSSigning
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Signatures of calls") struct RequestSignerTests {
  static let call = SigningRequest(
    operationType: "com.example.pay", timestamp: 1_764_300_000_000, requestData: Array("[{\"amount\":9.45}]".utf8),
    appID: "SHOP", workspaceID: "default")

  @Test("cover a text with a line for each part, and the arguments byte for byte")
  func text() throws {
    #expect(
      String(decoding: try OperationForm().bytes(of: Self.call), as: UTF8.self) == """
        mpaas-rpc-1
        appId=SHOP
        workspaceId=default
        operationType=com.example.pay
        ts=1764300000000
        requestData=[{"amount":9.45}]
        """)
  }

  @Test("are the same whether the parts are headers, a form, or parameters of the URL")
  func places() throws {
    let parts = "operationType=com.example.pay&ts=1764300000000&appId=SHOP&workspaceId=default"
    let data = "requestData=%5B%7B%22amount%22%3A9.45%7D%5D"
    let form = SigningRequest(
      method: "POST", target: "/mgw.htm", headers: [RequestField("Content-Type", "application/x-www-form-urlencoded")],
      body: Array("\(parts)&\(data)".utf8))
    let query = SigningRequest(method: "GET", target: "/mgw.htm?\(parts)&\(data)")
    let text = try OperationForm().bytes(of: Self.call)
    #expect(try OperationForm().bytes(of: form) == text)
    #expect(try OperationForm().bytes(of: query) == text)
  }

  @Test(
    "are made and checked with a secret by each algorithm, and end with any change",
    arguments: [
      SigningAlgorithm.hmacSHA256, .hmacSM3, .md5Salt,
    ])
  func secrets(_ algorithm: SigningAlgorithm) throws {
    let signer = try RequestSigner(algorithm, key: RequestKey(secret: "s3cr3t"))
    let signature = try signer.signature(of: Self.call)
    #expect(try signer.verifies(signature, of: Self.call))
    let other = try RequestSigner(algorithm, key: RequestKey(secret: "s3cr3T"))
    #expect(try !other.verifies(signature, of: Self.call))
    for place in Self.call.headers.indices {
      var changed = Self.call
      changed.headers[place].value += "0"
      #expect(try !signer.verifies(signature, of: changed))
    }
    var changed = Self.call
    changed.body?.append(UInt8(ascii: " "))
    #expect(try !signer.verifies(signature, of: changed))
    for wrong in ["", "zz", String(signature.dropLast()), signature + "00"] {
      #expect(try !signer.verifies(wrong, of: Self.call))
    }
  }

  @Test("with MD5 are those of the text with the secret behind it")
  func salt() throws {
    let signer = try RequestSigner(.md5Salt, key: RequestKey(secret: "salt"), form: BackEndForm())
    let request = SigningRequest(method: "GET", path: "/a")
    #expect(try signer.signature(of: request) == DigestAlgorithm.md5.digest(of: "GET\n\n/asalt".utf8).hexadecimal)
  }

  @Test("refuse a call without an operation or a moment, and parts with a line's end")
  func refusals() throws {
    let signer = try RequestSigner(.hmacSHA256, key: RequestKey(secret: "s"))
    var call = Self.call
    call.headers.removeAll { $0.name == "Ts" }
    #expect(identifier { () throws(SigningError) in try signer.signature(of: call) } == "signing-part-missing")
    call = Self.call
    call.headers[0].value = "SHOP\nworkspaceId=other"
    #expect(identifier { () throws(SigningError) in try signer.signature(of: call) } == "signing-part-ambiguous")
    #expect(identifier { () throws(SigningError) in try RequestKey(secret: "") } == "signing-secret-empty")
    #expect(
      identifier { () throws(SigningError) in try RequestSigner(.rsaPSS, key: RequestKey(secret: "s")) }
        == "signing-key-mismatch")
    #expect(identifier { () throws(SigningError) in try RequestKey(pem: "no key") } == "signing-key-malformed")
  }

  private func identifier<Value>(_ body: () throws(SigningError) -> Value) -> String? {
    do throws(SigningError) {
      _ = try body()
      return nil
    } catch {
      return error.identifier
    }
  }

  @Test(
    "of RSA agree with OpenSSL both ways, in both encodings", .tool("openssl"),
    arguments: [
      SigningAlgorithm.rsaSHA256, .rsaPSS,
    ])
  func rsa(_ algorithm: SigningAlgorithm) throws {
    let folder = try TemporaryFolder()
    func openssl(_ arguments: String...) throws -> Command.Outcome {
      try Command.run("openssl", arguments, directory: folder.url)
    }
    _ = try openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "private.pem")
    _ = try openssl("pkey", "-in", "private.pem", "-pubout", "-out", "public.pem")
    _ = try openssl("rsa", "-in", "private.pem", "-traditional", "-out", "old.pem")
    func key(_ name: String) throws -> RequestKey {
      try RequestKey(pem: String(contentsOf: folder.url.appending(path: name), encoding: .utf8))
    }
    let signer = try RequestSigner(algorithm, key: key("private.pem"))
    let verifier = try RequestSigner(algorithm, key: key("public.pem"))
    let signature = try RequestSigner(algorithm, key: key("old.pem")).signature(of: Self.call)
    #expect(try verifier.verifies(signature, of: Self.call))
    #expect(try signer.verifies(signature, of: Self.call))
    #expect(throws: SigningError.self) { try verifier.signature(of: Self.call) }

    try Data(OperationForm().bytes(of: Self.call)).write(to: folder.url.appending(path: "text"))
    try #require(Data(base64Encoded: signature)).write(to: folder.url.appending(path: "signature"))
    let pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"]
    let padding = algorithm == .rsaPSS ? pss : []
    let verified = try Command.run(
      "openssl", ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature"] + padding + ["text"],
      directory: folder.url)
    #expect(verified.output.contains("Verified OK"))
    let made = try Command.run(
      "openssl", ["dgst", "-sha256", "-sign", "private.pem", "-out", "theirs"] + padding + ["text"],
      directory: folder.url)
    #expect(made.status == 0)
    let theirs = try Data(contentsOf: folder.url.appending(path: "theirs")).base64EncodedString()
    #expect(try verifier.verifies(theirs, of: Self.call))
    let other = try RequestSigner(algorithm == .rsaPSS ? .rsaSHA256 : .rsaPSS, key: key("public.pem"))
    #expect(try !other.verifies(theirs, of: Self.call))
  }

  @Test("of RSA keys under 2,048 bits are refused", .tool("openssl"))
  func small() throws {
    let folder = try TemporaryFolder()
    _ = try Command.run(
      "openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "small.pem"],
      directory: folder.url)
    let text = try String(contentsOf: folder.url.appending(path: "small.pem"), encoding: .utf8)
    #expect(identifier { () throws(SigningError) in try RequestKey(pem: text) } == "signing-key-too-small")
  }
}
