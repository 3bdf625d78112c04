import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas gateway match and verify") struct GatewayPactTests {
  private static func write(_ text: String, _ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test("match tells each file's verdict, and why, as text and as JSON")
  func match() throws {
    let folder = try TemporaryFolder()
    let same = try Self.write(#"{"expected": {"status": 200}, "actual": {"status": 200}}"#, "same.json", in: folder)
    let other = try Self.write(#"{"expected": {"status": 200}, "actual": {"status": 404}}"#, "other.json", in: folder)
    let good = try mpaas("gateway", "match", "--pact-spec", "4", "--part", "response", same, "--json")
    #expect(good.status == 0)
    let both = try mpaas("gateway", "match", "--pact-spec", "v1.1", "--part", "response", "--json", same, other)
    #expect(both.status == 1)
    let results = try #require(try json(both.output)["results"] as? [[String: Any]])
    #expect(results.map { $0["match"] as? Bool } == [true, false])
    #expect(results.map { $0["file"] as? String } == [same, other])
    let mismatch = try #require((results[1]["mismatches"] as? [[String: Any]])?.first)
    #expect(mismatch["code"] as? String == "status-differs")
    let text = try mpaas("gateway", "match", "--pact-spec", "3", "--part", "response", other, "--lang", "zh-Hans")
    #expect(text.output.contains("状态码应为 200，实际为 404"))
    #expect(try mpaas("gateway", "match", "--pact-spec", "7", "--part", "response", other).status == 64)
    let broken = try Self.write("{", "broken.json", in: folder)
    #expect(try mpaas("gateway", "match", "--pact-spec", "3", "--part", "request", broken).status == 65)
  }

  static let contract = """
    {"consumer": {"name": "shop"}, "provider": {"name": "stock"},
     "interactions": [
       {"description": "an item", "providerStates": [{"name": "there are items"}],
        "request": {"method": "GET", "path": "/items/7", "query": {"full": ["true"]}},
        "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": {"id": 7, "name": "tea"},
          "matchingRules": {"body": {"$.name": {"matchers": [{"match": "type"}]}}}}}],
     "metadata": {"pactSpecification": {"version": "3.0.0"}}}
    """

  @Test("verify passes a provider that keeps to the contract, and fails one that does not")
  func verify() throws {
    let folder = try TemporaryFolder()
    let pact = try Self.write(Self.contract, "pact.json", in: folder)
    let type = ["Content-Type: application/json"]
    let good = try LoopbackServer { _, _ in
      LoopbackServer.answer("200 OK", headers: type, body: Array(#"{"id": 7, "name": "x"}"#.utf8))
    }
    let passed = try mpaas("gateway", "verify", pact, "--provider", good.url, "--header", "X-Key: 1")
    #expect(passed.status == 0, "\(passed.errors)\(passed.output)")
    #expect(passed.output.contains("1 passed, 0 failed") && passed.output.contains("--state-url"))
    #expect(good.requests.first?.hasPrefix("GET /items/7?full=true ") == true)
    #expect(good.requests.first?.contains("X-Key: 1") == true)
    let bad = try LoopbackServer { _, _ in
      LoopbackServer.answer("200 OK", headers: type, body: Array(#"{"id": 8}"#.utf8))
    }
    let failed = try mpaas("gateway", "verify", pact, "--provider", bad.url, "--json")
    #expect(failed.status == 1)
    let interactions = try #require(try json(failed.output)["interactions"] as? [[String: Any]])
    #expect(interactions.first?["outcome"] as? String == "failed")
    #expect((interactions.first?["mismatches"] as? [Any])?.count == 2)
  }

  @Test("verify refuses what it cannot do, before anything is asked")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let pact = try Self.write(Self.contract, "pact.json", in: folder)
    let address = "http://127.0.0.1:1"
    #expect(try mpaas("gateway", "verify", "--provider", address).status == 64)
    #expect(try mpaas("gateway", "verify", pact, "--provider", address, "--filter", "(").status == 64)
    #expect(try mpaas("gateway", "verify", pact, "--provider", address, "--filter", "nothing").status == 66)
    #expect(try mpaas("gateway", "verify", pact, "--provider", address, "--header", "none").status == 64)
    let plugin = Self.contract.replacing(
      "\"version\": \"3.0.0\"}", with: "\"version\": \"4.0\"}, \"plugins\": [{\"name\": \"protobuf\"}]")
    let other = try Self.write(plugin, "plugin.json", in: folder)
    #expect(try mpaas("gateway", "verify", other, "--provider", address).status == 77)
    // No answer is a failed interaction.
    #expect(try mpaas("gateway", "verify", pact, "--provider", address, "--timeout", "2").status == 1)
  }
}
