import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas push", .tool("openssl")) struct PushCommandTests {
  static let token = String(repeating: "1", count: 64)
  static let ended = String(repeating: "3", count: 64)
  let home: TemporaryFolder
  let key: String

  init() throws {
    home = try TemporaryFolder()
    key = home.path + "/AuthKey_TESTKEY001.p8"
    let made = try Command.run(
      "openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key])
    try #require(made.status == 0)
  }

  private func mpaas(_ arguments: [String], input: String? = nil) throws -> Command.Outcome {
    try Command.run(
      Command.mpaas.path, arguments, input: input,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private var words: [String] {
    ["--key", key, "--team", "TEAM000001", "--topic", "com.example.shop", "--alert", "Hello!", "--json"]
  }

  @Test("a key that was checked is a double's, which takes notifications of it and tells the outcome of each")
  func send() throws {
    let checked = try mpaas(["push", "key", "check", key, "--team", "TEAM000001", "--json"])
    #expect(checked.status == 0)
    var configuration = try object(checked.output)
    #expect(configuration["valid"] as? Bool == true && configuration["key_id"] as? String == "TESTKEY001")
    configuration["topics"] = ["com.example.shop": [Self.token]]
    configuration["unregistered"] = [Self.ended: 1_700_000_000_000]
    let file = home.path + "/double.json"
    try JSONSerialization.data(withJSONObject: configuration).write(to: URL(filePath: file))
    let double = try RunningProgram(
      Command.mpaas.path, ["push", "double", "--config", file, "--log", home.path + "/log", "--json"],
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let ready = try object(double.line)
    let (url, authority) = try (#require(ready["url"] as? String), #require(ready["ca"] as? String))
    #expect(FileManager.default.fileExists(atPath: authority))
    let place = ["--apns", url, "--ca", authority]

    let one = try mpaas(["push", "send", "--token", Self.token.uppercased()] + place + words)
    #expect(one.status == 0)
    #expect(try object(one.output)["accepted"] as? Int == 1)

    let unknown = String(repeating: "2", count: 64)
    let lines = "# three\n\(Self.token)\n\(unknown)\n\(Self.ended)\n"
    let three = try mpaas(["push", "send", "--tokens", "-"] + place + words, input: lines)
    #expect(three.status == 1)
    let report = try object(three.output)
    #expect(report["accepted"] as? Int == 1 && report["unknown"] as? Int == 0)
    let failed = try #require(report["failed"] as? [[String: Any]])
    #expect(failed.map { $0["token"] as? String } == [unknown, Self.ended])
    #expect(failed.map { $0["status"] as? Int } == [400, 410])
    #expect(failed.map { $0["reason"] as? String } == ["BadDeviceToken", "Unregistered"])
    #expect(failed[1]["timestamp"] as? Int == 1_700_000_000_000)

    let log = try String(contentsOfFile: home.path + "/log", encoding: .utf8)
    #expect(log.split(separator: "\n").count == 4)
    #expect(double.end(SIGTERM) == 0)
    #expect(!FileManager.default.fileExists(atPath: authority))

    let closed = try mpaas(["push", "send", "--token", Self.token, "--attempts", "1", "--apns", url] + words)
    #expect(closed.status == 69)
    #expect(closed.errors.contains("push-unreachable"))
  }

  @Test("a file that is no key or no configuration is named, with the place")
  func files() throws {
    let file = home.path + "/none"
    try Data("{".utf8).write(to: URL(filePath: file))
    let key = try mpaas(["push", "key", "check", file, "--key-id", "TESTKEY001", "--team", "TEAM000001"])
    #expect(key.status == 65 && key.errors.contains("  at \(file)\n"), "\(key)")
    let double = try mpaas(["push", "double", "--config", file])
    #expect(double.status == 65 && double.errors.contains("\(file):1:2"), "\(double)")
  }

  @Test("what APNs would refuse is told before anything is sent")
  func refusedBefore() throws {
    let trial = try mpaas(["push", "send", "--token", Self.token, "--token", "none", "--dry-run"] + words)
    #expect(trial.status == 1)
    #expect(try object(trial.output)["accepted"] as? Int == 1)
    let long = String(repeating: "a", count: 4097)
    let cases: [([String], Int32, String)] = [
      (["--token", Self.token, "--title", long], 65, "push-payload-too-large"),
      (["--token", Self.token, "--collapse-id", String(repeating: "c", count: 65)], 64, "push-header"),
      (["--token", Self.token, "--type", "alrt"], 64, "usage-near"),
      (["--token", Self.token, "--data", "aps=1"], 64, "push-option"),
      (["--token", Self.token, "--key-id", "short"], 64, "push-key-name"),
      ([], 64, "push-no-tokens"),
    ]
    for (arguments, status, code) in cases {
      let outcome = try mpaas(["push", "send"] + arguments + words)
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.errors.contains("\"\(code)\""), "\(outcome.errors)")
    }
  }
}
