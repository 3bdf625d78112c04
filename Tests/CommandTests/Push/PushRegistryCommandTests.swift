import Foundation
import MPaaSTestSupport
import Testing

extension ServedLogs {
  /// Sends JSON as an app or an operator does.
  fileprivate func post(_ path: String, _ value: [String: Any], token: String) throws -> [String: Any] {
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let body = Array(try JSONSerialization.data(withJSONObject: value))
    let head =
      "POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    let answer = try RawAnswer.exchange(port, Array(head.utf8) + body)
    try #require((200...201).contains(answer.status), "\(answer.body)")
    return try json(answer.body)
  }

  fileprivate func register(_ installation: String, _ token: String, tags: [String] = []) throws {
    let report: [String: Any] = [
      "installation": installation, "token": token, "user": "42", "topic": "com.example.shop", "tags": tags,
      "environment": "sandbox", "registered": 1_700_000_000,
    ]
    _ = try post("/api/v1/push/installations", report, token: ready["app_key"] as? String ?? "")
  }
}

@Suite("mpaas push at a server", .tool("openssl")) struct PushRegistryCommandTests {
  private static let good = String(repeating: "1", count: 64)
  private static let bad = String(repeating: "2", count: 64)
  private static let older = String(repeating: "3", count: 64)
  private static let newer = String(repeating: "4", count: 64)

  /// A double that knows one token, and the words by which it is sent to.
  private static func double(_ it: ServedLogs) throws -> (RunningProgram, [String]) {
    let key = it.home.path + "/AuthKey_TESTKEY001.p8"
    let made = try Command.run(
      "openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key])
    try #require(made.status == 0)
    var configuration = try json(
      try it.command("push", "key", "check", key, "--team", "TEAM000001", "--json").output)
    configuration["topics"] = ["com.example.shop": [good]]
    configuration["unregistered"] = [older: 1_700_000_000_001, newer: 1_699_999_999_999]
    let file = it.home.path + "/double.json"
    try JSONSerialization.data(withJSONObject: configuration).write(to: URL(filePath: file))
    let double = try RunningProgram(
      Command.mpaas.path, ["push", "double", "--config", file, "--json"],
      environment: ["MPAAS_HOME": it.home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let ready = try json(double.line)
    let place = try (#require(ready["url"] as? String), #require(ready["ca"] as? String))
    let words = [
      "push", "send", "--apns", place.0, "--ca", place.1, "--key", key, "--team", "TEAM000001", "--topic",
      "com.example.shop", "--alert", "Hello!", "--json",
    ]
    return (double, words)
  }

  @Test("a user's devices get a notification each, and tokens that APNs has ended are asked for no more")
  func user() throws {
    let it = try ServedLogs()
    let (double, words) = try Self.double(it)
    defer { _ = double.end(SIGTERM) }
    for (number, token) in [Self.good, Self.bad, Self.older, Self.newer].enumerated() {
      try it.register("i\(number)", token, tags: number == 0 ? ["vip"] : [])
    }
    func send(_ receivers: String..., token: String? = nil) throws -> Command.Outcome {
      let environment = token.map { it.environment.merging(["MPAAS_TOKEN": $0]) { $1 } } ?? it.environment
      return try mpaas(words + receivers, home: it.home, environment: environment)
    }
    func tokens() throws -> [String?] {
      let listed = try json(try it.command("push", "tokens", "--user", "42", "--json").output)
      return try #require(listed["installations"] as? [[String: Any]]).map { $0["token"] as? String }
    }

    let reader = try it.post("/api/v1/tokens", ["name": "r", "scopes": ["read"]], token: it.token)
    let untold = try send("--user", "42", token: reader["token"] as? String)
    #expect(untold.status == 1)
    #expect(untold.errors.contains("was not told which tokens have ended"), "\(untold.errors)")
    #expect(try tokens().count == 4)

    let sent = try send("--user", "42")
    #expect(sent.status == 1 && sent.errors.isEmpty, "\(sent.errors)")
    #expect(try json(sent.output)["accepted"] as? Int == 1)
    #expect(try tokens() == [Self.newer, Self.good])

    let tagged = try send("--topic-tag", "vip")
    #expect(tagged.status == 0)
    #expect(try json(tagged.output)["accepted"] as? Int == 1)
    let text = try it.command("push", "tokens", "--topic-tag", "vip").output
    #expect(text.contains("11111111…111111") && !text.contains(Self.good))
    let offered = try it.command(
      "completion", "answer", "--shell", "fish", "--", "mpaas", "push", "tokens", "--user", "")
    #expect(offered.output.contains("\n42"), "\(offered.output)")

    let none = try send("--topic-tag", "none")
    #expect(none.status == 66 && none.errors.contains("push-no-installations"))
    let both = try send("--user", "42", "--token", Self.good)
    #expect(both.status == 64 && both.errors.contains("push-receivers"))
    let production = try mpaas(
      words.map { $0.hasPrefix("https://") ? "https://api.push.apple.com" : $0 } + ["--user", "42", "--dry-run"],
      home: it.home, environment: it.environment)
    #expect(production.status == 66)
  }
}
