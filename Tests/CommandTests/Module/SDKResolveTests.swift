import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas sdk resolve") struct SDKResolveTests {
  private let solvable =
    #"{"root":{"shop":">=1.0,<2"},"packages":{"shop":{"1.0":{"log":"==1.2"}},"log":{"1.2":{},"2.0":{}}}}"#
  private let unsolvable =
    #"{"root":{"shop":">=1.0","log":"==2.0"},"packages":{"shop":{"1.0":{"log":"==1.2"}},"log":{"1.2":{},"2.0":{}}}}"#

  private func run(_ arguments: String..., input: String, language: String = "en") throws -> Command.Outcome {
    try mpaas(["sdk", "resolve"] + arguments, environment: ["MPAAS_LANG": language], input: input)
  }

  @Test("a solution is the versions, with status 0")
  func solved() throws {
    let outcome = try run("-", "--json", input: solvable)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let result = try json(outcome.output)
    #expect(result["status"] as? String == "solved")
    #expect(result["versions"] as? [String: String] == ["shop": "1.0", "log": "1.2"])
    #expect(result["explanation"] == nil)
    #expect(result["fixes"] == nil)
    #expect(try run("-", input: solvable).output.contains("  log 1.2\n  shop 1.0\n"))
  }

  @Test("a conflict is explained in both languages, with changes that work, and status 1")
  func unsatisfiable() throws {
    let outcome = try run("-", "--json", input: unsolvable)
    #expect(outcome.status == 1)
    #expect(outcome.errors.isEmpty)
    let result = try json(outcome.output)
    #expect(result["status"] as? String == "unsatisfiable")
    let lines = try #require(result["explanation"] as? [String])
    #expect((1...8).contains(lines.count))
    #expect(lines.contains { $0.contains("shop 1.0 needs log ==1.2") })
    let fixes = try #require(result["fixes"] as? [[String: Any]])
    let changes = fixes.compactMap { ($0["changes"] as? [[String: Any]])?.first }
    #expect(changes.contains { $0["module"] as? String == "log" && $0["to"] as? String == "==1.2" })
    let chinese = try run("-", input: unsolvable, language: "zh-Hans")
    #expect(chinese.status == 1)
    #expect(chinese.output.contains("shop 1.0 需要 log ==1.2"))
    #expect(!chinese.output.contains("{"))
    #expect(!chinese.output.contains("text."))
  }

  @Test("a search whose time is over is not known: status 75, what kept it, and how to give it more")
  func timeLimit() throws {
    let holes = 9
    func object(_ members: [String]) -> String { "{" + members.joined(separator: ",") + "}" }
    let packages =
      (1...holes).map { hole in "\"h\(hole)\":" + object((1...holes + 1).map { "\"\($0).0\":{}" }) }
      + (1...holes + 1).map { pigeon in
        "\"p\(pigeon)\":" + object((1...holes).map { "\"\($0).0\":{\"h\($0)\":\"==\(pigeon).0\"}" })
      }
    let root = object((1...holes + 1).map { "\"p\($0)\":\"*\"" })
    let text = "{\"root\":\(root),\"packages\":\(object(packages))}"
    let start = ContinuousClock.now
    let outcome = try run("-", "--json", "--time-limit", "0.3", input: text)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(outcome.status == 75, "\(outcome.errors)")
    let result = try json(outcome.output)
    #expect(result["status"] as? String == "unknown")
    #expect(result["versions"] == nil)
    #expect((result["contradictions"] as? Int ?? 0) > 0)
    #expect((result["contested"] as? [String])?.isEmpty == false)
    #expect((result["explanation"] as? [String])?.first?.contains("0.3 s") == true)
    for language in ["en", "zh-Hans"] {
      let told = try run("-", "--time-limit", "0.3", input: text, language: language)
      #expect(told.status == 75)
      #expect(told.output.contains("--time-limit"))
      #expect(!told.output.contains("{"), "\(told.output)")
      #expect(!told.output.contains("text."), "\(told.output)")
    }
    #expect(try run("-", "--time-limit", "-1", input: text).status == 64)
  }

  @Test("a package that stands twice is refused with its place")
  func twice() throws {
    let outcome = try run("-", input: #"{"root":{},"packages":{"a":{},"a":{}}}"#)
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("a stands twice in stdin"), "\(outcome.errors)")
    #expect(outcome.errors.contains("stdin:1:31"), "\(outcome.errors)")
  }

  @Test("every kind of line and fix has its text in both languages", arguments: ["en", "zh-Hans"])
  func kinds(_ language: String) throws {
    let inputs = [
      #"{"root":{"APLgo":"*"},"packages":{"APLog":{"1.0":{}}}}"#,
      #"{"root":{"x":"*"},"packages":{}}"#,
      #"{"root":{"a":"^9"},"packages":{"a":{"1.0":{}}}}"#,
      #"{"root":{"a":"*"},"packages":{"a":{"1.0":{"b":"*"}}}}"#,
      #"{"root":{"a":"*"},"packages":{"a":{"1.0":{"b":"^2"}},"b":{"1.0":{}}}}"#,
      #"{"root":{"a":"*"},"packages":{"a":{"1.0":{"dependencies":{},"yanked":true}}}}"#,
      #"{"root":{"a":"*"},"packages":{"a":{"0.9":{"b":"*"},"1.0-rc":{}}}}"#,
      #"{"root":{"a":"*"},"platform":"ios","minimum":"12.0","packages":{"a":{"1.0":{"platforms":{"ios":"14.0"}},"0.9":{"platforms":{"linux":"1"}}}}}"#,
      #"{"root":{"a":"*","b":"*"},"packages":{"a":{"1.0":{"dependencies":{},"conflicts":{"b":"*"}}},"b":{"1.0":{}}}}"#,
    ]
    for input in inputs {
      let outcome = try run("-", input: input, language: language)
      #expect(outcome.status == 1, "\(input): \(outcome.errors)")
      #expect(!outcome.output.contains("{"), "\(outcome.output)")
      #expect(!outcome.output.contains("text."), "\(outcome.output)")
    }
  }

  @Test("what is no registry is refused with status 65 and the place")
  func malformed() throws {
    let broken = try run("-", "--json", input: "{\"root\":{},\n\"packages\":[1,}")
    #expect(broken.status == 65)
    #expect(broken.output.isEmpty)
    let error = try #require(try json(broken.errors)["error"] as? [String: Any])
    #expect(error["code"] as? String == "resolver-file-malformed")
    #expect((error["place"] as? String)?.hasPrefix("stdin:2:") == true)
    let range = try run("-", input: #"{"root":{"a":"sometimes"},"packages":{}}"#)
    #expect(range.status == 65)
    #expect(range.errors.contains("root.a"))
    #expect(try mpaas("sdk", "resolve", "/nonexistent").status == 66)
  }

  @Test(
    "a hard registry is decided, and told in at most 8 lines of text in both languages", .fixtures,
    arguments: ["en", "zh-Hans"])
  func hard(_ language: String) throws {
    for name in ["pigeon_6", "big300_s3_c0.08", "unsat_deep_25x20"] {
      let outcome = try mpaas(
        ["sdk", "resolve", Fixture.path("project/resolver/synthetic/\(name).json"), "--json"],
        environment: ["MPAAS_LANG": language])
      #expect(outcome.status == 1)
      let result = try json(outcome.output)
      #expect((1...8).contains((result["explanation"] as? [String] ?? []).count), "\(name)")
      #expect((result["fixes"] as? [Any] ?? []).isEmpty == false, "\(name)")
    }
  }
}
