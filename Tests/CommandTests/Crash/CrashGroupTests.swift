import Foundation
import MPaaSTestSupport
import Testing

/// A folder with reports of two crashes, made here.
private struct Reports {
  let home: TemporaryFolder

  var folder: String { home.path + "/reports" }

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for day in 1...6 {
      try write("a\(day).ips", Self.report("Cart.add(_:)", version: day < 4 ? "1.0" : "2.0", day: day))
    }
    for day in 4...5 {
      try write("b\(day).ips", Self.report("closure #\(day) in Feed.load()", version: "2.0", day: day))
    }
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
  }

  static func report(_ function: String, version: String, day: Int) -> String {
    """
    {"bug_type":"309","app_name":"Shop","app_version":"\(version)","os_version":"iPhone OS 17.\(day)"}
    {"incident":"ABCD\(day)","procName":"Shop","procPath":"/var/Shop","pid":7,"captureTime":"2026-03-0\(day) 10:00:00.0000 +0000",
    "modelCode":"iPhone1\(day),1","faultingThread":0,"exception":{"type":"EXC_BREAKPOINT","signal":"SIGTRAP"},
    "threads":[{"id":1,"triggered":true,"frames":[
    {"imageIndex":1,"imageOffset":\(day),"symbol":"swift_arrayDestroy"},
    {"imageIndex":0,"imageOffset":\(day * 16),"symbol":"\(function)","sourceFile":"Cart.swift","sourceLine":\(day)},
    {"imageIndex":0,"imageOffset":99,"symbol":"<script>alert(1)</script>|`*"}]}],
    "usedImages":[{"base":4096,"size":65536,"uuid":"11111111-1111-1111-1111-111111111111","path":"/var/Shop","source":"P"},
    {"base":99999999,"size":65536,"uuid":"22222222-2222-2222-2222-222222222222","path":"/usr/lib/swift/libswiftCore.dylib","source":"P"}]}
    """
  }

  func mpaas(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""])
  }

  func groups(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try Command.run(
      "mpaas", ["crash", "group", folder, "--json"] + arguments, environment: ["MPAAS_HOME": home.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(try object(outcome.output)["groups"] as? [[String: Any]])
  }
}

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("mpaas crash group and diff") struct CrashGroupTests {
  @Test("reports fall into groups with counts, versions, devices, and when they were seen")
  func table() throws {
    let it = try Reports()
    try it.write("notes.txt", "no report")
    try it.write("broken.ips", "{\"bug_type\":\"309\"}\n{\"threads\":")
    let groups = try it.groups()
    #expect(groups.map { $0["count"] as? Int } == [6, 2])
    #expect(groups[0]["function"] as? String == "Cart.add")
    #expect(groups[0]["first_seen"] as? String == "2026-03-01 10:00:00 +0000")
    #expect((groups[0]["devices"] as? [Any])?.count == 6)
    #expect((groups[0]["versions"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["1.0", "2.0"])
    #expect(groups[1]["function"] as? String == "Feed.load")
    let members = groups.map { $0["members"] as? [String] ?? [] }
    #expect(members[0] == (1...6).map { "\(it.folder)/a\($0).ips" })
    #expect(members[1] == (4...5).map { "\(it.folder)/b\($0).ips" })
    let text = try it.mpaas("crash", "group", it.folder, "--explain")
    #expect(text.output.contains("Cart.add · Shop (Cart.swift:6)"))
    #expect(text.output.contains("a runtime's"))
    #expect(text.output.contains("beyond those that say enough"))
    #expect(text.output.contains("8 reports in 2 groups"))
    #expect(text.errors.contains("broken.ips"))
    #expect(!text.errors.contains("notes.txt"))
  }

  @Test("groups of one function that only reports faults are told apart by its caller, and one is no plural")
  func callers() throws {
    let it = try Reports()
    for (name, caller) in [("c", "Basket.fill()"), ("d", "Basket.empty()")] {
      try it.write(
        name + ".ips",
        Reports.report("Log.die(_:)", version: "1.0", day: 1).replacingOccurrences(
          of: "<script>alert(1)</script>|`*", with: caller))
    }
    let text = try it.mpaas("crash", "group", it.folder).output
    #expect(text.contains("← Basket.fill"))
    #expect(text.contains("← Basket.empty"))
    #expect(!text.contains("Feed.load · Shop (Cart.swift:5) ←"))
    #expect(try it.mpaas("crash", "group", it.folder + "/a1.ips").output.contains("1 report in 1 group\n"))
  }

  @Test("the table names the programs where there are several")
  func programs() throws {
    let it = try Reports()
    #expect(!(try it.mpaas("crash", "group", it.folder).output.contains("Program")))
    let other = Reports.report("Cart.add(_:)", version: "1.0", day: 1)
    try it.write("d.ips", other.replacingOccurrences(of: "\"procName\":\"Shop\"", with: "\"procName\":\"Bank\""))
    let text = try it.mpaas("crash", "group", it.folder).output
    #expect(text.contains("Program"))
    #expect(text.contains("Shop +1") || text.contains("Bank +1"))
  }

  @Test("a period and a limit leave out the rest, and an archive holds reports as a folder does", .tool("tar"))
  func selection() throws {
    let it = try Reports()
    #expect(try it.groups("--since", "2026-03-05").map { $0["count"] as? Int } == [2, 1])
    #expect(try it.groups("--since", "2026-03-06 09:59").map { $0["count"] as? Int } == [1])
    #expect(try it.groups("--until", "2026-03-02T10:00:00Z").map { $0["count"] as? Int } == [1])
    #expect(try it.groups("--limit", "1", "--sort", "new").map { $0["function"] as? String } == ["Feed.load"])
    let tar = try Command.run("tar", ["-czf", it.home.path + "/reports.tgz", "-C", it.home.path, "reports"])
    try #require(tar.status == 0)
    let packed = try it.mpaas("crash", "group", it.home.path + "/reports.tgz", "--json")
    let counts = try #require(try object(packed.output)["groups"] as? [[String: Any]])
    #expect(counts.map { $0["count"] as? Int } == [6, 2])
    #expect(try it.mpaas("crash", "group", it.folder, "--since", "yesterday").status == 64)
    #expect(try it.mpaas("crash", "group", it.home.path + "/nowhere").status == 66)
  }

  @Test("merges and splits are kept in the rules file, with its comments; a mistake in it is told with its place")
  func rules() throws {
    let it = try Reports()
    try it.write(".mpaas-groups", "# ours\n")
    let ids = try it.groups().compactMap { $0["id"] as? String }
    try #require(ids.count == 2)
    #expect(
      try it.mpaas("crash", "group", it.folder, "--merge", ids[0], String(ids[1].dropFirst(2).prefix(8))).status == 0)
    #expect(try it.groups().map { $0["count"] as? Int } == [8])
    let text = try String(contentsOfFile: it.folder + "/.mpaas-groups", encoding: .utf8)
    #expect(text == "# ours\nmerge \(ids[0]) \(ids[1])\n")
    try it.write(".mpaas-groups", "# ours\n")
    #expect(try it.mpaas("crash", "group", it.folder, "--split", ids[0], "--by", "version").status == 0)
    #expect(try it.groups().map { $0["count"] as? Int } == [3, 3, 2])
    try it.write(".mpaas-groups", "# ours\n\nfunction:x -ap\n")
    let wrong = try it.mpaas("crash", "group", it.folder)
    #expect(wrong.status == 78)
    #expect(wrong.errors.contains(".mpaas-groups:3:12"))
    #expect(try it.mpaas("crash", "group", it.folder, "--rules", "/nowhere").status == 66)
  }

  @Test("diff tells two reports apart, and new, gone and grown groups of two releases")
  func diff() throws {
    let it = try Reports()
    let same = try it.mpaas("crash", "diff", it.folder + "/a1.ips", it.folder + "/a1.ips", "--json")
    #expect(same.status == 0)
    let other = try it.mpaas("crash", "diff", it.folder + "/a1.ips", it.folder + "/b4.ips")
    #expect(other.status == 1)
    #expect(other.output.contains("- Cart.add"))
    #expect(other.output.contains("+ Feed.load"))
    let releases = try it.mpaas("crash", "diff", "--release-a", "1.0", "--release-b", "2.0", it.folder, "--json")
    #expect(releases.status == 1)
    let rows = try #require(try object(releases.output)["groups"] as? [[String: Any]])
    #expect(rows.first?["change"] as? String == "new")
    #expect(rows.first?["function"] as? String == "Feed.load")
    #expect(rows.first?["sigma"] as? Double == 1.26)
    #expect(try it.mpaas("crash", "diff", "--release-a", "9", "--release-b", "2.0", it.folder).status == 66)
    #expect(try it.mpaas("crash", "diff", it.folder).status == 64)
    #expect(try it.mpaas("crash", "diff", it.folder, it.folder).status == 0)
  }

  @Test("symbols check says what is missing in sum, and ends with 1")
  func check() throws {
    let it = try Reports()
    let outcome = try it.mpaas("symbols", "check", it.folder, "--json")
    #expect(outcome.status == 1)
    let missing = try #require(try object(outcome.output)["missing"] as? [[String: Any]])
    #expect(missing.count == 1)
    #expect(missing[0]["uuid"] as? String == "11111111111111111111111111111111")
    #expect(missing[0]["reports"] as? Int == 8)
    #expect(missing[0]["command"] as? String == "mpaas symbols add DIR/Shop.dSYM")
  }

  @Test("symbolicate takes folders: a JSON object a line, files into a folder, or back in place")
  func many() throws {
    let it = try Reports()
    let lines = try it.mpaas("crash", "symbolicate", it.folder, "--json").output.split(separator: "\n")
    #expect(lines.count == 8)
    #expect(try lines.allSatisfy { try object(String($0))["missing"] != nil })
    let before = try Data(contentsOf: URL(filePath: it.folder + "/a1.ips"))
    #expect(try it.mpaas("crash", "symbolicate", it.folder, "--output", it.home.path + "/out/").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: it.home.path + "/out").count == 8)
    #expect(try Data(contentsOf: URL(filePath: it.folder + "/a1.ips")) == before)
    #expect(try it.mpaas("crash", "symbolicate", it.folder, "--in-place").status == 0)
    #expect(try it.groups().map { $0["count"] as? Int } == [6, 2])
    #expect(try it.mpaas("crash", "symbolicate", it.folder, "--output", it.home.path + "/one.ips").status == 64)
  }

  @Test("list takes folders and archives and tells the newest first")
  func list() throws {
    let it = try Reports()
    let rows = try #require(
      try object(try it.mpaas("crash", "list", it.folder, "--json").output)["reports"] as? [[String: Any]])
    #expect(rows.count == 8)
    #expect(rows.first?["time"] as? String == "2026-03-06 10:00:00 +0000")
    #expect(rows.allSatisfy { $0["kind"] as? String == "crash" })
  }
}

