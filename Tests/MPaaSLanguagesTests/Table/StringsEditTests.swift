import MPaaSLanguages
import MPaaSSupport
import Testing

@Suite("Edits of a .strings file") struct StringsEditTests {
  private static func edited(_ text: String, _ edits: StringsEdit...) throws -> String {
    let file = try StringsFile(Array(text.utf8), file: "a.strings")
    return String(decoding: try file.bytes(edits), as: UTF8.self)
  }

  @Test("change a value and leave every other byte, comments and blanks around it too")
  func value() throws {
    #expect(
      try Self.edited("// a\n  \"k\"  =  \"old\" /* why */ ;\t// end\n", .setValue("new", ofEntry: 0))
        == "// a\n  \"k\"  =  \"new\" /* why */ ;\t// end\n")
  }

  @Test("give a key that is its own text a value behind it")
  func short() throws {
    #expect(try Self.edited("\"Cancel\";\nOK;\n", .setValue("Ja", ofEntry: 1)) == "\"Cancel\";\nOK = \"Ja\";\n")
  }

  @Test(
    "write what a quoted text cannot hold as escapes, and it is read back", arguments: ["\"", "\\", "a\nb", "\t", "价"])
  func escapes(value: String) throws {
    let text = try Self.edited("\"k\" = \"v\";\n", .setValue(value, ofEntry: 0))
    #expect(try StringsFile(Array(text.utf8), file: "a").entries.map(\.value) == [value])
  }

  @Test("of several entries at once go by the entries as they were")
  func several() throws {
    let text = "\"a\" = \"1\";\n\"b\" = \"2\";\n\"c\" = \"3\";\n"
    let edits: [StringsEdit] = [.setValue("III", ofEntry: 2), .remove(entry: 1), .setValue("I", ofEntry: 0)]
    let file = try StringsFile(Array(text.utf8), file: "a")
    #expect(String(decoding: try file.bytes(edits), as: UTF8.self) == "\"a\" = \"I\";\n\"c\" = \"III\";\n")
  }

  @Test(
    "mark an entry on a line of its own, and take exactly that away again",
    arguments: [StringsComment.Mark.new, .stale])
  func marks(mark: StringsComment.Mark) throws {
    let text = "/* words */\n\"k\" = \"v\";\n"
    let marked = try Self.edited(text, .mark(mark, entry: 0))
    #expect(marked == "/* words */\n/* \(mark.rawValue) */\n\"k\" = \"v\";\n")
    let entry = try #require(try StringsFile(Array(marked.utf8), file: "a").entries.first)
    #expect(entry.comment == "words")
    #expect(entry.isNew == (mark == .new))
    #expect(entry.isStale == (mark == .stale))
    #expect(try Self.edited(marked, .unmark(mark, entry: 0)) == text)
  }

  @Test("put a comment in the place of the old one, and above an entry that had none")
  func comments() throws {
    #expect(try Self.edited("/* old */\n\"k\" = \"v\";\n", .comment("new", entry: 0)) == "/* new */\n\"k\" = \"v\";\n")
    #expect(try Self.edited("\"k\" = \"v\";\n", .comment("new", entry: 0)) == "/* new */\n\"k\" = \"v\";\n")
  }

  @Test("write a comment so that nothing in it ends it")
  func hostileComment() throws {
    let text = try Self.edited("\"k\" = \"v\";\n", .comment("a */ \"x\" = \"y\"; /* b", entry: 0))
    let entries = try StringsFile(Array(text.utf8), file: "a").entries
    #expect(entries.map(\.key) == ["k"])
    #expect(entries.first?.comment?.hasPrefix("a * / ") == true)
  }

  @Test("remove an entry with its comments and one empty line, and leave those of the next")
  func removal() throws {
    let text = "/* a */\n\"a\" = \"1\";\n\n/* b */\n// more\n\"b\" = \"2\"; // end\n\n/* c */\n\"c\" = \"3\";\n"
    #expect(try Self.edited(text, .remove(entry: 0)).hasPrefix("/* b */\n// more\n\"b\""))
    let without = try Self.edited(text, .remove(entry: 1))
    #expect(without.hasPrefix("/* a */\n\"a\" = \"1\";\n\n"))
    #expect(without.hasSuffix("/* c */\n\"c\" = \"3\";\n"))
    #expect(try StringsFile(Array(without.utf8), file: "a").entries.map(\.key) == ["a", "c"])
  }

  @Test("remove all, one after another, until nothing is left", arguments: ["\n", "\r\n"])
  func removeAll(newline: String) throws {
    var text = ["/* a */", "\"a\" = \"1\";", "", "\"b\" = \"2\"; \"c\";", "", ""].joined(separator: newline)
    for keys in [["b", "c"], ["c"], []] {
      text = try Self.edited(text, .remove(entry: 0))
      #expect(try StringsFile(Array(text.utf8), file: "a").entries.map(\.key) == keys)
    }
  }

  @Test(
    "append behind one empty line, with the line ends of the file",
    arguments: [
      ("", "/* c */\n\"k\" = \"v\";\n"), ("\"a\";", "\"a\";\n\n/* c */\n\"k\" = \"v\";\n"),
      ("\"a\";\n", "\"a\";\n\n/* c */\n\"k\" = \"v\";\n"), ("\"a\";\n\n", "\"a\";\n\n/* c */\n\"k\" = \"v\";\n"),
      ("\"a\";\r\n", "\"a\";\r\n\r\n/* c */\r\n\"k\" = \"v\";\r\n"),
    ])
  func append(text: String, result: String) throws {
    #expect(
      try Self.edited(text, .append(key: "k", value: "v", comment: "c", isNew: false)).utf8.elementsEqual(result.utf8))
  }

  @Test("append several in their order, a new one with its mark, one without words with the usual ones")
  func appendSeveral() throws {
    let text = try Self.edited(
      "\"a\";\n", .append(key: "b", value: "B", comment: nil, isNew: true),
      .append(key: "c", value: "C", comment: "", isNew: false))
    let entries = try StringsFile(Array(text.utf8), file: "a").entries
    #expect(entries.map(\.key) == ["a", "b", "c"])
    #expect(entries.map(\.isNew) == [false, true, false])
    #expect(entries.dropFirst().allSatisfy { $0.comment == StringsFile.noComment })
  }

  @Test("keep the encoding of the file", arguments: TextEncodingTests.all)
  func encodings(encoding: TextEncoding) throws {
    let file = try StringsFile(encoding.encode(Array("\"k\" = \"v\";\n".utf8)), file: "a")
    let bytes = try file.bytes([.setValue("价", ofEntry: 0), .append(key: "n", value: "N", comment: "c", isNew: false)])
    #expect(TextEncoding(of: bytes) == encoding)
    #expect(try StringsFile(bytes, file: "a").entries.map(\.value) == ["价", "N"])
  }

  @Test("refuse a file that is a property list in XML, and read it")
  func xml() throws {
    let text = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>k</key><string>v</string></dict></plist>"
    let file = try StringsFile(Array(text.utf8), file: "a")
    #expect(file.entries.map(\.value) == ["v"])
    #expect(throws: (any Error).self) { try file.bytes([.setValue("w", ofEntry: 0)]) }
    #expect(try file.bytes([]) == Array(text.utf8))
  }

  @Test(
    "are refused with the file where that is no table",
    arguments: ["\"a\" = ;", "\"a\" = \"b\"", "\"a", "= 1;", "{", "a = (b"])
  func hostile(text: String) {
    #expect(throws: LanguageError.self) { try StringsFile(Array(text.utf8), file: "a.strings") }
  }
}
