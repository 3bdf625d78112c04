import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas kv") struct KVCommandTests {
  static let lines = """
    {"business":"b","key":"text","value":"é"}
    {"business":"b","key":"number","value":3}
    {"key":"yes","value":true}
    {"key":"half","value":0.5}
    {"key":"list","value":[1,{"a":null}]}
    {"key":"bytes","value":{"$data":"AAH/"}}
    {"key":"gone","value":1}
    {"key":"gone","value":null}

    """

  @Test("imports JSON lines and dumps them, encrypted or not", arguments: [false, true])
  func importAndDump(_ isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv", keyFile = folder.path + "/key"
    try Data(repeating: 7, count: 32).write(to: URL(filePath: keyFile))
    try Data(Self.lines.utf8).write(to: folder.url.appending(path: "lines"))
    let key = isEncrypted ? ["--key-file", keyFile] : []
    let imported = try mpaas(["kv", "import", file, folder.path + "/lines", "--json"] + key)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try json(imported.output)["written"] as? Int == 7)
    let dump = try mpaas(["kv", "dump", file, "--json"] + key)
    #expect(
      dump.output == """
        {"business":"","key":"bytes","value":{"$data":"AAH/"}}
        {"business":"","key":"half","value":0.5}
        {"business":"","key":"list","value":[1,{"a":null}]}
        {"business":"","key":"yes","value":true}
        {"business":"b","key":"number","value":3}
        {"business":"b","key":"text","value":"é"}

        """)
    #expect(try mpaas(["kv", "verify", file] + key).status == 0)
    if isEncrypted {
      let refused = try mpaas(["kv", "dump", file])
      #expect(refused.status == 77)
      #expect(refused.errors.contains("--key-file"))
    }
  }

  @Test("sets, gets and deletes single values, and says so where there is none")
  func single() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv"
    #expect(try mpaas(["kv", "set", file, "k", "5", "--type", "integer", "--business", "b"]).status == 0)
    #expect(try mpaas(["kv", "get", file, "k", "--business", "b"]).output == "5\n")
    let missing = try mpaas(["kv", "get", file, "k", "--json"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("kv-key-absent"))
    #expect(try mpaas(["kv", "set", file, "k", "x", "--type", "integer"]).status == 64)
    #expect(try mpaas(["kv", "delete", file, "%", "--like", "--business", "b"]).status == 0)
    #expect(try mpaas(["kv", "dump", file]).output.isEmpty)
    #expect(try mpaas(["kv", "get", folder.path + "/none", "k"]).status == 66)
  }

  @Test("finds damage, compacts, and encrypts with another key")
  func maintenance() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv", key = folder.path + "/key"
    try Data(Self.lines.utf8).write(to: folder.url.appending(path: "lines"))
    _ = try mpaas(["kv", "import", file, folder.path + "/lines"])
    #expect(try mpaas(["kv", "compact", file]).status == 0)
    #expect(try mpaas(["kv", "rekey", file]).status == 64)
    #expect(try mpaas(["kv", "rekey", file, "--new-key-file", key]).status == 0)
    #expect(try mpaas(["kv", "get", file, "text", "--business", "b", "--key-file", key]).output == "é\n")
    #expect(try mpaas(["kv", "rekey", file, "--key-file", key, "--unencrypted"]).status == 0)
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes[4096 + 20] ^= 1
    try bytes.write(to: URL(filePath: file))
    let damaged = try mpaas(["kv", "verify", file, "--json"])
    #expect(damaged.status == 1)
    #expect(try json(damaged.output)["damages"] as? Int == 1)
    #expect(try mpaas(["kv", "dump", file]).output.split(separator: "\n").count == 5)
  }

  @Test("names the line that is no record")
  func malformed() throws {
    let folder = try TemporaryFolder()
    try Data("{\"key\":\"a\",\"value\":1}\nnonsense\n".utf8).write(to: folder.url.appending(path: "lines"))
    let refused = try mpaas(["kv", "import", folder.path + "/s", folder.path + "/lines"])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("lines:2"))
  }

  @Test("imports settings and Realm's objects, and refuses options that do not go together")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv", plist = folder.path + "/app.plist", realm = folder.path + "/realm.json"
    try Data("<plist><dict><key>n</key><integer>3</integer><key>b</key><true/></dict></plist>".utf8)
      .write(to: URL(filePath: plist))
    try Data(#"{"Dog":[{"_id":1,"name":"Rex"}]}"#.utf8).write(to: URL(filePath: realm))
    let settings = try mpaas(["kv", "import", file, plist, "--from", "defaults", "--business", "app", "--json"])
    #expect(settings.status == 0, "\(settings.errors)")
    #expect(try json(settings.output)["written"] as? Int == 2)
    #expect(try mpaas(["kv", "import", file, realm, "--from", "realm-json"]).status == 0)
    #expect(
      try mpaas(["kv", "dump", file, "--json"]).output == """
        {"business":"Dog","key":"1","value":{"_id":1,"name":"Rex"}}
        {"business":"app","key":"b","value":true}
        {"business":"app","key":"n","value":3}

        """)
    for words in [
      ["--acknowledge", "--from", "defaults"], ["--business", "b"], ["--unchecked"],
      ["--from", "defaults", "--unchecked"],
      ["--from", "mmkv", "--primary-key", "a"], ["--from", "realm-json", "--kinds", plist],
    ] {
      #expect(try mpaas(["kv", "import", file, plist] + words).status == 64)
    }
  }

  @Test("imports nothing of a file of MMKV that is damaged or has no file of checksums")
  func damagedForeign() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv", source = folder.path + "/mmkv.default"
    // The content: a number without meaning, and the key a with the text b.
    try Data([0, 0, 0, 0, 0xff, 0x07, 1, 0x61, 2, 1, 0x62]).write(to: URL(filePath: source))
    let missing = try mpaas(["kv", "import", file, source, "--from", "mmkv"])
    #expect(missing.status == 66)
    #expect(missing.errors.contains("mmkv.default.crc"))
    var meta = Data(count: 112)
    (meta[4], meta[28]) = (4, 7)
    try meta.write(to: URL(filePath: source + ".crc"))
    let damaged = try mpaas(["kv", "import", file, source, "--from", "mmkv", "--json"])
    #expect(damaged.status == 65)
    #expect(damaged.errors.contains("mmkv-checksum"))
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try mpaas(["kv", "import", file, source, "--from", "mmkv", "--unchecked"]).status == 0)
    #expect(try mpaas(["kv", "get", file, "a"]).output == "b\n")
  }

  @Test("loses nothing that it acknowledged when it is killed", arguments: ["", "--exclusive"])
  func kill(_ flag: String) throws {
    let folder = try TemporaryFolder()
    let lines = (1...20_000).map { "{\"key\":\"\($0)\",\"value\":\"\(String(repeating: "v", count: $0 % 50))\"}\n" }
    try Data(lines.joined().utf8).write(to: folder.url.appending(path: "lines"))
    var random = SeededRandom(seed: 11)
    for round in 0..<SeededRandom.rounds(or: 8) {
      let file = folder.path + "/\(round).mpkv", output = folder.url.appending(path: "\(round).out")
      try Data().write(to: output)
      let process = Process()
      process.executableURL = Command.mpaas
      process.arguments =
        ["kv", "import", file, folder.path + "/lines", "--acknowledge"] + (flag.isEmpty ? [] : [flag])
      process.standardOutput = try FileHandle(forWritingTo: output)
      try withNoSignalsBlocked { try process.run() }
      let wanted = Int.random(in: 1...60_000, using: &random)
      while process.isRunning, try Data(contentsOf: output).count < wanted { usleep(200) }
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
      let acknowledged = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count
      let dump = try mpaas(["kv", "dump", file, "--json"]).output.split(separator: "\n")
      let keys = Set(try dump.map { try json(String($0))["key"] as? String })
      #expect(keys.count >= acknowledged)
      for number in stride(from: 1, through: acknowledged, by: 1) { #expect(keys.contains("\(number)")) }
      #expect(try mpaas(["kv", "verify", file]).status == 0)
      #expect(try mpaas(["kv", "set", file, "after", "1"]).status == 0)
    }
  }

  @Test("loses nothing of what four processes write at once")
  func processes() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/s.mpkv"
    let count = SeededRandom.rounds(or: 1000)
    let processes = try (0..<4).map { number in
      let lines = (0..<count).map { "{\"business\":\"\(number)\",\"key\":\"\($0)\",\"value\":\($0)}\n" }
      try Data(lines.joined().utf8).write(to: folder.url.appending(path: "\(number)"))
      let process = Process()
      process.executableURL = Command.mpaas
      process.arguments = ["kv", "import", file, folder.path + "/\(number)", "--acknowledge"]
      process.standardOutput = FileHandle.nullDevice
      try withNoSignalsBlocked { try process.run() }
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try mpaas(["kv", "dump", file]).output.split(separator: "\n").count == 4 * count)
    #expect(try mpaas(["kv", "verify", file]).status == 0)
  }
}

@Suite("mpaas cache") struct CacheCommandTests {
  @Test("counts the hits of a trace")
  func replay() throws {
    let folder = try TemporaryFolder()
    try Data("a\nb\n*\na\n\nc\na\n".utf8).write(to: folder.url.appending(path: "trace"))
    let outcome = try mpaas(
      ["cache", "replay", folder.path + "/trace", "--policy", "lru", "--capacity", "2", "--json"])
    let hits = try json(outcome.output)
    #expect(hits["requests"] as? Int == 5)
    #expect(hits["hits"] as? Int == 2)
    #expect(try mpaas(["cache", "replay", folder.path + "/trace", "--capacity", "0"]).status == 64)
    #expect(try mpaas(["cache", "replay", folder.path + "/trace", "--policy", "x", "--capacity", "1"]).status == 64)
  }
}
