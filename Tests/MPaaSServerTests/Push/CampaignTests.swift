import Crypto
import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Campaigns of notifications") struct CampaignTests {
  @Test("ask each installation of their audience once, in the user's language, and end tokens that are refused")
  func sends() async throws {
    let bench = try await CampaignBench(tokens: 0..<40)
    let server = try await TestServer { $0.push = bench.keys }
    try await server.enroll(0..<50) { number, report in
      report.tags = number.isMultiple(of: 2) ? ["vip"] : ["other"]
      report.locale = number < 20 ? "zh-CN" : "fr"
      if number == 48 { report.environment = .sandbox }
    }
    let vip: [String: Any] = [
      "audience": [["contextName": "tags", "operator": "IN", "values": ["vip", "gold"]]], "fallback": "en",
      "texts": ["en": ["body": "Hello!"], "zh-Hans": ["body": "你好！"]],
    ]
    let check = try await server.create("sale", vip, query: "?check=1")
    #expect(check.json["audience"] as? Int == 24 && check.json["provider"] as? String == "apns")
    let payloads = try #require(check.json["payloads"] as? [[String: Any]])
    #expect(payloads.map { $0["installations"] as? Int } == [14, 10])
    #expect(try await server.send("GET", ServerPaths.pushCampaigns).json["campaigns"] as? [String] == [])
    #expect(try await server.create("sale", vip).status == 201)
    let entry = try await server.wait("sale")
    #expect(entry.counts.audience == 24 && entry.counts.ends == [20, 4, 0] && entry.ended != nil)
    #expect(bench.asked.accepted.sorted() == stride(from: 0, to: 40, by: 2).map(CampaignBench.token))
    #expect(Set(bench.asked.all.map(\.path)).count == bench.asked.all.count)
    let failed = try await server.deliveries("sale", "?state=failed&limit=3")
    #expect(failed.map(\.reason) == ["BadDeviceToken", "BadDeviceToken", "BadDeviceToken"])
    #expect(failed.first?.installation == "i40" && failed.first?.status == 400)
    let known = try await server.services.store.read {
      try $0.row("SELECT count(*) FROM push_installations") { $0.integer(0) }
    }
    #expect(known == 46)
    // The same campaign again is no further one, and another one needs another name.
    #expect(try await server.create("sale", vip).status == 200)
    #expect(try await server.create("sale").json["code"] as? String == "server-push-campaign-taken")
    #expect(bench.asked.all.count == 24)
    await server.end()
    await bench.double.close()
  }

  @Test("choose installations by user, language, version and absent tags")
  func audience() async throws {
    let bench = try await CampaignBench(tokens: 0..<10)
    let server = try await TestServer { $0.push = bench.keys }
    try await server.enroll(0..<10) { number, report in
      report.tags = number < 3 ? ["a", "b"] : []
      report.locale = number < 5 ? "zh-Hans" : "en-GB"
      report.version = "1.\(number).0"
      report.timezone = number == 9 ? "Asia/Shanghai" : nil
    }
    func count(_ constraints: [String: Any]...) async throws -> Any? {
      let answer = try await server.create("x", ["audience": constraints], query: "?check=1")
      return answer.json["audience"] ?? answer.json["code"]
    }
    #expect(try await count() as? Int == 10)
    #expect(try await count(["contextName": "tags", "operator": "NOT_IN", "values": ["b"]]) as? Int == 7)
    #expect(
      try await count(["contextName": "tags", "operator": "IN", "values": ["b"], "inverted": true]) as? Int == 7)
    #expect(try await count(["contextName": "tags", "operator": "STR_STARTS_WITH", "values": ["a"]]) as? Int == 3)
    #expect(try await count(["contextName": "language", "operator": "IN", "values": ["en"]]) as? Int == 5)
    #expect(try await count(["contextName": "version", "operator": "SEMVER_GT", "value": "1.6.9"]) as? Int == 3)
    #expect(try await count(["contextName": "userId", "operator": "IN", "values": ["u1", "u2"]]) as? Int == 2)
    #expect(
      try await count(
        ["contextName": "timezone", "operator": "IN", "values": ["Asia/Shanghai"]],
        ["contextName": "updated", "operator": "DATE_AFTER", "value": "1970-01-01T00:00:00Z"]) as? Int == 1)
    for bad: [String: Any] in [
      ["contextName": "tag", "operator": "IN", "values": ["a"]],
      ["contextName": "tags", "operator": "INN", "values": ["a"]],
      ["contextName": "version", "operator": "SEMVER_GT", "value": "x"], ["contextName": 7],
    ] {
      let code = try await count(bad) as? String
      #expect(code == "server-bad-request" || code == "flags-shape", "\(bad) \(String(describing: code))")
    }
    await server.end()
    await bench.double.close()
  }

  @Test("wait while the provider is busy, and ask again only for what it has certainly not taken")
  func setbacks() async throws {
    let bench = try await CampaignBench(tokens: 0..<200) {
      $0.behavior.every = [.serviceUnavailable: 70, .internalServerError: 90]
      $0.behavior.answers = [CampaignBench.token(7): [.tooManyRequests]]
    }
    let server = try await TestServer { $0.push = bench.keys }
    try await server.enroll(0..<200)
    try await server.create("busy")
    let entry = try await server.wait("busy")
    #expect(entry.counts.audience == 200 && entry.counts.unknown == 0 && entry.problem == nil)
    #expect(entry.counts.failed == bench.asked.all.count { $0.status == 500 })
    #expect(entry.counts.accepted == 200 - entry.counts.failed)
    #expect(Set(bench.asked.accepted).count == bench.asked.accepted.count)
    #expect(bench.asked.accepted.contains(CampaignBench.token(7)))
    #expect(bench.asked.all.contains { $0.status == 503 })
    await server.end()
    await bench.double.close()
  }

  @Test("stop where the key is refused, with everybody still to be asked, and go on when that is mended")
  func refusedKey() async throws {
    let bench = try await CampaignBench(tokens: 0..<20)
    let other = P256.Signing.PrivateKey().pemRepresentation
    let right = try String(contentsOfFile: bench.folder.path + "/key.p8", encoding: .utf8)
    try other.write(toFile: bench.folder.path + "/key.p8", atomically: true, encoding: .utf8)
    let folder = try TemporaryFolder()
    var server = try await TestServer(in: folder) { $0.push = bench.keys }
    try await server.enroll(0..<20)
    try await server.create("sale")
    let paused = try await server.wait("sale") { $0.state == .paused && $0.counts.claimed == 0 }
    #expect(paused.problem == "InvalidProviderToken" && paused.counts.waiting == 20)
    await server.end()
    try right.write(toFile: bench.folder.path + "/key.p8", atomically: true, encoding: .utf8)
    server = try await TestServer(in: folder) { $0.push = bench.keys }
    #expect(try await server.campaign("sale").state == .paused)
    #expect(try await server.send("POST", "\(ServerPaths.pushCampaigns)/sale/resume").status == 200)
    #expect(try await server.wait("sale").counts.accepted == 20)
    await server.end()
    await bench.double.close()
  }

  @Test("go on after a provider could not be reached, and ask it once")
  func unreachable() async throws {
    let bench = try await CampaignBench(tokens: 0..<20)
    try bench.writeKeys(url: "https://127.0.0.1:1")
    let folder = try TemporaryFolder()
    var server = try await TestServer(in: folder) { $0.push = bench.keys }
    try await server.enroll(0..<20)
    try await server.create("sale")
    let waiting = try await server.wait("sale") { $0.problem != nil && $0.counts.claimed == 0 }
    #expect(waiting.state == .running && waiting.problem == "Unreachable" && waiting.counts.waiting == 20)
    await server.end()
    try bench.writeKeys()
    server = try await TestServer(in: folder) { $0.push = bench.keys }
    #expect(try await server.wait("sale").counts.ends == [20, 0, 0])
    #expect(bench.asked.all.count == 20)
    await server.end()
    await bench.double.close()
  }

  @Test("are unknown where a provider keeps silent, and not repeated")
  func silent() async throws {
    let bench = try await CampaignBench(tokens: 0..<30) { $0.behavior.latency = 60_000 }
    let server = try await TestServer { $0.push = bench.keys }
    try bench.writeKeys(["patience": .number(0.2)])
    try await server.enroll(0..<30)
    await server.end()
    let again = try await TestServer(in: server.folder) { $0.push = bench.keys }
    try await again.create("sale")
    let entry = try await again.wait("sale") { $0.counts.unknown >= 2 }
    #expect(entry.counts.accepted == 0)
    bench.double.behavior.latency = 0
    let end = try await again.wait("sale", seconds: 120)
    #expect(end.counts.accepted + end.counts.unknown == 30)
    #expect(bench.asked.all.count <= 30)
    #expect(try await again.deliveries("sale", "?state=unknown").allSatisfy { $0.reason == "NoAnswer" })
    await again.end()
    await bench.double.close()
  }

  @Test("keep quiet hours by the clocks of each installation, and end when their time is over")
  func quiet() async throws {
    // 23:00 in UTC, not long ago: certificates are of the real time.
    let day = (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 - 2 * 86_400
    let time = Time(day + 23 * 3600)
    let bench = try await CampaignBench(tokens: 0..<4, time: time)
    let server = try await TestServer(time: time) { $0.push = bench.keys }
    try await server.enroll(0..<4) { number, report in
      report.timezone = ["+08:00", "UTC", nil, "-09:00"][number]
    }
    let hours: [String: Any] = ["from": "22:00", "to": "08:00", "timezone": "-05:00"]
    try await server.create("night", ["quiet": hours, "expires": day + 86_400 + 20 * 3600])
    // It is 07:00, 23:00, 18:00 and 14:00 there.
    let first = try await server.wait("night") { $0.counts.accepted == 2 && ($0.resumes ?? 0) > time.now }
    #expect(first.resumes == day + 86_400)
    #expect(bench.asked.accepted.sorted() == [2, 3].map(CampaignBench.token))
    time.now = day + 86_400
    #expect(try await server.wait("night") { $0.counts.accepted == 3 }.counts.waiting == 1)
    time.now = day + 86_400 + 20 * 3600
    let end = try await server.wait("night")
    #expect(end.counts.ends == [3, 1, 0])
    #expect(try await server.deliveries("night", "?state=failed").map(\.reason) == ["Expired"])
    await server.end()
    await bench.double.close()
  }

  @Test("keep their rate, stop at a pause, go on at a resumption, and send nothing more once they are cancelled")
  func pause() async throws {
    let bench = try await CampaignBench(tokens: 0..<400)
    let server = try await TestServer { $0.push = bench.keys }
    try await server.enroll(0..<400)
    let start = ContinuousClock.now
    try await server.create("slow", ["rate": 50])
    _ = try await server.wait("slow") { $0.counts.accepted >= 30 }
    #expect(ContinuousClock.now - start > .milliseconds(500))
    let path = "\(ServerPaths.pushCampaigns)/slow"
    #expect(try await server.send("POST", path + "/pause").json["state"] as? String == "paused")
    let paused = try await server.wait("slow") { $0.counts.claimed == 0 }.counts.accepted
    try await Task.sleep(for: .milliseconds(300))
    #expect(bench.asked.all.count == Int(paused) && paused < 200)
    #expect(try await server.send("POST", path + "/resume").json["state"] as? String == "running")
    _ = try await server.wait("slow") { $0.counts.accepted > paused }
    #expect(try await server.send("POST", path + "/cancel").json["state"] as? String == "cancelled")
    let end = try await server.wait("slow") { $0.counts.claimed == 0 }
    #expect(end.counts.accepted + end.counts.waiting == 400 && end.counts.waiting > 0)
    #expect(Set(bench.asked.accepted).count == Int(end.counts.accepted))
    #expect(try await server.send("POST", path + "/resume").status == 409)
    #expect(try await server.send("POST", path + "/cancel").status == 200)
    await server.end()
    await bench.double.close()
  }

  @Test("begin at their time, and are of their app alone")
  func scheduled() async throws {
    let now = (Date().timeIntervalSince1970 - 10_000).rounded(.down)
    let time = Time(now)
    let bench = try await CampaignBench(tokens: 0..<4, time: time)
    let server = try await TestServer(time: time) { $0.push = bench.keys }
    try await server.enroll(0..<4)
    try await server.create("later", ["start": now + 1_000])
    try await Task.sleep(for: .milliseconds(1_500))
    #expect(try await server.campaign("later").state == .scheduled && bench.asked.all.isEmpty)
    time.now = now + 1_000
    #expect(try await server.wait("later").counts.accepted == 4)
    let access = server.services.access
    let foreign = try await access.issue("other", [.read, .operate], app: "other", lifetime: 1e6).token
    let headers = ["Authorization": "Bearer \(foreign)"]
    #expect(try await server.send("GET", "\(ServerPaths.pushCampaigns)/later", headers).status == 404)
    #expect(try await server.send("POST", "\(ServerPaths.pushCampaigns)/later/cancel", headers).status == 404)
    let own = try await server.send(
      "POST", ServerPaths.pushCampaigns + "?check=1", headers, body: CampaignBench.campaign("later"))
    #expect(own.json["audience"] as? Int == 0)
    let reader = try await access.issue("reader", [.read], lifetime: 1e6).token
    let refused = try await server.send(
      "POST", ServerPaths.pushCampaigns, ["Authorization": "Bearer \(reader)"], body: CampaignBench.campaign("x"))
    #expect(refused.status == 403)
    await server.end()
    await bench.double.close()
  }

  @Test("are refused by their member, or for want of a key, and files of keys by theirs without their contents")
  func refused() async throws {
    let bench = try await CampaignBench(tokens: 0..<4)
    let server = try await TestServer { $0.push = bench.keys }
    let large = ["texts": ["en": ["body": String(repeating: "x", count: 5000)]]]
    for (more, code): ([String: Any], String) in [
      (["rates": 1], "push-campaign-malformed"), (large, "push-campaign-too-large"),
      (["texts": ["en": ["body": "{x}"]]], "push-campaign-value"), (["topic": "org.other"], "server-push-no-key"),
      (["quiet": ["from": "01:00", "to": "02:00", "timezone": "No/Where"]], "push-campaign-malformed"),
      (["expires": 1], "push-campaign-malformed"),
    ] {
      let answer = try await server.create("bad", more)
      #expect((400...422).contains(answer.status) && answer.json["code"] as? String == code, "\(answer.text)")
    }
    #expect(try await server.send("POST", ServerPaths.pushCampaigns, body: Array("{".utf8)).status == 400)
    #expect(try await server.send("GET", "\(ServerPaths.pushCampaigns)/..%2Fx").status == 404)
    await server.end()
    for more: [String: String] in [["key_id": "x"], ["topics": "x"], ["provider": "x"], ["ca": "none"]] {
      let text = try String(contentsOfFile: bench.keys, encoding: .utf8)
      var object = try #require(
        (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["keys"] as? [[String: Any]])
      for (name, value) in more { object[0][name] = value }
      let file = bench.folder.path + "/bad.json"
      try JSONSerialization.data(withJSONObject: ["keys": object]).write(to: URL(filePath: file))
      let error = await #expect(throws: ServerError.self) { try await TestServer { $0.push = file } }
      #expect(error?.code.id.name == "server-push-keys")
      #expect(error?.values["reason"]?.contains("BEGIN") == false)
    }
    await bench.double.close()
  }

  @Test("are shown on pages, with their outcomes and without markup of others")
  func pages() async throws {
    let bench = try await CampaignBench(tokens: 0..<4)
    let server = try await TestServer { $0.push = bench.keys }
    try await server.enroll(0..<6)
    try await server.create("sale", ["texts": ["en": ["body": "<script>"]]])
    _ = try await server.wait("sale")
    let list = try await server.send("GET", "/campaigns")
    #expect(list.status == 200 && list.text.contains("sale") && list.text.contains("6 / 6"), "\(list.text)")
    let page = try await server.send("GET", "/campaigns/sale?state=failed").text
    #expect(page.contains("BadDeviceToken") && page.contains("i4") && !page.contains(">i1<"))
    #expect(!page.contains("<script>") && page.contains("&lt;script&gt;"))
    #expect(try await server.send("GET", "/campaigns/none").status == 404)
    try await server.create("later", ["start": 9e10])
    #expect(try await server.send("GET", "/campaigns/later").text.contains("/campaigns/later/pause"))
    let changed = try await server.send("POST", "/campaigns/later/cancel")
    #expect(changed.status == 303)
    #expect(try await server.campaign("later").state == .cancelled)
    await server.end()
    await bench.double.close()
  }
}
