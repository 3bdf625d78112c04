import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("The difference of two texts") struct TextDiffTests {
  static func unified(_ old: String, _ new: String) -> String {
    TextDiff(from: old, to: new).unified(from: "f", to: "f").map { $0.text + "\n" }.joined()
  }

  @Test("is told as diff -u tells it")
  func form() {
    let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n"
    let new = "a\nb\nc\nd\nE\nf\ng\nh\ni\n"
    #expect(
      Self.unified(old, new)
        == "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n")
    #expect(Self.unified("a", "a\n") == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n")
    #expect(Self.unified("", "a\n") == "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n")
    #expect(Self.unified(old, old).isEmpty)
  }

  /// A text of few different lines, so that many are the same; some with other line ends, some unended.
  static func text(_ random: inout SeededRandom) -> String {
    let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      ["a", "b", "中文", "", "c\r"].randomElement(using: &random) ?? ""
    }
    return lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
  }

  @Test("gives both texts back")
  func sides() {
    var random = SeededRandom(seed: 61)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let (old, new) = (Self.text(&random), Self.text(&random))
      let lines = TextDiff(from: old, to: new).lines
      #expect(lines.filter { $0.change != .added }.map(\.text).joined() == old)
      #expect(lines.filter { $0.change != .removed }.map(\.text).joined() == new)
    }
  }

  @Test("is what git applies to get the new text", .tool("git"))
  func applied() throws {
    var random = SeededRandom(seed: 62)
    let folder = try TemporaryFolder()
    let (file, patch) = (folder.url.appending(path: "f"), folder.url.appending(path: "p"))
    for _ in 0..<SeededRandom.rounds(or: 40) {
      let (old, new) = (Self.text(&random), Self.text(&random))
      guard old != new, !old.isEmpty, !new.isEmpty else { continue }
      try Data(old.utf8).write(to: file)
      try Data(Self.unified(old, new).utf8).write(to: patch)
      let outcome = try Command.run("git", ["apply", "--whitespace=nowarn", "p"], directory: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)\(Self.unified(old, new))")
      #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == new)
    }
  }
}
