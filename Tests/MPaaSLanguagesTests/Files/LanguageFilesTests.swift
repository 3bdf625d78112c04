import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The files of an app's texts") struct LanguageFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String = "") throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The paths below the folder.
  private func names(_ files: LanguageFiles) -> [String] {
    files.files.map { String($0.path.dropFirst(folder.path.count + 1)) }
  }

  // MARK: Names

  @Test(
    "are told by their endings and folders",
    arguments: [
      ("x/en.lproj/A.strings", .strings, "A", "en"), ("A.STRINGS", .strings, "A", nil),
      ("zh-Hans.lproj/A.b.stringsdict", .stringsdict, "A.b", "zh-Hans"), ("/x/A.xcstrings", .xcstrings, "A", nil),
      (".lproj/A.csv", .csv, "A", ""),
    ] as [(String, LanguageFiles.Kind, String, String?)])
  func kinds(path: String, kind: LanguageFiles.Kind, table: String, language: String?) throws {
    let file = try #require(LanguageFiles.file(path))
    #expect(file.kind == kind)
    #expect(file.table == table)
    #expect(file.language == language)
  }

  @Test("are none with other endings", arguments: ["a.txt", "strings", "a.strings.bak", "", "en.lproj", "a."])
  func others(path: String) {
    #expect(LanguageFiles.file(path) == nil)
  }

  @Test(
    "of the system are those that it asks for",
    arguments: [
      ("en.lproj/InfoPlist.strings", true), ("en.lproj/AppShortcuts.strings", true),
      ("en.lproj/Shop-InfoPlist.strings", true), ("Settings.bundle/en.lproj/Root.strings", true),
      ("en.lproj/Localizable.strings", false), ("Other.bundle/en.lproj/Root.strings", false),
    ])
  func system(path: String, isOfSystem: Bool) {
    #expect(LanguageFiles.file(path)?.isOfSystem == isOfSystem)
  }

  // MARK: Folders

  @Test("are found below a folder, hidden ones and loose tables left out")
  func walk() throws {
    for name in [
      "b/en.lproj/A.strings", "b/de.lproj/A.strings", "C.xcstrings", ".git/en.lproj/B.strings", "loose.strings",
      "rows.csv", "en.lproj/notes.txt",
    ] { try write(name) }
    let files = try LanguageFiles([folder.path + "/"])
    #expect(names(files).sorted() == ["C.xcstrings", "b/de.lproj/A.strings", "b/en.lproj/A.strings"])
  }

  @Test("that are named are taken wherever they lie")
  func named() throws {
    try write("loose.strings")
    #expect(names(try LanguageFiles([folder.path + "/loose.strings"])) == ["loose.strings"])
  }

  @Test("are not looked for behind links, which may lead back up")
  func links() throws {
    try write("en.lproj/A.strings")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "again"), withDestinationURL: folder.url)
    #expect(names(try LanguageFiles([folder.path])) == ["en.lproj/A.strings"])
  }

  @Test("are missed where there are none, and where a path is none", arguments: ["", "/a.txt"])
  func missing(name: String) throws {
    try write("a.txt")
    let path = folder.path + name
    let error = LanguageError(.noTable, ["path": path], at: .file(path))
    #expect(throws: error) { try LanguageFiles([path]) }
  }

  // MARK: The language of development

  @Test(
    "tell the language of development",
    arguments: [
      (["en", "de"], "en"), (["Base", "de"], "en"), (["de", "zh-Hans"], "zh-Hans"), (["fr", "de"], "de"), ([], "en"),
    ] as [([String], String)])
  func development(languages: [String], expected: String) throws {
    try write("C.xcstrings", "{}")
    for language in languages { try write("\(language).lproj/A.strings") }
    #expect(try LanguageFiles([folder.path]).development(nil) == expected)
    #expect(try LanguageFiles([folder.path]).development("fi") == "fi")
  }

  @Test("make one table of one name and folder, the language of development first")
  func tables() throws {
    try write("a/de.lproj/T.strings", #""k" = "zwei"; "only" = "x";"#)
    try write("a/en.lproj/T.strings", #"/* why */ "k" = "two";"#)
    try write("b/en.lproj/T.strings", #""k" = "other";"#)
    let tables = try LanguageFiles([folder.path]).tables()
    #expect(tables.map(\.name) == ["T", "T"])
    let first = try #require(tables.first { $0.key("k")?.texts["de"] != nil })
    #expect(first.keys.map(\.key) == ["k", "only"])
    #expect(first.key("k")?.comment == "why")
    #expect(first.languages == ["en", "de"])
  }
}
