import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas push campaigns", .tool("openssl")) struct PushCampaignCommandTests {
  private let folder: TemporaryFolder
  private let double: RunningProgram
  private let server: ServedLogs

  private static func token(_ number: Int) -> String { String(repeating: "\(number)", count: 64) }

  /// A double that knows three tokens, and a server that sends to it.
  init() throws {
    folder = try TemporaryFolder()
    let environment = ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": ""]
    let key = folder.path + "/AuthKey_TESTKEY001.p8"
    let made = try Command.run(
      "openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key])
    try #require(made.status == 0)
    let checked = try Command.run(
      Command.mpaas.path, ["push", "key", "check", key, "--team", "TEAM000001", "--json"], environment: environment)
    var configuration = try json(checked.output)
    configuration["topics"] = ["com.example.shop": (1...3).map(Self.token)]
    let file = folder.path + "/double.json"
    try JSONSerialization.data(withJSONObject: configuration).write(to: URL(filePath: file))
    double = try RunningProgram(
      Command.mpaas.path, ["push", "double", "--config", file, "--log", folder.path + "/log", "--json"],
      environment: environment)
    let ready = try json(double.line)
    let url = ready["url"] as? String ?? ""
    let keys: [String: Any] = [
      "provider": "apns", "file": "AuthKey_TESTKEY001.p8", "key_id": "TESTKEY001", "team_id": "TEAM000001",
      "topics": ["com.example.*"], "production": url, "sandbox": url, "ca": ready["ca"] as? String ?? "",
    ]
    try JSONSerialization.data(withJSONObject: ["keys": [keys]]).write(to: URL(filePath: folder.path + "/keys.json"))
    server = try ServedLogs(["--push", folder.path + "/keys.json"])
    for number in 1...4 {
      try server.register("i\(number)", Self.token(number), locale: number == 1 ? "zh-CN" : "en")
    }
  }

  private func write(_ campaign: [String: Any]) throws -> String {
    let file = folder.path + "/campaign.json"
    try JSONSerialization.data(withJSONObject: campaign).write(to: URL(filePath: file))
    return file
  }

  /// The requests that the double has got.
  private func asked() throws -> [[String: Any]] {
    let text = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
    return try text.split(separator: "\n").map { try json(String($0)) }
  }

  private static var campaign: [String: Any] {
    [
      "id": "sale", "topic": "com.example.shop", "environment": "sandbox", "fallback": "en",
      "texts": ["en": ["body": "Tea from {price}"], "zh-Hans": ["body": "茶叶 {price} 起"]],
      "values": ["price": ["en": "$9", "zh": "¥66"]],
      "audience": [["contextName": "tags", "operator": "IN", "values": ["vip"]]],
    ]
  }

  @Test("one is checked, created once, sent once to each, and accounted for, also after the server was killed")
  func sends() throws {
    defer { _ = double.end(SIGTERM) }
    let file = try write(Self.campaign)
    let check = try server.command("push", "campaigns", "create", file, "--dry-run")
    #expect(check.status == 0 && check.output.contains("to 4 installations"), "\(check.output)\(check.errors)")
    #expect(try json(server.command("push", "campaigns", "--json").output)["campaigns"] as? [String] == [])
    #expect(try server.command("push", "campaigns", "create", file).status == 0)
    let status = try server.command("push", "status", "sale", "--wait", "--json")
    #expect(status.status == 1)
    let counts = try #require((json(status.output)["campaign"] as? [String: Any])?["counts"] as? [String: Int])
    #expect(counts["audience"] == 4 && counts["accepted"] == 3 && counts["failed"] == 1 && counts["unknown"] == 0)
    let text = try server.command("push", "status", "sale").output
    #expect(text.contains("BadDeviceToken") && text.contains("i4") && text.contains("3 accepted"), "\(text)")
    try server.killAndRestart()
    #expect(try server.command("push", "campaigns", "create", file).status == 0)
    #expect(try server.command("push", "status", "sale", "--wait").status == 1)
    #expect(try asked().count == 4)
    #expect(try server.command("push", "campaigns", "list").output.contains("sale"))
    let shown = try json(server.command("push", "campaigns", "show", "sale", "--json").output)
    #expect((shown["definition"] as? [String: Any])?["fallback"] as? String == "en")
    #expect(try server.command("push", "campaigns", "resume", "sale").errors.contains("sale has ended"))
    let accepted = try server.command("push", "status", "sale", "--list", "accepted", "--limit", "2", "--json")
    #expect(try json(accepted.output)["cursor"] as? String != nil)
    let offered = try server.command("completion", "answer", "--shell", "fish", "--", "mpaas", "push", "status", "")
    #expect(offered.output.contains("sale"), "\(offered.output)")
  }

  @Test("one is paused and cancelled, and refused with its file and the member that cannot be so")
  func changes() throws {
    defer { _ = double.end(SIGTERM) }
    let file = try write(Self.campaign.merging(["start": 4_102_444_800]) { $1 })
    #expect(try server.command("push", "campaigns", "create", file).output.contains("2100-01-01"))
    let paused = try json(server.command("push", "campaigns", "pause", "sale", "--json").output)
    #expect(paused["state"] as? String == "paused")
    let resumed = try json(server.command("push", "campaigns", "resume", "sale", "--json").output)
    #expect(resumed["state"] as? String == "scheduled")
    #expect(try server.command("push", "campaigns", "cancel", "sale").status == 0)
    #expect(try server.command("push", "campaigns", "show", "none").status == 66)
    let other = try server.command("push", "campaigns", "create", try write(Self.campaign))
    #expect(other.status != 0 && other.errors.contains("There is another campaign sale"), "\(other.errors)")
    let bad = try server.command(
      "push", "campaigns", "create", try write(Self.campaign.merging(["rates": 1]) { $1 }))
    #expect(bad.status == 65 && bad.errors.contains("rates") && bad.errors.contains("campaign.json"), "\(bad.errors)")
    let log = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
    #expect(log.isEmpty)
  }
}

extension ServedLogs {
  /// Reports an installation as an app does.
  fileprivate func register(_ installation: String, _ token: String, locale: String) throws {
    let report: [String: Any] = [
      "installation": installation, "token": token, "topic": "com.example.shop", "tags": ["vip"], "locale": locale,
      "environment": "sandbox", "registered": 1_700_000_000,
    ]
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let body = Array(try JSONSerialization.data(withJSONObject: report))
    let head =
      "POST /api/v1/push/installations HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      + "Authorization: Bearer \(ready["app_key"] as? String ?? "")\r\nContent-Length: \(body.count)\r\n\r\n"
    let answer = try RawAnswer.exchange(port, Array(head.utf8) + body)
    try #require(answer.status == 200, "\(answer.body)")
  }
}
