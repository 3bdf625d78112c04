import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas cpd leaves") struct CPDSelectionTests {
  private static let one = CPDSources.function("one", 1), two = CPDSources.function("two", 2)
  private static let three = CPDSources.function("three", 3)

  @Test("clones between projects alone with --between")
  func between() throws {
    let sources = try CPDSources([
      "p/a.swift": Self.one + Self.two, "p/b.swift": "let x = 1\n" + Self.two, "q/c.swift": "let y = 2\n" + Self.one,
    ])
    let all = try CPDSources.clones(try sources.cpd("p", "q", "--json").output)
    #expect(all.count == 2)
    let outcome = try sources.cpd("--between", "p", "q", "--json")
    #expect(outcome.status == 1)
    #expect(try CPDSources.clones(outcome.output) == all.filter { $0.contains("q/c.swift") })
    #expect(try sources.cpd("--between", "p", "p/b.swift").status == 0)
  }

  @Test("clones that a baseline does not know, wherever they were moved")
  func baseline() throws {
    let sources = try CPDSources(["a.swift": Self.one + Self.two, "b.swift": Self.two + Self.one])
    #expect(try sources.cpd("--write-baseline", "known.json").status == 0)
    let again = try sources.cpd("--baseline", "known.json")
    #expect(again.status == 0 && again.output.contains("known"))
    try FileManager.default.removeItem(at: sources.url.appending(path: "b.swift"))
    try sources.put("deep/moved.swift", "// moved\n\n" + Self.two + "\n" + Self.one)
    #expect(try sources.cpd("--baseline", "known.json").status == 0)
    try sources.put("c.swift", "let x = 1\n" + Self.two)
    let third = try sources.cpd("--baseline", "known.json", "--json")
    #expect(third.status == 1)
    #expect(try CPDSources.clones(third.output).count == 1)
    try sources.put("d.swift", "let y = 1\n" + Self.three)
    try sources.put("e.swift", "let z = 1\n" + Self.three)
    #expect(try CPDSources.clones(try sources.cpd("--baseline", "known.json", "--json").output).count == 2)
  }

  @Test("clones that touch lines changed since a revision", .tool("git"))
  func changed() throws {
    let sources = try CPDSources([
      "a.swift": Self.one, "b.swift": "let x = 1\n" + Self.one, "c.swift": Self.two, ".gitignore": ".home\n",
    ])
    func git(_ arguments: String...) throws {
      let name = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
      let outcome = try Command.run("git", ["-C", sources.path] + name + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try git("init", "-q")
    try git("add", ".")
    try git("commit", "-q", "-m", "first")
    #expect(try sources.cpd().status == 1)
    #expect(try sources.cpd("--changed-since", "HEAD").status == 0)
    // Another file, and lines beside the old clone.
    try sources.put("d.swift", "let z = 1\n" + Self.two)
    try sources.put("b.swift", "let x = 1\n" + Self.one + "let y = 2\n")
    let outcome = try sources.cpd("--changed-since", "HEAD", "--json")
    #expect(outcome.status == 1)
    let clones = try CPDSources.clones(outcome.output)
    #expect(clones.count == 1 && clones.first?.contains("d.swift") == true, "\(clones)")
    // A line inside of it.
    try sources.put("b.swift", "let x = 1\n" + Self.one.replacing("\n}", with: "   \n}"))
    #expect(try CPDSources.clones(try sources.cpd("--changed-since", "HEAD", "--json").output).count == 2)
    try git("add", ".")
    try git("commit", "-q", "-m", "second")
    #expect(try sources.cpd("--changed-since", "HEAD").status == 0)
    #expect(try sources.cpd("--changed-since", "HEAD~1").status == 1)
    let unknown = try sources.cpd("--changed-since", "nobody")
    #expect(unknown.status == 66 && unknown.errors.contains("nobody"))
    #expect(try sources.cpd("--changed-since", "--output=/tmp/x").status != 0)
  }

  @Test("all of them where they are no more than --max-percent of the tokens, and ends with 0")
  func percent() throws {
    let sources = try CPDSources(["a.swift": Self.one + Self.two, "b.swift": "let x = 1\n" + Self.one])
    let whole = try sources.cpd("--json")
    let value = try JSONSerialization.jsonObject(with: Data(whole.output.utf8)) as? [String: Any]
    let percent = try #require((value?["total"] as? [String: Any])?["percent"] as? Double)
    #expect(percent > 50 && percent < 90)
    #expect(try sources.cpd("--max-percent", "\(percent + 1)").status == 0)
    let over = try sources.cpd("--max-percent", "\(percent - 1)")
    #expect(over.status == 1 && over.output.contains("more than"))
    #expect(try sources.cpd("--max-percent", "0").status == 1)
    #expect(try sources.cpd("--max-percent", "100").status == 0)
  }

  @Test("out what stands between CPD-OFF and CPD-ON, in every language of one call")
  func off() throws {
    let marks = [
      "swift": ("// CPD-OFF", "// CPD-ON"), "kt": ("/* CPD-OFF */", "/* CPD-ON */"),
      "cpp": ("/* CPD-OFF", "*/ // CPD-ON"), "java": ("/** CPD-OFF */", "// CPD-ON"),
      "ts": ("// CPD-OFF", "/* CPD-ON */"),
      "lua": ("-- CPD-OFF", "--[[ CPD-ON ]]"), "xml": ("<!-- CPD-OFF -->", "<!-- CPD-ON -->"),
    ]
    let sources = try CPDSources()
    for (end, (off, on)) in marks {
      try sources.put("\(end)/a.\(end)", Self.one)
      try sources.put("\(end)/b.\(end)", "\(off)\n\(Self.one)\(on)\n")
    }
    let hidden = try sources.cpd()
    #expect(hidden.status == 0, "\(hidden.output)")
    for (end, (_, on)) in marks { try sources.put("\(end)/b.\(end)", "\(on)\n\(Self.one)\n") }
    let languages = Set(try CPDSources.clones(try sources.cpd("--json").output).map { $0.split(separator: ".").last })
    #expect(languages.count >= marks.count - 1)
  }

  @Test("files by patterns and languages, and those that git ignores or a machine wrote")
  func files() throws {
    let sources = try CPDSources([
      "a.swift": Self.one, "old/b.swift": Self.one, "build/c.swift": Self.one, ".gitignore": "build/\n",
      "d.swift": "// Code generated by a program. DO NOT EDIT.\n" + Self.one, "notes.md": Self.one,
    ])
    func names(_ arguments: String...) throws -> Int {
      let outcome = try Command.run("mpaas", ["cpd", "--json"] + arguments, directory: sources.url)
      let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      return try #require((value?["total"] as? [String: Any])?["files"] as? Int)
    }
    #expect(try names() == 2)
    #expect(try names("--exclude", "old/") == 1)
    #expect(try names("--include", "*.kt") == 0)
    #expect(try names("--language", "java") == 0)
    #expect(try names("--no-gitignore") == 3)
    #expect(try names("--generated") == 3)
    #expect(try names("--text", "*.md") == 3)
  }

  @Test("nothing to search again where no source has changed, and takes nothing old for new")
  func cache() throws {
    let sources = try CPDSources(["a.swift": Self.one, "b.swift": "let x = 1\n" + Self.one])
    let cold = try sources.cpd("--cache", "--json")
    let folder = sources.url.appending(path: ".home/cache/cpd")
    let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    #expect(try sources.cpd("--cache", "--json").output == cold.output)
    for format in ["xml", "sarif", "csv", "html", "markdown", "text"] {
      let (warm, fresh) = (try sources.cpd("--cache", "--format", format), try sources.cpd("--format", format))
      let changing = #/timestamp="[^"]*"/#
      #expect(warm.output.replacing(changing, with: "") == fresh.output.replacing(changing, with: ""))
    }
    // The same sources at another place have a report of their own paths.
    try FileManager.default.moveItem(
      at: sources.url.appending(path: "b.swift"), to: sources.url.appending(path: "c.swift"))
    #expect(try CPDSources.clones(try sources.cpd("--cache", "--json").output).first?.contains("c.swift") == true)
    // What is kept, and damaged, is searched anew.
    for damage in ["{", "{\"sources\":[[9,1,1,1,-1,0,0]],\"clones\":[],\"unread\":[],\"generated\":[]}", ""] {
      try Data(damage.utf8).write(to: folder.appending(path: kept))
      #expect(try sources.cpd("--cache").status == 1)
    }
    try sources.put("c.swift", "let x = 1\n")
    #expect(try sources.cpd("--cache").status == 0)
  }
}
