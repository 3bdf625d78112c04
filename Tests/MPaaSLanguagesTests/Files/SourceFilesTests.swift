import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The sources of an app") struct SourceFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String = "") throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func names(_ files: SourceFiles) -> [String] {
    files.paths.map { String($0.dropFirst(folder.path.count + 1)) }.sorted()
  }

  @Test(
    "are told by their endings",
    arguments: [
      ("a.swift", .swift), ("A.SWIFT", .swift), ("x/a.swiftinterface", .swift), ("a.m", .c), ("a.mm", .c), ("a.h", .c),
      ("a.cpp", .c), ("a.b.c", .c), ("a", nil), ("a.txt", nil), ("a.swift/b", nil), ("", nil), (".", nil),
    ] as [(String, SourceLanguage?)])
  func languages(path: String, language: SourceLanguage?) {
    #expect(SourceLanguage(path: path) == language)
  }

  @Test("are found below a folder, hidden ones and those that are passed over left out")
  func walk() throws {
    for name in ["a.swift", "x/b.m", "x/c.txt", ".build/d.swift", "Pods/e.swift", "x/Pods/f.swift", "x/g.swift"] {
      try write(name)
    }
    let files = try SourceFiles([folder.path + "/"], excluding: ["Pods", "g.swift"])
    #expect(names(files) == ["a.swift", "x/b.m"])
  }

  @Test("that are named are taken though they would be passed over")
  func named() throws {
    try write("Pods/e.swift")
    let files = try SourceFiles([folder.path + "/Pods/e.swift"], excluding: ["Pods", "e.swift"])
    #expect(names(files) == ["Pods/e.swift"])
  }

  @Test("are not looked for behind links")
  func links() throws {
    try write("a.swift")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "again"), withDestinationURL: folder.url)
    #expect(names(try SourceFiles([folder.path])) == ["a.swift"])
  }

  @Test("are none where a path is no source")
  func noSource() throws {
    try write("a.txt")
    let path = folder.path + "/a.txt"
    #expect(throws: LanguageError(.noSource, ["path": path], at: .file(path))) { try SourceFiles([path]) }
  }

  @Test("ask for their texts file by file, in each language as it does")
  func texts() throws {
    try write("a.swift", "let a = NSLocalizedString(\"one\", comment: \"c\")\n")
    try write("b.m", "NSString *b = NSLocalizedString(@\"two\", nil);\n")
    let texts = try SourceFiles([folder.path + "/a.swift", folder.path + "/b.m"]).texts(ExtractionOptions())
    #expect(texts.texts.map(\.key) == ["one", "two"])
    #expect(texts.texts.map { $0.file.hasSuffix(".m") } == [false, true])
  }
}
