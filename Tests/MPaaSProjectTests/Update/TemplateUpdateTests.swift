import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Updating a project by its template") struct TemplateUpdateTests {
  /// A project with files, and the update from `base` to `new`.
  struct Sample {
    let folder: TemporaryFolder

    init(_ files: [String: String]) throws {
      folder = try TemporaryFolder()
      for (path, text) in files { try SampleTemplates.write(text, to: folder.url.appending(path: path)) }
    }

    func update(from base: [String: String], to new: [String: String]) throws -> ProjectChanges {
      let git = GitMerge(labels: ("yours", "base", "template"), temporary: TemporaryPlace(folder.path))
      let update = TemplateUpdate(base: try RenderedTree(base), new: try RenderedTree(new), root: folder.path) {
        (mine, base, new) throws(TemplateError) in try git.merge(mine, base, new)
      }
      let changes = try update.changes()
      try changes.apply()
      return changes
    }

    func text(_ path: String) -> String? {
      try? String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
    }
  }

  @Test("takes what only one side changed, marks what both did, and leaves removed files removed", .tool("git"))
  func sides() throws {
    let base = [
      "same": "1", "theirs": "1", "mine": "1", "both": "a\nb\nc\nd\ne\n", "clash": "1\n", "gone": "1", "dropped": "1",
      "dropped2": "1",
    ]
    let new = [
      "same": "1", "theirs": "2", "mine": "1", "both": "a\nb\nc\nd\nE\n", "clash": "2\n", "gone": "2", "added": "1",
      "taken": "1",
    ]
    let sample = try Sample([
      "same": "1", "theirs": "1", "mine": "3", "both": "A\nb\nc\nd\ne\n", "clash": "3\n", "dropped": "1",
      "dropped2": "3",
      "taken": "1", "own": "x",
    ])
    let changes = try sample.update(from: base, to: new)
    #expect(sample.text("theirs") == "2")
    #expect(sample.text("mine") == "3")
    #expect(sample.text("added") == "1")
    #expect(sample.text("both") == "A\nb\nc\nd\nE\n")
    #expect(changes.conflicts == ["clash"])
    #expect(sample.text("clash")?.contains("<<<<<<< yours") == true)
    #expect(sample.text("gone") == nil)
    #expect(sample.text("dropped") == nil)
    #expect(sample.text("dropped2") == "3")
    #expect(sample.text("own") == "x")
  }

  @Test("what is no text stays the user's, and is told as a conflict", .tool("git"))
  func binaries() throws {
    let sample = try Sample(["b": "\0mine"])
    #expect(try sample.update(from: ["b": "\0old"], to: ["b": "\0new"]).conflicts == ["b"])
    #expect(sample.text("b") == "\0mine")
  }

  @Test("of a project that nobody changed gives what is rendered now; of a template that did not change, nothing")
  func property() throws {
    var random = SeededRandom(seed: 67)
    func tree() -> [String: String] {
      var files: [String: String] = [:]
      for name in ["a", "b/c", "b/d", "e/f/g"] where Bool.random(using: &random) {
        files[name] = (0..<4).map { _ in ["x\n", "y\n", "z\n"].randomElement(using: &random) ?? "" }.joined()
      }
      return files
    }
    for _ in 0..<SeededRandom.rounds(or: 60) {
      let (base, new, mine) = (tree(), tree(), tree())
      let clean = try Sample(base)
      _ = try clean.update(from: base, to: new)
      for path in Set(base.keys).union(new.keys) { #expect(clean.text(path) == new[path], "\(base) \(new)") }
      let still = try Sample(mine)
      #expect(try still.update(from: base, to: base).isEmpty)
      // A user who did what the template does now has nothing to merge.
      let same = try Sample(new)
      #expect(try same.update(from: base, to: new).isEmpty)
    }
  }

  @Test("merging changes of different lines keeps both, whatever they are", .tool("git"))
  func merges() throws {
    var random = SeededRandom(seed: 68)
    let lines = (0..<30).map { "line \($0)" }
    for _ in 0..<SeededRandom.rounds(or: 15) {
      var (mine, new) = (lines, lines)
      let (left, right) = (Int.random(in: 0..<12, using: &random), Int.random(in: 18..<30, using: &random))
      mine[left] = "mine"
      new[right] = "theirs"
      func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
      let sample = try Sample(["f": text(mine)])
      #expect(try sample.update(from: ["f": text(lines)], to: ["f": text(new)]).conflicts.isEmpty)
      var both = mine
      both[right] = "theirs"
      #expect(sample.text("f") == text(both))
    }
  }

  @Test("a project's record is read as it was written")
  func record() throws {
    let record = ProjectRecord(
      template: "tabs", version: "1.0", source: "https://a.b/c#d",
      values: [
        "name": .text("我的 \"app\""), "objc": .flag(true), "l": .list(["a", "b"]), "empty": .list([]),
        "hotpatch_keys": .records([["key_name": "k", "key_pem": "a\nb\n"]]),
      ])
    #expect(try ProjectRecord(record.text, file: "t") == record)
    var random = SeededRandom(seed: 69)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = Array(record.text.utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? ProjectRecord(String(decoding: bytes, as: UTF8.self), file: "t")
    }
  }
}
