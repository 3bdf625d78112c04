import MPaaSPipelines
import Testing

@Suite("The findings in what a step prints") struct FindingReaderTests {
  static let words = FindingWords(
    severities: FindingWords.usual.severities.merging(["错误": .error, "警告": .warning]) { $1 }, places: ["at", "位置"])

  static func findings(_ text: String) -> [StepFinding] {
    var reader = FindingReader(words) { ["a.swift", "dir/b.plist", "C:x.m", "mpaas.toml"].contains($0) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { reader.take(String(line)) }
    reader.close()
    return reader.findings
  }

  @Test("have file, line, column, severity, sentence and identifier")
  func compilers() {
    let found = Self.findings(
      """
      a.swift:3:7: error: cannot find 'x' in scope
      a.swift:9: warning: unused [unused-result]
      dir/b.plist:2:1: 错误：重复的键 [plist-duplicate]
      dir/b.plist: error: not a property list
      """)
    #expect(
      found == [
        StepFinding(.error, "cannot find 'x' in scope", file: "a.swift", line: 3, column: 7),
        StepFinding(.warning, "unused", code: "unused-result", file: "a.swift", line: 9),
        StepFinding(.error, "重复的键", code: "plist-duplicate", file: "dir/b.plist", line: 2, column: 1),
        StepFinding(.error, "not a property list", file: "dir/b.plist"),
      ])
  }

  @Test("that only name a place are warnings")
  func bare() {
    #expect(
      Self.findings("a.swift:4:2: the key has no translation") == [
        StepFinding(.warning, "the key has no translation", file: "a.swift", line: 4, column: 2)
      ])
  }

  @Test("take a place from the line behind, past the details between")
  func places() {
    let found = Self.findings(
      "error: the manifest is wrong\n  because of this\n  at mpaas.toml:4:1\nhelp: mend it\nerror: alone\n")
    #expect(
      found == [
        StepFinding(.error, "the manifest is wrong", file: "mpaas.toml", line: 4, column: 1),
        StepFinding(.error, "alone"),
      ])
  }

  @Test("are not seen in times, addresses, excerpts and files that are not there")
  func others() {
    #expect(
      Self.findings("12:30:11: started\nhttp://127.0.0.1:80: up\n  12 | a.swift:1:1: error: x\nnone.c:1:1: error: x\n")
        .isEmpty)
  }

  @Test("are told once, and read through the colors of a terminal")
  func once() {
    let line = "\u{1b}[34ma.swift:1:2\u{1b}[0m: \u{1b}[1;31merror\u{1b}[0m: bad"
    #expect(
      Self.findings(line + "\n" + line + "\r\n") == [
        StepFinding(.error, "bad", file: "a.swift", line: 1, column: 2)
      ])
  }
}
