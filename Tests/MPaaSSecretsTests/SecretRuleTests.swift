import Foundation
import MPaaSSecrets
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Rules for secrets") struct SecretRuleTests {
  private func found(_ rules: String, _ text: String, path: String = "src/a.txt") throws -> [SecretFinding] {
    SecretScan(try SecretRuleFile.rules(of: rules, file: "rules.toml"), path: path).findings(
      in: Bytes(Array(text.utf8)))
  }

  @Test("of gitleaks' own file are all read, and find what they say", .fixtures)
  func gitleaks() throws {
    let text = String(decoding: try Fixture.data("scan/secrets/gitleaks.toml"), as: UTF8.self)
    let rules = try SecretRuleFile.rules(of: text, file: "gitleaks.toml")
    #expect(rules.rules.count == 222)
    let token = "gh" + "p_" + "Q7dKz0sXv4Rm2LtWc9YbHn6JpEu1AgFo3ViS"
    let findings = SecretScan(rules, path: "a.txt").findings(in: Bytes(Array("token = '\(token)'".utf8)))
    #expect(findings.contains { $0.rule == "github-pat" && $0.offset == 9 && $0.length == 40 })
    #expect(SecretScan(rules, path: "a/b.png").findings(in: Bytes(Array("'\(token)'".utf8))).isEmpty)
  }

  @Test("have groups, entropy and paths")
  func fields() throws {
    let rules = """
      [[rules]]
      id = "pair"
      regex = '''name=(\\w+) value=(\\w+)'''
      secretGroup = 2
      entropy = 2
      path = '''\\.txt$'''
      keywords = ["VALUE"]
      """
    #expect(try found(rules, "xx name=abc value=q1w2e3r4").map(\.offset) == [18])
    #expect(try found(rules, "name=abc value=aaaaaaaa").isEmpty)
    #expect(try found(rules, "name=abc value=q1w2e3r4", path: "a.md").isEmpty)
  }

  @Test("without words are searched in all text")
  func noKeywords() throws {
    let rules = "[[rules]]\nid = \"digits\"\nregex = '''[0-9]{6}'''\n"
    #expect(try found(rules, "a\0b 123456\0 654321").map(\.offset) == [4, 12])
    let long = String(repeating: "x", count: 70_000) + "123456" + String(repeating: "y", count: 70_000)
    #expect(try found(rules, long).map(\.offset) == [70_000])
  }

  @Test("let pass what an allow list names, by secret, match, line, path or word")
  func allowlists() throws {
    func rules(_ list: String) -> String {
      "[[rules]]\nid = \"r\"\nregex = '''key=(\\w+)'''\nkeywords = [\"key\"]\n[[rules.allowlists]]\n\(list)\n"
    }
    let text = "# test line\nhere key=abcd1234 end\n"
    #expect(try found(rules("regexes = ['''^nothing''']"), text).count == 1)
    #expect(try found(rules("regexes = ['''^abcd''']"), text).isEmpty)
    #expect(try found(rules("regexes = ['''^key''']\nregexTarget = \"match\""), text).isEmpty)
    #expect(try found(rules("regexes = ['''^here.*end$''']\nregexTarget = \"line\""), text).isEmpty)
    #expect(try found(rules("paths = ['''^src/''']"), text).isEmpty)
    #expect(try found(rules("stopwords = [\"BCD1\"]"), text).isEmpty)
    #expect(try found(rules("stopwords = [\"bcd1\"]\npaths = ['''other''']\ncondition = \"AND\""), text).count == 1)
  }

  @Test("that cannot be used are refused with their line")
  func refusals() throws {
    let bad = "[[rules]]\nid = \"r\"\nregex = '''(a'''\n"
    let error = try #require(throws: SecretRuleError.self) { try SecretRuleFile.rules(of: bad, file: "r.toml") }
    #expect(error.code == .expression && error.values["rule"] == "r")
    #expect(error.place == .text(file: "r.toml", line: 1, column: nil))
    let groups = ["1e300", "nan", "0.5", "'1'"].map { "[[rules]]\nid = \"r\"\nregex = 'a'\nsecretGroup = \($0)\n" }
    for text in ["[[rules]]\nregex = 'a'\n", "[[rules]]\nid = \"r\"\n", "rules = 1 2"] + groups {
      let error = try #require(throws: SecretRuleError.self) { try SecretRuleFile.rules(of: text, file: "r.toml") }
      #expect(error.code == .malformed)
    }
  }
}
