import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas storage rekey") struct StorageRekeyTests {
  private static func isEncrypted(_ home: RekeyHome) throws -> Bool? {
    let outcome = try json(try mpaas("storage", "inspect", home.folder.path, "--json").output)
    return (outcome["databases"] as? [[String: Any]])?.first?["encrypted"] as? Bool
  }

  @Test("encrypts, gives another key, and makes plain again, with all rows")
  func forms() throws {
    let home = try RekeyHome(rows: 500)
    let rows = try home.content(nil)
    #expect(try Self.isEncrypted(home) == false)
    var former: String?
    for key in ["one", "made", "two", nil] {
      let outcome = try home.rekey(former, to: key)
      #expect(outcome.status == 0, "\(key ?? "plain"): \(outcome.errors)")
      #expect(try home.content(key) == rows)
      #expect(
        try home.content(former)
          == (former == nil ? "dao-key-missing" : key == nil ? "dao-not-encrypted" : "dao-key-wrong"))
      #expect(try Self.isEncrypted(home) == (key != nil))
      let bytes = try Data(contentsOf: URL(filePath: home.path))
      #expect((bytes.range(of: Data("a secret of row".utf8)) == nil) == (key != nil))
      former = key
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted()
    #expect(names == ["app.sqlite", "made", "one", "rows.xml", "two", "wrong"])
  }

  @Test("refuses a wrong key, a missing one, and options that do not go together, and changes nothing")
  func refusals() throws {
    let home = try RekeyHome(rows: 10, key: "one")
    let bytes = try Data(contentsOf: URL(filePath: home.path))
    let wrong = try home.rekey("wrong", to: "new")
    #expect(wrong.status == 77)
    #expect(wrong.errors.contains("database-key-wrong"), "\(wrong.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/new"))
    #expect(try home.rekey(nil, to: "new").errors.contains("database-key-missing"))
    #expect(try home.rekey("wrong", to: nil).errors.contains("database-key-wrong"))
    let alone = try mpaas("storage", "rekey", home.path)
    #expect(alone.status == 64 && alone.errors.contains("help: mpaas storage rekey --help"), "\(alone)")
    #expect(try mpaas("storage", "rekey", home.path, "--unencrypted").status == 64)
    #expect(try mpaas("storage", "rekey", home.path, "--unencrypted", "--new-key-file", "x").status == 64)
    #expect(try mpaas("storage", "rekey", home.path + "x", "--new-key-file", "x").status == 66)
    #expect(try Data(contentsOf: URL(filePath: home.path)) == bytes)
    #expect(try home.content("one").hasPrefix(#"{"ok":true,"result":"10 "#))
  }

  @Test("that is killed at any moment leaves all rows to each key that opens them, and the next run ends it")
  func killed() throws {
    var (former, new) = ("one", "two")
    let home = try RekeyHome(rows: 60_000, key: former)
    let rows = try home.content(former)
    var random = SeededRandom(seed: 24)
    var longest = 0.2, changing = 0
    for round in 0..<SeededRandom.rounds(or: 6) {
      let process = try home.start(
        ["storage", "rekey", home.path, "--key-file", former, "--new-key-file", new])
      let begin = Date()
      // Every other time the end comes after the header has named the new key.
      if round % 2 == 1 { while process.isRunning, !home.isChanging { usleep(100) } }
      usleep(UInt32(Double.random(in: 0...longest, using: &random) * 1e6 * (round % 2 == 1 ? 0.5 : 1)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason != .uncaughtSignal { longest = min(longest, Date().timeIntervalSince(begin)) }
      let isChanging = home.isChanging
      changing += isChanging ? 1 : 0
      let found = try [former, new].map { try home.content($0) }
      #expect(found.allSatisfy { $0 == rows || (!isChanging && $0 == "dao-key-wrong") }, "round \(round): \(found)")
      #expect(found.contains(rows), "round \(round): \(found)")
      if found[0] == rows {
        let outcome = try home.rekey(former, to: new)
        #expect(outcome.status == 0, "round \(round): \(outcome.errors)")
      }
      #expect(!home.isChanging)
      #expect(try home.content(former) == "dao-key-wrong", "round \(round)")
      #expect(try home.content(new) == rows, "round \(round)")
      swap(&former, &new)
    }
    #expect(changing > 0)
    // The keys, the document, and nothing that a killed process left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).count == 5)
  }

  @Test(
    "that encrypts or decrypts and is killed leaves a database of the one form or the other", arguments: [true, false])
  func killedConversion(_ encrypts: Bool) throws {
    let (former, new): (String?, String?) = encrypts ? (nil, "one") : ("one", nil)
    let home = try RekeyHome(rows: 60_000, key: former)
    let rows = try home.content(former)
    let original = try Data(contentsOf: URL(filePath: home.path))
    var random = SeededRandom(seed: 25)
    for round in 0..<SeededRandom.rounds(or: 4) {
      try original.write(to: URL(filePath: home.path))
      let options = RekeyHome.options(former) + (new.map { ["--new-key-file", $0] } ?? ["--unencrypted"])
      let process = try home.start(["storage", "rekey", home.path] + options)
      usleep(UInt32.random(in: 0...250_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let found = try [former, new].map { try home.content($0) }
      #expect(found.count { $0 == rows } == 1, "round \(round): \(found)")
    }
  }

  @Test("goes on while processes write and read with the former key, and loses none of their rows")
  func processes() throws {
    let home = try RekeyHome(rows: 5000, key: "one")
    let count = SeededRandom.rounds(or: 100)
    let writers = try (0..<3).map { number in
      let lines = (0..<count).map { step in
        "{\"method\":\"add\",\"args\":[\(1_000_000 * (number + 1) + step)]}\n"
          + (step % 8 == 0 ? "{\"method\":\"sum\"}\n" : "")
      }
      try Data(lines.joined().utf8).write(to: home.folder.url.appending(path: "calls\(number)"))
      return try home.start(
        ["dao", "run", "rows.xml", "--database", home.path, "--key-file", "one", "--calls", "calls\(number)"],
        output: "out\(number)")
    }
    func output(_ number: Int) throws -> String {
      try String(contentsOf: home.folder.url.appending(path: "out\(number)"), encoding: .utf8)
    }
    // Each has the database open before the key changes: for the first row, and for the first sum, which another
    // connection reads.
    for (number, writer) in writers.enumerated() {
      while writer.isRunning, try output(number).utf8.count(where: { $0 == 10 }) < 2 { usleep(500) }
    }
    let outcome = try home.rekey("one", to: "two")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for (number, writer) in writers.enumerated() {
      writer.waitUntilExit()
      let lines = try output(number).split(separator: "\n")
      #expect(lines.count == count + (count + 7) / 8)
      #expect(lines.allSatisfy { $0.hasSuffix(#""ok":true}"#) || $0.hasPrefix(#"{"ok":true"#) }, "\(lines.last ?? "")")
    }
    #expect(try home.content("two").hasPrefix(#"{"ok":true,"result":"\#(5000 + 3 * count) "#))
    #expect(try home.content("one") == "dao-key-wrong")
  }
}
