import Foundation
import MPaaSTestSupport
import Testing

extension ServedLogs {
  /// Sends feedback as an app does.
  fileprivate func giveFeedback(_ text: String) throws {
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let report: [String: Any] = [
      "id": UUID().uuidString.lowercased(), "secret": String(repeating: "s", count: 32), "category": "problem",
      "text": text, "user": "u1", "device": "d1", "version": "1.2", "facts": ["model": "iPhone15,2"],
      "pictures": [Any](), "created": 5,
    ]
    let body = Array(try JSONSerialization.data(withJSONObject: report))
    let head =
      "POST /api/v1/feedback HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      + "Authorization: Bearer \(ready["app_key"] as? String ?? "")\r\nContent-Length: \(body.count)\r\n\r\n"
    let answer = try RawAnswer.exchange(port, Array(head.utf8) + body)
    try #require(answer.status == 201, "\(answer.body)")
  }
}

@Suite("mpaas feedback and badges at a server") struct FeedbackCommandTests {
  @Test("feedback is listed, shown, answered, closed, opened again and exported")
  func feedback() throws {
    let it = try ServedLogs()
    try it.giveFeedback("the cart is empty")
    try it.giveFeedback("it is slow")
    let listed = try it.command("feedback", "list", "--text", "CART", "--json")
    let entries = try #require(try json(listed.output)["feedback"] as? [[String: Any]])
    #expect(entries.map { $0["text"] as? String } == ["the cart is empty"])
    let number = String(try #require(entries[0]["number"] as? Int))
    let shown = try it.command("feedback", "show", number)
    #expect(shown.output.contains("iPhone15,2"))
    let replied = try it.command("feedback", "reply", number, "fixed in 1.3", "--json")
    #expect(try json(replied.output)["state"] as? String == "answered", "\(replied.errors)")
    #expect(try it.command("feedback", "show", number).output.contains("fixed in 1.3"))
    #expect(try it.command("feedback", "close", number).output.contains("closed"))
    #expect(try it.command("feedback", "list", "--state", "closed").output.contains("the cart is empty"))
    #expect(try it.command("feedback", "close", number, "--reopen").output.contains("open"))
    let file = it.home.path + "/feedback.csv"
    #expect(try it.command("feedback", "export", "--output", file).status == 0)
    let rows = try String(contentsOfFile: file, encoding: .utf8)
    #expect(rows.contains("\"fixed in 1.3\""))
    #expect(try it.command("feedback", "export", "--format", "jsonl").output.split(separator: "\n").count == 2)
    #expect(try it.command("feedback", "export", "--json").output.hasPrefix("{"))
    #expect(try it.command("feedback", "reply", number, " ").status == 64)
    #expect(try it.command("feedback", "list", "--limit", "0").status == 64)
    let missing = try it.command("feedback", "show", "99")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("Nothing is there."))
  }

  @Test("badges are pushed to targets, listed and cleared, and a call without a target does nothing")
  func badges() throws {
    let it = try ServedLogs()
    let pushed = try it.command(
      "badges", "push", "me,orders", "--temporary", "3", "--user", "u1", "--user", "u2", "--json")
    #expect(try json(pushed.output)["count"] as? Int == 2, "\(pushed.errors)")
    let payload = it.home.path + "/badges.json"
    try Data(#"[{"badgeId":"me,theme","style":"new","temporaryBadgeNumber":1}]"#.utf8).write(to: URL(filePath: payload))
    #expect(try it.command("badges", "push", "--file", payload, "--all").status == 0)
    let listed = try json(try it.command("badges", "list", "--json").output)
    #expect((listed["badges"] as? [Any])?.count == 3)
    #expect(try it.command("badges", "list", "--user", "u1").output.contains("me,orders"))
    let cleared = try it.command("badges", "clear", "me", "--user", "u2", "--json")
    #expect(try json(cleared.output)["count"] as? Int == 1)
    for wrong in [["push", "me"], ["push", "--all"], ["clear"], ["list", "--user", "a", "--all"]] {
      #expect(try mpaas(["badges"] + wrong, home: it.home, environment: it.environment).status == 64, "\(wrong)")
    }
  }
}
