import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The tables of texts of the fixtures.
enum TableFixtures {
  static func paths(_ ending: String) throws -> [String] {
    try ["text/strings", "project/bundle_files/strings"].flatMap { folder -> [String] in
      let path = try Fixture.path(folder)
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { $0.hasSuffix(ending) }
        .map { path + "/" + $0 }
    }
  }
}

@Suite("A .strings file") struct StringsFileTests {
  static func read(_ text: String) throws -> StringsFile { try StringsFile(Array(text.utf8), file: "a.strings") }

  @Test("is read as Python's reader of property lists would, and given back byte for byte", .fixtures)
  func fixtures() throws {
    let paths = try TableFixtures.paths(".strings")
    for path in paths {
      let bytes = try Bytes.mapping(path).array
      let file = try StringsFile(bytes, file: path)
      #expect(try file.bytes([]) == bytes, "\(path)")
      // Each edit changes what it names and nothing else.
      for (index, entry) in file.entries.enumerated() {
        let changed = try StringsFile(try file.bytes([.setValue("ü\"\\\n", ofEntry: index)]), file: path)
        #expect(changed.entries[index].value == "ü\"\\\n")
        #expect(changed.entries.count == file.entries.count)
        let back = try changed.bytes([.setValue(entry.value, ofEntry: index)])
        #expect(try StringsFile(back, file: path).entries.map(\.value) == file.entries.map(\.value), "\(path)")
      }
    }
    #expect(paths.count > 20)
    let utf8 = try #require(paths.first { $0.hasSuffix("swiftgen_Localizable.strings") })
    let texts = try StringsFile(try Bytes.mapping(utf8).array, file: utf8)
    #expect(texts.entries.first { $0.key == "private" }?.value == "Hello, my name is \"%@\" and I'm %d")
    #expect(texts.entries.first { $0.key == "alert__title" }?.comment == "Title for an alert 1️⃣")
  }

  @Test("has the comments that no empty line parts from their texts")
  func comments() throws {
    let file = try Self.read(
      """
      /* The file. */

      /* one */
      "a" = "1"; // of a
      // two
      /* three */
      "b" = "2";

      c = "3";
      """)
    #expect(file.entries.map(\.comment) == ["one", "three", nil])
    #expect(file.entries[1].place == .text(file: "a.strings", line: 7, column: 1))
  }

  @Test("takes marks, comments, new texts and removals without touching the rest")
  func edits() throws {
    let file = try Self.read("/* head */\n\n/* x */\n\"a\" = \"1\";\n\n\"b\" = \"2\";\n")
    let marked = try StringsFile(
      try file.bytes([
        .mark(.stale, entry: 0), .comment("why", entry: 1), .append(key: "c", value: "3", comment: nil, isNew: true),
      ]), file: "a.strings")
    #expect(
      String(decoding: marked.bytes, as: UTF8.self) == """
        /* head */

        /* x */
        /* Stale: no source asks for this text. */
        "a" = "1";

        /* why */
        "b" = "2";

        /* No comment provided by engineer. */
        /* New: not translated yet. */
        "c" = "3";

        """)
    #expect(marked.entries.map(\.isStale) == [true, false, false])
    #expect(marked.entries.map(\.isNew) == [false, false, true])
    #expect(marked.entries.map(\.comment) == ["x", "why", StringsFile.noComment])
    let back = try StringsFile(
      try marked.bytes([.unmark(.stale, entry: 0), .remove(entry: 1), .remove(entry: 2)]), file: "a.strings")
    #expect(String(decoding: back.bytes, as: UTF8.self) == "/* head */\n\n/* x */\n\"a\" = \"1\";\n\n")
  }

  @Test("in UTF-16 stays in UTF-16, one with CRLF keeps its line ends")
  func encodings() throws {
    let text = "\"你\" = \"好\";\r\n"
    let bytes: [UInt8] = [0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    let file = try StringsFile(bytes, file: "a")
    let changed = try file.bytes([.append(key: "k", value: "v", comment: "c", isNew: false)])
    let whole = String(decoding: try #require(TextEncoding(of: changed).decode(changed)), as: UTF8.self)
    #expect(changed.starts(with: [0xfe, 0xff]))
    #expect(whole == text + "\r\n/* c */\r\n\"k\" = \"v\";\r\n")
  }

  @Test("that is malformed is refused with a place, whatever bytes stand there", .fixtures)
  func mutations() throws {
    let error = #expect(throws: LanguageError.self) { try Self.read("\"a\" = \"b\"\n\"c\" = ;") }
    #expect(error?.place != nil)
    var random = SeededRandom(seed: 11)
    let originals = try TableFixtures.paths(".strings").map { try Bytes.mapping($0).array }
    for round in 0..<SeededRandom.rounds(or: 600) {
      let bytes = mutated(originals[round % originals.count], &random)
      guard let file = try? StringsFile(bytes, file: "a") else { continue }
      let added = StringsEdit.append(key: "k", value: "v", comment: nil, isNew: true)
      _ = try? file.bytes(file.entries.indices.map { .comment("x", entry: $0) } + [added])
    }
  }
}
