import Foundation
import MPaaSTestSupport
import Testing

/// A `mpaas gateway mock` of a test's own.
private final class Mock {
  let program: RunningProgram
  let port: UInt16
  let url: String

  init(_ arguments: [String], home: TemporaryFolder, listen: String = "127.0.0.1:0") throws {
    program = try RunningProgram(
      Command.mpaas.path, ["gateway", "mock", "--listen", listen, "--json"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    url = try #require(try json(program.line)["url"] as? String)
    port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
  }

  /// The answer to a request.
  func ask(_ method: String, _ target: String, _ body: String? = nil, headers: [String] = []) throws -> RawAnswer {
    var head = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
    if let body { head.append("Content-Length: \(body.utf8.count)") }
    return try RawAnswer.exchange(port, Array((head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
  }

  /// Ends the program as a test runner would.
  func end() -> Int32 { program.end(SIGTERM) }
}

@Suite("mpaas gateway mock") struct GatewayMockTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = home.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  // MARK: Pacts

  private static func contract(_ version: String, name: String = "tea") -> String {
    """
    {"consumer": {"name": "shop"}, "provider": {"name": "stock"},
     "interactions": [
       {"description": "an item", "type": "Synchronous/HTTP", "providerStates": [{"name": "there are items"}],
        "request": {"method": "GET", "path": "/items/7", "query": {"full": ["true"]}},
        "response": {"status": 200, "headers": {"Content-Type": "application/json"},
          "body": \(version == "4.0" ? #"{"contentType": "application/json", "content": {"id": 7, "name": "\#(name)"}}"# : #"{"id": 7, "name": "\#(name)"}"#),
          "matchingRules": {"body": {"$.name": {"matchers": [{"match": "type"}]}}}}},
       {"description": "no item", "type": "Synchronous/HTTP",
        "request": {"method": "GET", "path": "/items/8"}, "response": {"status": 404}}],
     "metadata": {"pactSpecification": {"version": "\(version)"}}}
    """
  }

  @Test(
    "writes what was asked of a pact when it ends, so that it can be verified and answered by again",
    arguments: ["3.0.0", "4.0"])
  func pacts(_ version: String) throws {
    let pact = try write(Self.contract(version), "source.json")
    let pacts = home.path + "/written/pacts"
    let mock = try Mock(["--pact", pact, "--pact-dir", pacts], home: home)
    #expect(try mock.ask("GET", "/items/7?full=true").status == 200)
    #expect(try mock.ask("GET", "/items/7").status == 404)
    #expect(mock.end() == 0)
    let file = pacts + "/shop-stock.json"
    let written = try json(try String(contentsOfFile: file, encoding: .utf8))
    let metadata = (written["metadata"] as? [String: Any])?["pactSpecification"] as? [String: Any]
    #expect(metadata?["version"] as? String == version)
    let interactions = try #require(written["interactions"] as? [[String: Any]])
    #expect(interactions.map { $0["description"] as? String } == ["an item"])
    // A mock of the written pact holds to it.
    let second = try Mock(["--pact", file, "--pact-dir", pacts], home: home)
    let verified = try mpaas("gateway", "verify", file, "--provider", second.url)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let before = try String(contentsOfFile: file, encoding: .utf8)
    #expect(second.end() == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    // The other interaction is added behind it.
    let third = try Mock(["--pact", pact, "--pact-dir", pacts], home: home)
    #expect(try third.ask("GET", "/items/8").status == 404)
    #expect(third.end() == 0)
    let both = try json(try String(contentsOfFile: file, encoding: .utf8))["interactions"] as? [[String: Any]]
    #expect(both?.map { $0["description"] as? String } == ["an item", "no item"])
  }

  @Test("leaves a pact as it is where the same interaction stands there otherwise, and fails")
  func conflict() throws {
    let pacts = home.path + "/pacts"
    let first = try Mock(["--pact", write(Self.contract("3.0.0"), "a.json"), "--pact-dir", pacts], home: home)
    #expect(try first.ask("GET", "/items/7?full=true").status == 200)
    #expect(first.end() == 0)
    let before = try String(contentsOfFile: pacts + "/shop-stock.json", encoding: .utf8)
    let other = try write(Self.contract("3.0.0", name: "milk"), "b.json")
    let second = try Mock(["--pact", other, "--pact-dir", pacts], home: home)
    #expect(try second.ask("GET", "/items/7?full=true").status == 200)
    #expect(second.end() == 1)
    #expect(try String(contentsOfFile: pacts + "/shop-stock.json", encoding: .utf8) == before)
  }

  @Test("writes no pact where nothing was asked of it, and refuses options that miss others")
  func nothing() throws {
    let pacts = home.path + "/pacts"
    let mock = try Mock(["--pact", write(Self.contract("3.0.0"), "a.json"), "--pact-dir", pacts], home: home)
    #expect(mock.end() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: pacts).isEmpty)
    #expect(try mpaas("gateway", "mock", "--pact-dir", pacts).status == 64)
    #expect(try mpaas("gateway", "mock", "--proxy", "http://127.0.0.1:1").status == 64)
    #expect(try mpaas("gateway", "mock", "--sign-key", "hmac-sm3").status == 64)
    #expect(try mpaas("gateway", "mock", "--ts-window", "-1").status == 64)
  }

  // MARK: Keys

  private static let stub = #"{"request": {"urlPath": "/com.example.pay"}, "response": {"jsonBody": {"paid": true}}}"#

  private func stubs() throws -> String {
    let folder = home.path + "/stubs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(Self.stub.utf8).write(to: URL(filePath: folder + "/pay.json"))
    return folder
  }

  /// The gateway's code for a call with the parts that are given.
  private func code(_ mock: Mock, _ headers: [String], _ data: String = "[]") throws -> String? {
    let answer = try mock.ask("POST", "/mgw.htm", data, headers: headers)
    return answer.head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("result-status:") }
      .map { $0.dropFirst("result-status:".count).trimmingCharacters(in: .whitespaces) }
  }

  /// The headers of a call that `mpaas rpc sign` has signed.
  private func signed(_ algorithm: String, _ key: String, app: String, ts: Int, data: String) throws -> [String] {
    let file = try write(data, "data.json")
    let outcome = try mpaas(
      "rpc", "sign", "--operation", "com.example.pay", "--data", file, "--ts", "\(ts)", "--app", app, "--sign",
      algorithm, "--key-file", key)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init).filter { $0.contains(": ") }
  }

  @Test("takes calls with a right signature of any algorithm, and refuses others with the gateway's code")
  func keys() throws {
    let secret = try write("s3cr3t\n", "secret.txt")
    let other = try write("0ther", "other.txt")
    let key = home.path + "/rsa.pem"
    let half = home.path + "/rsa.pub"
    var arguments = ["--stubs", try stubs(), "--ts-window", "300"]
    var algorithms = ["hmac-sha256", "hmac-sm3", "md5-salt"]
    for algorithm in algorithms { arguments += ["--sign-key", algorithm, secret] }
    if Command.find("openssl") != nil {
      try Self.run("openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key])
      try Self.run("openssl", ["pkey", "-in", key, "-pubout", "-out", half])
      algorithms += ["rsa-sha256"]
      arguments += ["--sign-key", "SHOP:rsa-sha256", half]
    }
    let mock = try Mock(arguments, home: home)
    let now = Int(Date().timeIntervalSince1970 * 1000)
    let data = #"[{"amount":9.450}]"#
    for algorithm in algorithms {
      let own = algorithm.hasPrefix("rsa") ? key : secret
      let headers = try signed(algorithm, own, app: "SHOP", ts: now, data: data)
      #expect(try code(mock, headers, data) == "1000", "\(algorithm)")
      #expect(try code(mock, headers, #"[{"amount":9.45}]"#) == "7002", "\(algorithm)")
      if algorithm.hasPrefix("rsa") {
        let foreign = try signed(algorithm, own, app: "OTHER", ts: now, data: data)
        #expect(try code(mock, foreign, data) == "7002")
      } else {
        #expect(try code(mock, signed(algorithm, other, app: "SHOP", ts: now, data: data), data) == "7002")
      }
      let old = try signed(algorithm, own, app: "SHOP", ts: now - 400_000, data: data)
      #expect(try code(mock, old, data) == "7003", "\(algorithm)")
    }
    #expect(try code(mock, ["Operation-Type: com.example.pay", "Ts: \(now)"], data) == "7014")
    #expect(try code(mock, ["Operation-Type: com.example.pay", "Sign: 00"], data) == "7007")
    #expect(try mpaas("gateway", "mock", "--sign-key", "hmac-sm4", secret).status == 64)
    #expect(try mpaas("gateway", "mock", "--sign-key", "rsa-sha256", secret).status == 65)
    #expect(try mpaas("gateway", "mock", "--sign-key", "hmac-sm3", home.path + "/none").status == 66)
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Command.find(name)))
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  // MARK: A server behind it

  private static let description = """
    openapi: 3.0.3
    info: {title: Items, version: "1"}
    paths:
      /items:
        get:
          parameters: [{name: X-Key, in: header, required: true, schema: {type: integer}}]
          responses:
            "200":
              description: ok
              content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
    """

  @Test("passes requests on to a server, and tells or refuses what the description does not allow")
  func proxy() throws {
    let file = try write(Self.description, "api.yaml")
    let server = try LoopbackServer { head, _ in
      let body = head.hasPrefix("GET /items ") && head.contains("X-Key: 2") ? #"{"name":1}"# : #"{"name":"tea"}"#
      return LoopbackServer.answer("200 OK", headers: ["Content-Type: application/json"], body: Array(body.utf8))
    }
    let lax = try Mock(["--openapi", file, "--proxy", server.url], home: home)
    let good = try lax.ask("GET", "/items", headers: ["X-Key: 1"])
    #expect(good.status == 200 && good.body == #"{"name":"tea"}"# && !good.head.contains("sl-violations"))
    let missing = try lax.ask("GET", "/items")
    #expect(missing.status == 200 && missing.head.contains(#"sl-violations: [{"location":["request","header"]"#))
    let wrong = try lax.ask("GET", "/items", headers: ["X-Key: 2"])
    #expect(wrong.status == 200 && wrong.body == #"{"name":1}"#)
    #expect(wrong.head.contains(#"sl-violations: [{"location":["response","body","name"]"#))
    #expect(try lax.ask("GET", "/else").status == 200)
    let strict = try Mock(["--openapi", file, "--proxy", server.url, "--errors"], home: home)
    #expect(try strict.ask("GET", "/items", headers: ["X-Key: 1"]).status == 200)
    #expect(try strict.ask("GET", "/items").status == 422)
    #expect(try strict.ask("GET", "/items", headers: ["X-Key: 2"]).status == 500)
    #expect(try strict.ask("GET", "/else").status == 404)
  }
}
