import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("Line by line") struct LineDiffTests {
  private func text(_ diff: LineDiff) -> String {
    diff.hunks.map { hunk in
      hunk.heading + "\n"
        + hunk.lines.map { ["same": " ", "removed": "-", "added": "+"]["\($0.kind)", default: "?"] + $0.text + "\n" }
        .joined()
    }.joined()
  }

  @Test("patch turns the old text into the new one by what is told", .tool("patch"))
  func patched() throws {
    var random = SeededRandom(seed: 3)
    for round in 0..<20 {
      let old = (0..<Int.random(in: 0...60, using: &random)).map { _ in "line \(Int.random(in: 0...9, using: &random))"
      }
      var new = old
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let place = Int.random(in: 0...new.count, using: &random)
        if Bool.random(using: &random) || place == new.count {
          new.insert("new \(round)", at: place)
        } else {
          new.remove(at: place)
        }
      }
      let (a, b) = (old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
      let folder = try TemporaryFolder()
      try Data(a.utf8).write(to: folder.url.appending(path: "f"))
      guard a != b else { continue }
      let input = "--- f\n+++ f\n" + text(LineDiff(a, b))
      let outcome = try Command.run("patch", ["-s", "-p0", "f"], input: input, directory: folder.url)
      #expect(outcome.status == 0, "\(outcome.output)\(input)")
      let written = (try? Data(contentsOf: folder.url.appending(path: "f"))) ?? Data()
      #expect(written == Data(b.utf8))
    }
  }

  @Test("texts that differ in all of many lines take no longer than others")
  func large() {
    let diff = LineDiff((0..<20_000).map { "a\($0)\n" }.joined(), (0..<20_000).map { "b\($0)\n" }.joined())
    #expect(diff.hunks.count == 1)
  }
}
