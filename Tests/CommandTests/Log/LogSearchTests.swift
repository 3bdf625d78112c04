import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas log cat, search, tail, ls, stats and pack") struct LogSearchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let levels = ["INFO", "WARN", "ERROR"]
    let lines = (0..<3000).map { number -> String in
      let (hour, minute, second) = (number / 3600, number / 60 % 60, number % 60)
      let time = String(format: "2026-01-01T%02d:%02d:%02d.000Z", hour, minute, second)
      return "\(time) \(levels[number % 3]) Tag\(number % 5) [7] order \(number) user=u\(number % 10)"
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.url.appending(path: "a.log"))
    let json = "{\"ts\":1767225600.5,\"level\":\"error\",\"logger\":\"db\",\"msg\":\"slow\",\"user\":\"u1\"}\n"
    try Data(json.utf8).write(to: folder.url.appending(path: "b.jsonl"))
  }

  private var log: String { folder.url.appending(path: "a.log").path }

  private func mpaas(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["log"] + arguments, input: input,
      environment: [
        "MPAAS_HOME": folder.url.appending(path: "home").path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "",
        "TZ": "UTC", "MPAAS_LOG_FOLDER": "",
      ])
  }

  @Test("cat merges files by time and tells each record as an object with --json")
  func cat() throws {
    let outcome = try mpaas("cat", folder.path, "--until", "2026-01-01T00:00:02Z", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let objects = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["message"] as? String } == ["order 0 user=u0", "slow", "order 1 user=u1"])
    #expect(objects.map { $0["level"] as? String } == ["INFO", "ERROR", "WARN"])
    #expect((objects[1]["fields"] as? [String: String]) == ["user": "u1"])
  }

  @Test("search finds, counts, shows what is around, and says by its status that there is nothing")
  func search() throws {
    let found = try mpaas("search", "order 1234 ", log)
    #expect(found.status == 0)
    #expect(found.output == "2026-01-01T00:20:34.000Z WARN Tag4 [7] order 1234 user=u4\n")
    #expect(try mpaas("search", "-c", "-E", "order \\d00 ", log).output == "9\n")
    let around = try mpaas("search", "-C", "1", "order 10 ", log).output
    #expect(around.split(separator: "\n").count == 3)
    #expect(try mpaas("search", "nothing like it", log).status == 1)
    #expect(try mpaas("search", "-c", "ORDER", "-i", "--level", "error", "--user", "u3", log).output == "100\n")
    let piped = try mpaas("search", "b", input: "a\nb\nc\n")
    #expect(piped.output == "b\n")
    #expect(piped.status == 0)
  }

  @Test("a line of 64 MB is searched in bounded memory", .tool("python3"))
  func longLine() throws {
    let path = folder.path + "/long.log"
    try Data(repeating: UInt8(ascii: "x"), count: 64 << 20).write(to: URL(filePath: path))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 41 << 20)
    try file.write(contentsOf: Data("needle 7".utf8))
    try file.close()
    let measure = """
      import resource, subprocess, sys
      found = subprocess.run(sys.argv[1:], capture_output=True, text=True).stdout.strip()
      print(found, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1 if sys.platform == "linux" else 1024))
      """
    let program = Command.mpaas.path
    for pattern in [["needle"], ["-i", "NEEDLE"], ["-E", "needle \\d"], ["-E", "[^x]+ \\d"]] {
      let outcome = try Command.run(
        "python3", ["-c", measure, program, "log", "search", "-c"] + pattern + [path],
        environment: ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "TZ": "UTC"])
      let words = outcome.output.split(separator: " ").compactMap {
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      #expect(words.count == 2, "\(pattern) \(outcome.output)\(outcome.errors)")
      #expect(words.first == 1, "\(pattern) \(outcome.output)\(outcome.errors)")
      #expect(words.last ?? .max < 160 << 10, "\(pattern): \(outcome.output) KB")
    }
  }

  @Test("tail tells the last records; ls and stats what there is")
  func others() throws {
    let tail = try mpaas("tail", "-n", "2", log)
    #expect(tail.output.split(separator: "\n").map { $0.hasSuffix("u8") || $0.hasSuffix("u9") } == [true, true])
    let listed = try mpaas("ls", folder.path, "--json")
    let files =
      try #require(
        try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])["files"] as? [[String: Any]]
    #expect(files?.compactMap { $0["format"] as? String } == ["text", "json"])
    let counted = try mpaas("stats", log, "--json")
    let counts = try #require(
      try JSONSerialization.jsonObject(with: Data(counted.output.utf8)) as? [String: Any])
    #expect(counts["records"] as? Int == 3000)
  }

  @Test("wrong times, expressions and files are told, each by its status")
  func refusals() throws {
    let time = try mpaas("cat", log, "--since", "soon")
    #expect(time.status == 64)
    #expect(time.errors.contains("`soon` is no time"))
    let pattern = try mpaas("search", "-E", "(", log)
    #expect(pattern.status == 64)
    #expect(try mpaas("cat", folder.path + "/nosuch.log").status == 66)
    try Data([1, 0, 2, 0, 3]).write(to: folder.url.appending(path: "c.mplog"))
    #expect(try mpaas("cat", folder.url.appending(path: "c.mplog").path).status == 65)
  }

  @Test("a file that begins with binary bytes is searched as text, and that is said")
  func binaryHead() throws {
    let file = folder.url.appending(path: "c.bin")
    try Data([0, 0, 1, 0x0a] + Array("2026-01-01T00:00:00Z INFO found\n".utf8)).write(to: file)
    let outcome = try mpaas("search", "-c", "found", file.path)
    #expect(outcome.status == 0)
    #expect(outcome.output == "1\n")
    #expect(outcome.errors.contains("c.bin"), "\(outcome.errors)")
    #expect(outcome.errors.contains("binary"), "\(outcome.errors)")
  }

  @Test("pack makes an archive with a manifest, and not over another one", .tool("unzip"))
  func pack() throws {
    let archive = folder.url.appending(path: "p.zip").path
    let outcome = try mpaas(
      "pack", log, "--since", "2026-01-01T00:10:00Z", "--until", "2026-01-01T00:11:00Z", "-o", archive, "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try Command.run("unzip", ["-p", archive, "a.log"]).output
    #expect(text.split(separator: "\n").count == 60)
    #expect(text.contains("order 600 "))
    #expect(text.contains("order 659 "))
    #expect(try mpaas("pack", log, "-o", archive).status == 73)
    #expect(try mpaas("pack", log, "-o", archive, "--force", "--until", "2025-01-01").status == 1)
  }
}
