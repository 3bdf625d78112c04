import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas rpc") struct RPCCommandTests {
  /// A gateway with one operation.
  private static func gateway() throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request.head.contains("Operation-Type: com.example.prices\r\n") else {
        return [ScriptedServer.answer("200 OK", ["Result-Status: 3000", "Connection: close"]), .close]
      }
      let body = Array(#"[{"price":9.45}]"#.utf8)
      return [ScriptedServer.answer("200 OK", ["Result-Status: 1000", "Connection: close"], body: body), .close]
    }
  }

  @Test("call prints the result with its digits, and tells the gateway's code in both languages")
  func call() throws {
    let server = try Self.gateway()
    let words = ["--gateway", server.url + "/mgw.htm", "--allow-cleartext"]
    let answer = try mpaas(["rpc", "call", "com.example.prices", "42", "text"] + words)
    #expect(answer.status == 0 && answer.output.contains(#""price": 9.45"#), "\(answer.errors)")
    let object = try json(try mpaas(["rpc", "call", "com.example.prices", "--json"] + words).output)
    #expect(object["status"] as? Int == 200 && object["result"] as? Int == 1000)
    let unknown = try mpaas(["rpc", "call", "com.example.none", "--lang", "zh-Hans"] + words)
    #expect(unknown.status == 69 && unknown.errors.contains("3000：接口不存在或已关闭"), "\(unknown.errors)")
  }

  @Test("call signs with a key of a file, and sends nothing without encryption unless it may")
  func signing() throws {
    let server = try Self.gateway()
    let folder = try TemporaryFolder()
    let secret = folder.path + "/secret"
    try Data("s3cr3t\n".utf8).write(to: URL(filePath: secret))
    let words = ["rpc", "call", "com.example.prices", "--gateway", server.url]
    #expect(try mpaas(words).status == 77)
    #expect(server.requests.isEmpty)
    let signed = try mpaas(words + ["--allow-cleartext", "--sign", "hmac-sm3", "--key-file", secret, "--app", "SHOP"])
    #expect(signed.status == 0, "\(signed.errors)")
    let head = try #require(server.requests.first?.head)
    #expect(head.contains("Sign-Type: hmac-sm3") && head.contains("Sign: ") && head.contains("AppId: SHOP"))
    #expect(try mpaas(words + ["--sign", "hmac-sm3"]).status == 64)
    #expect(try Self.run(["rpc", "call", "com.example.prices"], in: folder).status == 78)
  }

  private static func run(_ words: [String], in folder: TemporaryFolder) throws -> Command.Outcome {
    let environment = ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "MPAAS_RPC_GATEWAY": ""]
    return try Command.run("mpaas", words, environment: environment, directory: folder.url)
  }

  @Test("call takes the gateway of GatewayConfig.plist, of the environment that is in use or named")
  func config() throws {
    let server = try Self.gateway()
    let (folder, path) = try GatewayCommandTests.file(server.url + "/mgw.htm")
    let words = ["rpc", "call", "com.example.prices", "--allow-cleartext", "--attempts", "1"]
    // Two environments, and none is in use.
    #expect(try Self.run(words, in: folder).status == 64)
    let named = try Self.run(words + ["--environment", "release"], in: folder)
    #expect(named.status == 0 && named.output.contains("9.45"), "\(named.errors)")
    #expect(try Self.run(["gateway", "env", "use", "Release"], in: folder).status == 0)
    #expect(try Self.run(words, in: folder).status == 0)
    #expect(server.requests.allSatisfy { $0.head.hasPrefix("POST /mgw.htm ") } && server.requests.count == 2)
    let elsewhere = try TemporaryFolder()
    #expect(try Self.run(words + ["--config", path], in: elsewhere).status == 0)
    #expect(try Self.run(words + ["--config", path, "--environment", "Debug"], in: elsewhere).status == 69)
    #expect(try Self.run(words + ["--config", path, "--environment", "Relase"], in: elsewhere).status == 66)
    #expect(try Self.run(words + ["--environment", "Release"], in: elsewhere).status == 66)
  }

  @Test("stats counts the calls of a file, and names the line that is none")
  func stats() throws {
    let server = try Self.gateway()
    let folder = try TemporaryFolder()
    let file = folder.path + "/calls.jsonl"
    for operation in ["com.example.prices", "com.example.prices", "com.example.none"] {
      _ = try mpaas(["rpc", "call", operation, "--gateway", server.url, "--allow-cleartext", "--spans", file])
    }
    let object = try json(try mpaas(["rpc", "stats", file, "--json"]).output)
    let operations = try #require(object["operations"] as? [[String: Any]])
    #expect(operations.map { $0["calls"] as? Int } == [2, 1])
    #expect(operations.last?["errors"] as? [String: Int] == ["rpc-result:3000": 1])
    #expect(try mpaas(["rpc", "stats", file, "--operation", "*.prices"]).output.contains("com.example.none") == false)
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{}\n".utf8))
    let broken = try mpaas(["rpc", "stats", file])
    #expect(broken.status == 65 && broken.errors.contains(":4"), "\(broken.errors)")
  }
}
