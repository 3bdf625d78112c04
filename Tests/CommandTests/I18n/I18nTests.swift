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

  /// A folder with a table of `count` keys, of which the sources ask for all but the last ones.
  private func pruned(_ count: Int, unused: Int, source: String = "") throws -> (path: String, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let texts = (0..<count).map { "\"key \($0)\" = \"text \($0)\";\n" }.joined()
    let calls = (0..<(count - unused)).map { "_ = NSLocalizedString(\"key \($0)\", comment: \"\")\n" }.joined()
    let table = folder.url.appending(path: "de.lproj")
    try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
    try Data(texts.utf8).write(to: table.appending(path: "Localizable.strings"))
    try Data((calls + source).utf8).write(to: folder.url.appending(path: "a.swift"))
    return (table.path + "/Localizable.strings", folder)
  }

  private func merge(_ table: String, _ folder: TemporaryFolder, _ more: String...) throws -> Command.Outcome {
    try i18n(["merge", table, "--from", folder.path + "/a.swift"] + more)
  }

  private func i18n(_ arguments: [String]) throws -> Command.Outcome { try Command.run("mpaas", ["i18n"] + arguments) }

  @Test("prune removes only what an earlier merge marked, and at most a tenth unless more is permitted")
  func prune() throws {
    let (table, folder) = try pruned(40, unused: 3)
    func has(_ number: Int) throws -> Bool {
      try String(contentsOfFile: table, encoding: .utf8).contains("\"key \(number)\"")
    }
    #expect(try merge(table, folder, "--prune").status == 0)
    #expect(try has(37))
    #expect(try has(39))
    #expect(try merge(table, folder, "--prune").status == 0)
    #expect(try has(36))
    #expect(try !has(37))
    #expect(try !has(39))
    let (many, other) = try pruned(40, unused: 5)
    #expect(try merge(many, other).status == 0)
    let before = try Data(contentsOf: URL(filePath: many))
    let refused = try merge(many, other, "--prune")
    #expect(refused.status == 77, "\(refused.errors)")
    #expect(refused.errors.contains("5 of 40 keys"), "\(refused.errors)")
    #expect(try Data(contentsOf: URL(filePath: many)) == before)
    #expect(try merge(many, other, "--prune", "--prune-limit", "13").status == 0)
    #expect(try Data(contentsOf: URL(filePath: many)) != before)
  }

  @Test("prune is refused while keys are dynamic, and while SwiftUI is imported and not looked at")
  func pruneUncertain() throws {
    let (table, folder) = try pruned(40, unused: 1, source: "_ = NSLocalizedString(name, comment: \"\")\n")
    let before = try Data(contentsOf: URL(filePath: table))
    let dynamic = try merge(table, folder, "--prune")
    #expect(dynamic.status == 77, "\(dynamic.errors)")
    #expect(dynamic.errors.contains("a.swift:40"), "\(dynamic.errors)")
    #expect(try Data(contentsOf: URL(filePath: table)) == before)
    let (other, views) = try pruned(40, unused: 1, source: "@preconcurrency import SwiftUI\nlet a = Text(\"key 39\")\n")
    #expect(try merge(other, views, "--no-swiftui", "--prune").status == 77)
    #expect(try merge(other, views, "--prune").status == 0)
    #expect(try !String(contentsOfFile: other, encoding: .utf8).contains("Stale"))
  }

  @Test("tables that the system asks for are left as they are", arguments: ["InfoPlist", "Watch-InfoPlist"])
  func systemTables(name: String) throws {
    let (_, folder) = try pruned(4, unused: 0)
    let table = folder.path + "/de.lproj/\(name).strings"
    try Data("\"CFBundleName\" = \"Laden\";\n".utf8).write(to: URL(filePath: table))
    #expect(try merge(table, folder).status == 0)
    #expect(try String(contentsOfFile: table, encoding: .utf8) == "\"CFBundleName\" = \"Laden\";\n")
    let settings = folder.path + "/Settings.bundle/de.lproj"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try Data("\"Name\" = \"Name\";\n".utf8).write(to: URL(filePath: settings + "/Root.strings"))
    #expect(try merge(settings + "/Root.strings", folder, "--prune").status == 0)
    #expect(try String(contentsOfFile: settings + "/Root.strings", encoding: .utf8) == "\"Name\" = \"Name\";\n")
  }

  @Test("extract prints the shape that scripts rely on, and warns about dynamic keys with their lines", .fixtures)
  func extract() throws {
    for (name, ending) in [("A", "m"), ("B", "swift")] {
      let path = try Fixture.path("text/i18n_src/\(name).\(ending)")
      let found = try i18n("extract", path, "--json")
      #expect(found.status == 0)
      #expect(found.errors.isEmpty)
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
    #expect(text.status == 0)
    #expect(text.output.contains("hello %@"))
    #expect(text.errors.contains("Sources/a.swift:3"))
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
    #expect(merged.contains("\"hello %@\" = \"Hi %@\"; // mine"))
    #expect(merged.contains("\"from c\""))
    #expect(merged.contains("/* Stale: no source asks for this text. */\n\"old\" = \"Old\";"))
    let again = try json(try i18n("extract", "Sources", "--output", "en.lproj", "--json").output)
    #expect(again["entries"] != nil)
    #expect(try read("en.lproj/Localizable.strings") == merged)
  }

  @Test("a catalogue is made, merged, checked, counted and converted")
  func catalog() throws {
    #expect(try i18n("extract", "Sources", "--output", "Localizable.xcstrings").status == 0)
    let made = try read("Localizable.xcstrings")
    #expect(made.contains("    \"from c\" : {\n\n    },"))
    #expect(made.contains("\"value\" : \"Hello %@\""))
    try write("de.csv", "key,variant,comment,de\r\nhello %@,,,Hallo %d\r\nfrom c,,,Von C\r\n")
    let merged = try i18n("merge", "Localizable.xcstrings", "--with", "de.csv", "--json")
    #expect(merged.status == 0)
    #expect(merged.errors.isEmpty)
    let check = try i18n("check", "Localizable.xcstrings", "--json")
    let document = try json(check.output)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(check.status == 1)
    #expect(findings.map { $0["kind"] as? String } == ["specifiers"])
    #expect(findings.first?["language"] as? String == "de")
    #expect(findings.first?["line"] as? Int != nil)
    let stats = try json(try i18n("stats", "Localizable.xcstrings", "--json").output)
    let rows = try #require(stats["languages"] as? [[String: Any]])
    #expect(rows.map { $0["percent"] as? Int } == [100, 100])
    #expect(try i18n("convert", "Localizable.xcstrings", "--to", "strings", "--output", "out").status == 0)
    #expect(try read("out/de.lproj/Localizable.strings").contains("\"from c\" = \"Von C\";"))
    #expect(try i18n("convert", "out", "--to", "csv").output.contains("from c,,,from c,Von C"))
    try write("out/de.lproj/Localizable.strings", "\"mine\" = \"Meins\";\n")
    let refused = try i18n("convert", "Localizable.xcstrings", "--to", "strings", "--output", "out")
    #expect(refused.status == 73)
    #expect(refused.errors.contains("--force"))
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
    #expect(check.status == 1)
    #expect(check.output.contains("de.lproj/L.strings:2:1: "))
    #expect(check.output.contains("格式符"))
    #expect(try i18n("pseudo", "en.lproj").status == 0)
    #expect(try read("en-XA.lproj/L.strings").contains("\"b\" = \"[Ţŵö %d"))
    #expect(try i18n("pseudo", "--text", "Hello").output.hasPrefix("[Ĥéļļö"))
    #expect(try i18n("merge", "en.lproj").status == 64)
    #expect(try i18n("check", "nowhere").status == 66)
    try write("bad.xcstrings", "{\n  \"a\" 1\n}")
    let bad = try i18n("check", "bad.xcstrings")
    #expect(bad.status == 65)
    #expect(bad.errors.contains("bad.xcstrings:2:7"))
    #expect(bad.errors.contains("i18n-catalog-syntax"))
  }
}
