import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas i18n") struct I18nTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write(
      "Sources/a.swift",
      #"""
      let a = NSLocalizedString("hello %@", value: "Hello %@", comment: "greeting")
      let b = String(localized: "bye", table: "Other")
      let c = NSLocalizedString(key, comment: "")
      """#)
    try write("Sources/b.m", #"x = NSLocalizedString(@"from c", nil);"#)
  }

  func write(_ name: String, _ text: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
  }

  func i18n(_ arguments: String...) throws -> Command.Outcome {
    try Command.run("mpaas", ["i18n"] + arguments, directory: folder.url)
  }

  func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("extract prints the shape that scripts rely on, and warns about dynamic keys with their lines", .fixtures)
  func extract() throws {
    for (name, ending) in [("A", "m"), ("B", "swift")] {
      let path = try Fixture.path("text/i18n_src/\(name).\(ending)")
      let found = try i18n("extract", path, "--json")
      #expect(found.status == 0 && found.errors.isEmpty)
      let document = try json(found.output)
      let entries = try #require(document["entries"] as? [[String: Any]])
      let data = try Fixture.data("text/i18n_src/\(name).expected.json")
      let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      #expect(entries.map { $0["key"] as? String } == expected.compactMap { $0["key"] as? String })
      for entry in entries {
        #expect(Set(entry.keys).isSuperset(of: ["key", "value", "comment", "table", "file", "line"]))
      }
      let dynamic = try #require(document["dynamic"] as? [[String: Any]])
      #expect(dynamic.map { $0["line"] as? Int } == expected.filter { $0["dynamic"] != nil }.map { $0["line"] as? Int })
    }
    let text = try i18n("extract", "Sources")
    #expect(text.status == 0 && text.output.contains("hello %@") && text.errors.contains("Sources/a.swift:3"))
    #expect(try i18n("extract", "nothing.txt").status == 66)
    #expect(try i18n("extract", "Sources", "--wrapper", "a b").status == 64)
  }

  @Test("extract writes tables, adds to them the next time, and loses no text that was changed in between")
  func tables() throws {
    #expect(try i18n("extract", "Sources", "--output", "en.lproj").status == 0)
    #expect(
      try read("en.lproj/Localizable.strings") == """
        /* greeting */
        "hello %@" = "Hello %@";

        /* No comment provided by engineer. */
        "from c" = "from c";

        """)
    #expect(try read("en.lproj/Other.strings").contains(#""bye" = "bye";"#))
    try write("en.lproj/Localizable.strings", "\"hello %@\" = \"Hi %@\"; // mine\n\"old\" = \"Old\";\n")
    let dry = try i18n("extract", "Sources", "--output", "en.lproj", "--dry-run")
    #expect(dry.output.contains("+\"from c\" = \"from c\";"))
    #expect(try !read("en.lproj/Localizable.strings").contains("from c"))
    #expect(try i18n("extract", "Sources", "--output", "en.lproj").status == 0)
    let merged = try read("en.lproj/Localizable.strings")
    #expect(merged.contains("\"hello %@\" = \"Hi %@\"; // mine") && merged.contains("\"from c\""))
    #expect(merged.contains("/* Stale: no source asks for this text. */\n\"old\" = \"Old\";"))
    let again = try json(try i18n("extract", "Sources", "--output", "en.lproj", "--json").output)
    #expect(again["entries"] != nil)
    #expect(try read("en.lproj/Localizable.strings") == merged)
  }

  @Test("a catalogue is made, merged, checked, counted and converted")
  func catalog() throws {
    #expect(try i18n("extract", "Sources", "--output", "Localizable.xcstrings").status == 0)
    let made = try read("Localizable.xcstrings")
    #expect(made.contains("    \"from c\" : {\n\n    },") && made.contains("\"value\" : \"Hello %@\""))
    try write("de.csv", "key,variant,comment,de\r\nhello %@,,,Hallo %d\r\nfrom c,,,Von C\r\n")
    let merged = try i18n("merge", "Localizable.xcstrings", "--with", "de.csv", "--json")
    #expect(merged.status == 0 && merged.errors.isEmpty)
    let check = try i18n("check", "Localizable.xcstrings", "--json")
    let document = try json(check.output)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(check.status == 1 && findings.map { $0["kind"] as? String } == ["specifiers"])
    #expect(findings.first?["language"] as? String == "de" && findings.first?["line"] as? Int != nil)
    let stats = try json(try i18n("stats", "Localizable.xcstrings", "--json").output)
    let rows = try #require(stats["languages"] as? [[String: Any]])
    #expect(rows.map { $0["percent"] as? Int } == [100, 100])
    #expect(try i18n("convert", "Localizable.xcstrings", "--to", "strings", "--output", "out").status == 0)
    #expect(try read("out/de.lproj/Localizable.strings").contains("\"from c\" = \"Von C\";"))
    #expect(try i18n("convert", "out", "--to", "csv").output.contains("from c,,,from c,Von C"))
    try write("out/de.lproj/Localizable.strings", "\"mine\" = \"Meins\";\n")
    let refused = try i18n("convert", "Localizable.xcstrings", "--to", "strings", "--output", "out")
    #expect(refused.status == 73 && refused.errors.contains("--force"))
  }

  @Test("merge reports what both sides changed and keeps it; check names the place; pseudo makes a language")
  func others() throws {
    try write("en.lproj/L.strings", "\"a\" = \"One\";\n\"b\" = \"Two %d\";\n")
    try write("de.lproj/L.strings", "\"a\" = \"Eins\";\n\"b\" = \"Zwei %@\";\n")
    try write("new/de.lproj/L.strings", "\"a\" = \"Ein\";\n\"c\" = \"Drei\";\n")
    let merged = try i18n("merge", "de.lproj/L.strings", "--with", "new/de.lproj/L.strings")
    #expect(merged.status == 1)
    #expect(try read("de.lproj/L.strings").contains("\"a\" = \"Eins\";"))
    #expect(try read("de.lproj/L.strings").contains("\"c\" = \"Drei\";"))
    let check = try i18n("check", "en.lproj/L.strings", "de.lproj/L.strings", "--lang", "zh-Hans")
    #expect(check.status == 1 && check.output.contains("de.lproj/L.strings:2:1: ") && check.output.contains("格式符"))
    #expect(try i18n("pseudo", "en.lproj").status == 0)
    #expect(try read("en-XA.lproj/L.strings").contains("\"b\" = \"[Ţŵö %d"))
    #expect(try i18n("pseudo", "--text", "Hello").output.hasPrefix("[Ĥéļļö"))
    #expect(try i18n("merge", "en.lproj").status == 64)
    #expect(try i18n("check", "nowhere").status == 66)
    try write("bad.xcstrings", "{\n  \"a\" 1\n}")
    let bad = try i18n("check", "bad.xcstrings")
    #expect(bad.status == 65 && bad.errors.contains("bad.xcstrings:2:7") && bad.errors.contains("i18n-catalog-syntax"))
  }
}
