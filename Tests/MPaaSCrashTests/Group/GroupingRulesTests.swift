import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Rules for grouping") struct GroupingRulesTests {
  @Test("an error names the line, the column and the word")
  func errors() {
    func error(_ text: String) -> GroupingRulesError? {
      do throws(GroupingRulesError) {
        _ = try GroupingRules(text)
        return nil
      } catch {
        return error
      }
    }
    #expect(
      error("# fine\nfunction:a +app\n  colour:red +app") == .init(code: .word, word: "colour:red", line: 3, column: 3))
    #expect(error("function:a") == .init(code: .incomplete, word: "function:a", line: 1, column: 1))
    #expect(error("ignore") == .init(code: .incomplete, word: "ignore", line: 1, column: 1))
    #expect(error("ignore function:") == .init(code: .incomplete, word: "function:", line: 1, column: 8))
    #expect(error("merge 1:0123456789abcdef abc") == .init(code: .group, word: "abc", line: 1, column: 26))
    #expect(error("split 1:0123456789abcdef by colour") == .init(code: .split, word: "colour", line: 1, column: 29))
    #expect(error("split 1:0123456789abcdef by frame 0")?.code == .split)
    #expect(error("ignore function:\"a b")?.code == .quote)
    #expect(error("ignore function:\"operator new\" # b\"") == nil)
  }

  @Test("the last of several rules for a frame decides, in the order of the file")
  func order() throws {
    let rules = try GroupingRules("module:a -app\nmodule:a +app").rules
    #expect(rules.map(\.action) == [.notApp, .app])
    #expect(rules.map(\.line) == [1, 2])
  }

  @Test("merges of merges lead to one group, rings too")
  func merges() throws {
    let (a, b, c) = (GroupID(hash: 1), GroupID(hash: 2), GroupID(hash: 3))
    let rules = try GroupingRules("merge \(a) \(b)\nmerge \(b) \(c)\nmerge \(c) \(a)")
    #expect(Set([a, b, c].map(rules.merged)) == [a])
  }

  @Test("no text of a rules file crashes or hangs, and edits of what can be read can be read")
  func fuzz() {
    var random = SeededRandom(seed: 8)
    let parts = [
      "ignore", "prefix", "sentinel", "merge", "split", " ", "\n", "\t", "#", "\"", "function:", "module:", "family:",
      "*",
      "+app", "-app", "by", "frame", "version", "1", "1:0123456789abcdef", "!", "é", "\r\n", "\u{0}", ":",
    ]
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      let text = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      guard (try? GroupingRules(text)) != nil else { continue }
      let id = GroupID(hash: random.next())
      let edited = GroupingRules.splitting(
        id, by: .device, in: GroupingRules.merging([id, GroupID(hash: 1)], in: text))
      #expect((try? GroupingRules(edited)) != nil, "\(text.debugDescription)")
    }
  }
}