@Suite("mpaas crash convert to what people read") struct CrashOutputTests {
  @Test("Markdown shows names as they are, whatever is in them")
  func markdown() throws {
    let it = try Reports()
    let text = try it.mpaas("crash", "convert", it.folder + "/a1.ips", "--to", "md").output
    #expect(text.hasPrefix("# Shop crashed in Cart.add(\\_:)"))
    let fence = try #require(text.range(of: "```text"))
    #expect(!text[..<fence.lowerBound].contains("<script>"))
    #expect(text.contains("> 1   Shop"))
    #expect(text.contains("| **Exception** | EXC\\_BREAKPOINT (SIGTRAP) |"))
  }

  @Test("the page is whole by itself, in both languages, and nothing in the report becomes markup")
  func page() throws {
    let it = try Reports()
    for (language, word) in [("en", "Other threads"), ("zh-Hans", "筛选帧")] where language == "zh-Hans" || !word.isEmpty {
      let text = try it.mpaas("crash", "convert", it.folder + "/a1.ips", "--to", "html", "--lang", language).output
      #expect(text.hasPrefix("<!doctype html>\n<html lang=\"\(language)\">"))
      #expect(text.hasSuffix("</html>\n"))
      #expect(!text.contains("<script>alert"))
      #expect(text.contains("&lt;script&gt;alert(1)"))
      #expect(!text.contains("http://"))
      #expect(!text.contains("https://"))
      #expect(!text.contains("src="))
    }
    #expect(
      try it.mpaas("crash", "convert", it.folder + "/a1.ips", "--to", "html", "--lang", "zh-Hans").output.contains(
        "筛选帧"))
  }

  @Test("Markdown calls nobody and links no issue, outside of code blocks")
  func inertMarkdown() throws {
    let it = try Reports()
    let text = Reports.report("closure #1 in Feed.load(@team)", version: "1.0", day: 1)
    try it.write("m.ips", text.replacingOccurrences(of: "\"id\":1,", with: "\"id\":1,\"queue\":\"@team #2\","))
    let lines = try it.mpaas("crash", "convert", it.folder + "/m.ips", "--to", "md").output.split(separator: "\n")
    let title = try #require(lines.first)
    #expect(title.contains("\\#\u{200B}1 in Feed"))
    #expect(!title.contains("@team"))
    #expect(title.contains("@\u{200B}team"))
    #expect(!lines.contains { $0.hasPrefix("#") && ($0.contains("@team") || $0.contains("#2")) })
  }

  @Test("SARIF of a crash without a line of source says that code hosts will not show it, and line 0 is told as 1")
  func sarifWithoutPlace() throws {
    let it = try Reports()
    let text = Reports.report("Cart.add(_:)", version: "1", day: 2)
    try it.write("none.ips", text.replacingOccurrences(of: ",\"sourceFile\":\"Cart.swift\",\"sourceLine\":2", with: ""))
    let none = try it.mpaas("crash", "convert", it.folder + "/none.ips", "--to", "sarif")
    #expect(none.status == 0)
    #expect(none.errors.contains("only results that have one"))
    #expect(!none.output.contains("\"locations\""))
    try it.write("zero.ips", text.replacingOccurrences(of: "\"sourceLine\":2", with: "\"sourceLine\":0"))
    let zero = try it.mpaas("crash", "convert", it.folder + "/zero.ips", "--to", "sarif")
    #expect(zero.errors.isEmpty)
    #expect(zero.output.contains("\"region\":{\"startLine\":1}"))
  }

  @Test("SARIF has a result with a rule, a relative place, a stack and the group as fingerprint")
  func sarif() throws {
    let it = try Reports()
    try it.write(
      "s.ips",
      Reports.report("Cart.add(_:)", version: "1", day: 2).replacingOccurrences(
        of: "\"Cart.swift\"", with: "\"/src/shop/Käse Cart.swift\""))
    let outcome = try it.mpaas("crash", "convert", it.folder + "/s.ips", "--to", "sarif", "--source-root", "/src/shop")
    let log = try object(outcome.output)
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let result = try #require((run["results"] as? [[String: Any]])?.first)
    #expect(result["ruleId"] as? String == "crash/trap")
    let fingerprints = try #require(result["partialFingerprints"] as? [String: String])
    #expect(fingerprints["mpaasCrashGroup/v2"] == (try it.groups().first?["id"] as? String))
    let location = try #require((result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    let artifact = try #require(location["artifactLocation"] as? [String: String])
    #expect(artifact == ["uri": "K%C3%A4se%20Cart.swift", "uriBaseId": "SRCROOT"])
    #expect((location["region"] as? [String: Int]) == ["startLine": 2])
    #expect(((result["stacks"] as? [[String: Any]])?.first?["frames"] as? [Any])?.count == 3)
  }
}
