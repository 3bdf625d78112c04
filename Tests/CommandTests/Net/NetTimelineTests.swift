import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas net profiles, replay, record and report") struct NetTimelineTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = folder.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func net(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["net"] + arguments, environment: ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }

  @Test("profiles are listed with their numbers, one in full, as JSON too, and nearly right names are told")
  func profiles() throws {
    let list = try net("profiles")
    #expect(list.status == 0)
    #expect(list.output.contains("780/330"))
    let one = try json(net("profiles", "3g", "--json").output)
    #expect((one["downstream"] as? [String: Any])?["rate_bps"] as? Int == 780_000)
    #expect((try json(net("profiles", "--json").output)["profiles"] as? [Any])?.count ?? 0 > 30)
    let wrong = try net("profiles", "satelite")
    #expect(wrong.status == 66)
    #expect(wrong.errors.contains("satellite"))
  }

  @Test("profiles of the configuration folder are known, and errors in them have a line")
  func ownProfiles() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/config/profiles", withIntermediateDirectories: true)
    _ = try write("[profile.office]\nbase = \"lte\"\nup = \"loss 1%\"\n", "config/profiles/a.toml")
    #expect(try net("profiles", "office").output.contains("up loss 1%"))
    let file = try write("[profile.x]\ndown = \"latency 3\"\n", "b.toml")
    let wrong = try net("profiles", "--file", file)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("b.toml:2"))
  }

  @Test("a timeline is checked and written out in each form, and a fault has line and column")
  func printed() throws {
    let file = try write("at 10s: flight mode for 5s\nevery 30s: loss 2% for 1s\nlength 2m\n", "t.timeline")
    let text = try net("replay", file, "--print", "text")
    #expect(
      text.output == "name t\nlength 2m\nat 10s: flight mode for 5s\n"
        + "at 30s: loss 2% for 1s\nat 1m: loss 2% for 1s\nat 1m30s: loss 2% for 1s\n")
    let toml = try write(try net("replay", file, "--print", "toml").output, "t.toml")
    #expect(try net("replay", toml, "--print", "text").output == text.output)
    let wrong = try net("replay", try write("at 1s: flight mod\n", "w.timeline"), "--print", "text")
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("w.timeline:1:8"))
    #expect(try net("replay").status == 64)
    #expect(
      try net("replay", "--random", "7", "--print", "text").output
        == net("replay", "--random", "7", "--print", "text").output)
  }

  @Test("a timeline plays on a proxy of its own, and its journal becomes a report in every form")
  func played() throws {
    let file = try write("at 100ms: loss 1% for 200ms\nlength 500ms\n", "t.timeline")
    let journal = folder.path + "/j"
    let outcome = try net(
      "replay", file, "--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:9", "--journal", journal, "--json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("loss 1%"))
    #expect(try json(outcome.output)["state"] as? String == "ended")
    #expect(try net("report", journal).output.contains("loss 1%"))
    let report = try json(net("report", journal, "--json").output)
    #expect((report["applied"] as? [[String: Any]])?.contains { $0["label"] as? String == "loss 1%" } == true)
    for (name, begin) in [("r.html", "<!doctype html>"), ("r.svg", "<svg "), ("r.md", "# "), ("r.json", "{")] {
      #expect(try net("report", journal, "-o", folder.path + "/" + name).status == 0)
      #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).hasPrefix(begin))
    }
    #expect(try net("report", file).status == 65)
    #expect(try net("report", folder.path + "/none").status == 66)
  }

  @Test("a network is measured by a server, and logs are read, into a timeline that plays")
  func recorded() throws {
    let server = try LoopbackServer { _, _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8) }
    let measured = try net("record", "http://127.0.0.1:\(server.port)/", "--for", "200ms", "--every", "50ms")
    #expect(measured.status == 0)
    #expect(measured.output.hasPrefix("name recorded\n"))
    let log = try write(
      "INFO {\"type\":\"network\",\"time\":1,\"rtt_ms\":80}\n{\"type\":\"network\",\"time\":15,\"network\":\"none\"}\n",
      "a.log")
    let file = folder.path + "/r.timeline"
    let outcome = try net("record", "--from", log, "-o", file)
    #expect(outcome.status == 0)
    #expect(try net("replay", file, "--print", "text").output.contains("flight mode"))
    #expect(try net("record", "--from", file).status == 66)
    #expect(try net("record", "nonsense").status == 64)
  }
}
