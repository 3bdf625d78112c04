import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Merging what sources ask for") struct SourceMergeTests {
  private static func strings(_ text: String) throws -> StringsFile {
    try StringsFile(Array(text.utf8), file: "a.strings")
  }

  private static func merge(_ source: String, table: String = "Localizable") -> SourceMerge {
    SourceMerge(extracted(source).texts, table: table)
  }

  private static let stale = "/* Stale: no source asks for this text. */\n\"gone\" = \"Weg\";\n"

  @Test("takes each key once, with the comments of all that ask for it, and the first value")
  func joined() {
    let merge = Self.merge(
      """
      NSLocalizedString("k", comment: "one"); NSLocalizedString("k", value: "V", comment: "two")
      NSLocalizedString("k", value: "W", comment: "one"); NSLocalizedString("k", comment: "")
      """)
    #expect(merge.texts.map(\.key) == ["k"])
    #expect(merge.texts.first?.comment == "one\ntwo")
    #expect(merge.texts.first?.value == "V")
  }

  @Test("takes those of its table alone")
  func table() {
    let source = #"NSLocalizedString("a", tableName: "T", comment: ""); NSLocalizedString("b", comment: "")"#
    #expect(Self.merge(source, table: "T").texts.map(\.key) == ["a"])
    #expect(Self.merge(source).texts.map(\.key) == ["b"])
    #expect(Self.merge(source, table: "U").texts.isEmpty)
  }

  @Test("marks first, and removes only what an earlier merge marked, where it is to")
  func removal() throws {
    var merge = Self.merge("")
    let file = try Self.strings(Self.stale + "\n\"now\" = \"Jetzt\";\n")
    let kept = merge.edits(of: file)
    #expect(kept.summary.stale == ["now"])
    #expect(kept.summary.removed.isEmpty)
    merge.removesStale = true
    let (edits, summary) = merge.edits(of: file)
    #expect(summary.removed == ["gone"])
    let merged = try Self.strings(String(decoding: try file.bytes(edits), as: UTF8.self))
    #expect(merged.entries.map(\.key) == ["now"])
    #expect(merged.entries.map(\.isStale) == [true])
  }

  @Test("leaves what the system asks for")
  func ofSystem() throws {
    var merge = Self.merge("")
    merge.leavesUnknown = true
    merge.removesStale = true
    #expect(merge.edits(of: try Self.strings(Self.stale + "\"now\";\n")).edits.isEmpty)
  }

  @Test("adds no key that another file of the table has")
  func known() throws {
    var merge = Self.merge(#"NSLocalizedString("apples", comment: ""); NSLocalizedString("pears", comment: "")"#)
    merge.known = ["apples"]
    #expect(merge.edits(of: try Self.strings("")).summary.added == ["pears"])
  }

  @Test("puts a comment where there is none, and leaves the words of people")
  func comments() throws {
    let merge = Self.merge(
      #"""
      NSLocalizedString("a", comment: "from source"); NSLocalizedString("b", comment: "from source")
      NSLocalizedString("c", comment: "from source"); NSLocalizedString("d", comment: "")
      """#)
    let file = try Self.strings(
      "/* own words */\n\"a\";\n\n\"b\";\n\n/* \(StringsFile.noComment) */\n\"c\";\n\n/* own */\n\"d\";\n")
    let (edits, summary) = merge.edits(of: file)
    #expect(summary.commented == ["b", "c"])
    let merged = try Self.strings(String(decoding: try file.bytes(edits), as: UTF8.self))
    #expect(merged.entries.map(\.comment) == ["own words", "from source", "from source", "own"])
  }

  @Test("takes the mark of a new text away once it is another than the original, and not before")
  func translated() throws {
    let merge = Self.merge(#"NSLocalizedString("a", value: "Hello", comment: "")"#)
    func edits(_ value: String) throws -> Int {
      let text = "/* New: not translated yet. */\n\"a\" = \"\(value)\";\n"
      return merge.edits(of: try Self.strings(text), original: ["a": "Hello"]).edits.count
    }
    #expect(try edits("Hello") == 0)
    #expect(try edits("a") == 0)
    #expect(try edits("Hallo") == 1)
  }
}

@Suite("Merging into all files") struct MergedFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func put(_ text: String, _ name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func refusal(_ sources: SourceTexts, mostRemoved: Int = 10) throws -> String? {
    var merge = LanguageMerge()
    merge.removesStale = true
    merge.mostRemoved = mostRemoved
    do {
      _ = try merge.merge(sources, into: LanguageFiles([folder.path]))
      return nil
    } catch let error as LanguageError {
      return error.diagnostic.id.name
    }
  }

  @Test("removes nothing while sources may ask for keys that are not known")
  func certainty() throws {
    try put("/* Stale: no source asks for this text. */\n\"gone\" = \"Weg\";\n", "en.lproj/A.strings")
    #expect(try refusal(extracted("NSLocalizedString(key, comment: \"\")")) == "i18n-prune-dynamic")
    var sources = SourceTexts()
    sources.withoutSwiftUI = "View.swift"
    #expect(try refusal(sources) == "i18n-prune-swiftui")
  }

  @Test("removes no more of a file at once than is likely to be meant")
  func share() throws {
    let kept = (0..<9).map { "\"k\($0)\" = \"\($0)\";\n" }.joined()
    try put("/* Stale: no source asks for this text. */\n\"gone\" = \"Weg\";\n" + kept, "en.lproj/A.strings")
    let asks = (0..<9).map { "NSLocalizedString(\"k\($0)\", tableName: \"A\", comment: \"\")" }.joined(separator: "\n")
    #expect(try refusal(extracted(asks)) == nil)
    #expect(try refusal(extracted(asks), mostRemoved: 9) == "i18n-prune-share")
  }

  @Test("writes only files that have changed, and makes their folders")
  func writing() throws {
    let same = LanguageFileChange(path: folder.path + "/same.strings", old: [1], new: [1])
    let made = LanguageFileChange(path: folder.path + "/new/de.lproj/A.strings", old: nil, new: Array("\"a\";\n".utf8))
    try [same, made].write()
    #expect(!FileManager.default.fileExists(atPath: same.path))
    #expect(try Bytes.mapping(made.path).array == made.new)
    #expect(same.diff.isEmpty)
    #expect(made.diff.contains { "\($0)".contains("a") })
  }

  @Test("makes a file of the language of development that is not there", arguments: ["T.strings", "T.xcstrings"])
  func newFile(name: String) throws {
    let path = folder.path + "/" + name
    let sources = extracted(#"NSLocalizedString("k", tableName: "T", value: "V", comment: "c")"#)
    let change = try LanguageMerge().merge(sources, intoFile: path, language: "en")
    #expect(change.old == nil)
    #expect(change.summary.added == ["k"])
    try [change].write()
    let again = try LanguageMerge().merge(sources, intoFile: path, language: "en")
    #expect(!again.isChanged)
  }

  @Test("is refused for a file of another kind")
  func otherKind() {
    #expect(throws: LanguageError.self) {
      try LanguageMerge().merge(SourceTexts(), intoFile: folder.path + "/a.txt", language: "en")
    }
  }

  @Test("adds to a .strings file no key of the .stringsdict beside it")
  func dictionary() throws {
    let entries: [(key: String, text: LocalizedText)] = [
      (
        "apples",
        LocalizedText([.init([.plural("one")], "an apple"), .init([.plural("other")], "%d apples")], .translated)
      )
    ]
    let bytes = try StringsDictionary.bytes(entries, file: "a")
    try put(String(decoding: bytes, as: UTF8.self), "en.lproj/A.stringsdict")
    try put("", "en.lproj/A.strings")
    let asks = extracted(
      #"NSLocalizedString("apples", tableName: "A", comment: ""); NSLocalizedString("x", tableName: "A", comment: "")"#)
    let changes = try LanguageMerge().merge(asks, into: LanguageFiles([folder.path]))
    #expect(changes.flatMap(\.summary.added) == ["x"])
  }
}
