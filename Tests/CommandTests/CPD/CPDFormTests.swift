import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas cpd prints", .fixtures) struct CPDFormTests {
  private func planted(_ arguments: String...) throws -> Command.Outcome {
    let folder = try Fixture.path("scan/cpd/clones-swift")
    let environment = ["LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run("mpaas", ["cpd", folder] + arguments, environment: environment)
  }

  private func rows(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

  @Test("the JSON that scripts rely on, and ends with 1 where there are clones")
  func interface() throws {
    let outcome = try planted("--minimum-tokens", "100", "--types", "1,2,3", "--format", "json")
    #expect(outcome.status == 1 && outcome.errors.isEmpty)
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let clones = try #require(value?["clones"] as? [[String: Any]])
    let types = clones.compactMap { $0["type"] as? Int }
    #expect(types.count == clones.count)
    #expect([1, 2, 3].map { type in types.count { $0 == type } } == [8, 8, 7])
    for clone in clones {
      let spans = try #require(clone["spans"] as? [[String: Any]])
      #expect(spans.count >= 2 && (clone["tokens"] as? Int ?? 0) >= 100)
      for span in spans {
        let (start, end) = (try #require(span["start"] as? Int), try #require(span["end"] as? Int))
        #expect(start >= 1 && end >= start && (span["file"] as? String)?.hasSuffix(".swift") == true)
      }
    }
    #expect(try planted("--json").output == outcome.output)
  }

  @Test("only clones of the types that are wanted, and ends with 0 where there is none", arguments: ["1", "2", "3"])
  func types(type: String) throws {
    let found = try CPDSources.clones(try planted("--types", type, "--format", "json").output)
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix(type + " ") })
    let none = try planted("--types", type, "--minimum-tokens", "100000")
    #expect(none.status == 0 && none.output.hasPrefix("No clones in 12 files"))
  }

  @Test("clones with gaps as far as --gap goes")
  func gap() throws {
    #expect(try planted("--types", "3", "--gap", "0").status == 0)
    #expect(try planted("--types", "3", "--gap", "100").status == 1)
  }

  @Test("PMD's XML that is valid by its schema", .tool("xmllint"))
  func xml() throws {
    let sources = try CPDSources()
    // Names and code that XML has to spell otherwise.
    let code = "let end = \"]]>\" + \"\u{8}é&<\"\n" + CPDSources.function("one", 1)
    try sources.put("a&b'\"<c>.swift", code)
    try sources.put("d\u{1}e.swift", "let x = 1\n" + code)
    for (arguments, folder) in [([], try Fixture.path("scan/cpd/clones-swift")), (["--types", "1"], sources.path)] {
      let outcome = try Command.run("mpaas", ["cpd", folder, "--format", "xml"] + arguments)
      #expect(outcome.status == 1)
      try sources.put("report.xml", outcome.output)
      let schema = try Fixture.path("scan/cpd/cpd-report_1_0_0.xsd")
      let check = try Command.run("xmllint", ["--noout", "--schema", schema, sources.path + "/report.xml"])
      #expect(check.status == 0, "\(check.errors)")
    }
    // The fragment is the code as it stands.
    let text = try Command.run(
      "xmllint", ["--xpath", "string(//*[local-name()='codefragment'])", sources.path + "/report.xml"])
    #expect(text.output.contains("let end = \"]]>\" + \"\u{fffd}é&<\""))
  }

  @Test("SARIF that is valid by its schema", .pythonPeers)
  func sarif() throws {
    let outcome = try planted("--format", "sarif")
    #expect(outcome.status == 1)
    if let faults = try SARIFSchema.faults(in: outcome.output) { #expect(faults.isEmpty, "\(faults)") }
    let broken = outcome.output.replacing("\"version\":\"2.1.0\"", with: "\"version\":\"9\"")
    if let faults = try SARIFSchema.faults(in: broken) { #expect(!faults.isEmpty) }
  }

  @Test("a row of CSV for each place, with a title")
  func csv() throws {
    let places = try CPDSources.clones(try planted("--json").output).reduce(0) {
      $0 + $1.split(separator: " ").count - 1
    }
    let rows = rows(try planted("--format", "csv").output)
    #expect(rows.count == places + 1)
    #expect(Set(rows.map { $0.count { $0 == "," } }).count == 1, "\(rows.prefix(3))")
  }

  @Test("Markdown whose fences are closed, and HTML of one file without scripts")
  func pages() throws {
    let markdown = rows(try planted("--format", "markdown").output)
    let fences = markdown.count { $0.hasPrefix("```") }
    #expect(markdown.first == "# Copied code" && fences == 2 * 23)
    let html = try planted("--format", "html").output
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n") && html.contains("<mark>"))
    #expect(!html.contains("<script") && !html.contains("src=") && !html.contains("href="))
  }

  @Test("a file in place of standard output where one is named, and the sum beside it")
  func output() throws {
    let sources = try CPDSources()
    let outcome = try planted("--format", "xml", "--output", sources.path + "/out.xml")
    #expect(outcome.status == 1 && rows(outcome.output).count == 1)
    #expect(outcome.output.hasPrefix("23 clones in 12 files"))
    #expect(try sources.text("out.xml").hasSuffix("</pmd-cpd>\n"))
    #expect(try planted("--output", "/no/such/folder/out.txt").status == 73)
  }

  @Test("two places side by side with their differences in color, on a terminal alone")
  func terminal() throws {
    let folder = try Fixture.path("scan/cpd/clones-swift")
    let words = ["cpd", folder, "--types", "2", "--code"]
    let screen = try Pty.run("mpaas", words, environment: ["TERM": "xterm-256color", "NO_COLOR": "", "LC_ALL": "C"])
    #expect(screen.status == 1 && screen.output.contains("\u{1b}["))
    let piped = try Command.run("mpaas", words, environment: ["NO_COLOR": "", "LC_ALL": "C"])
    #expect(piped.status == 1 && !piped.output.contains("\u{1b}["))
    #expect(piped.output.contains("with other names"))
  }

  @Test("what is wrong with a call, on standard error, with a status of its own")
  func mistakes() throws {
    let cases: [([String], Int32, String)] = [
      (["--types", "4"], 64, "--types takes numbers from 1 to 3"), (["--types", ""], 64, "--types takes"),
      (["--minimum-tokens", "1"], 64, "from 10 to 1000000"), (["--gap", "-1"], 64, "--gap"),
      (["--language", "cobol"], 64, "There is no language cobol"), (["--format", "yaml"], 64, "yaml"),
      (["--between", "."], 64, "--between takes two folders"), (["missing"], 66, "missing"),
      (["--baseline", "none.json"], 66, "none.json"), (["--changed-since", "HEAD"], 66, "git repository"),
    ]
    let sources = try CPDSources(["a.swift": "let x = 1\n"])
    for (arguments, status, text) in cases {
      let outcome = try Command.run(
        "mpaas", ["cpd"] + arguments, environment: ["LC_ALL": "C", "MPAAS_LANG": "", "GIT_CEILING_DIRECTORIES": "/"],
        directory: sources.url)
      #expect(
        outcome.status == status && outcome.output.isEmpty && outcome.errors.contains(text), "\(arguments): \(outcome)")
    }
    let known = try sources.cpd("--baseline", "a.swift")
    #expect(known.status == 65 && known.errors.contains("a.swift is no list of known clones"))
    let chinese = try Command.run("mpaas", ["cpd", "--lang", "zh-Hans"], directory: sources.url)
    #expect(chinese.status == 0 && chinese.output.contains("没有"))
  }
}
