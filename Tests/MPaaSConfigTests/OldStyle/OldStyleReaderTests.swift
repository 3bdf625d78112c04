import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSConfig

@Suite("The old-style property list reader") struct OldStyleReaderTests {
  private static func read(_ text: String, form: OldStyleDocument.Form = .any) throws -> OldStyleDocument {
    try OldStyleDocument(Array(text.utf8), file: "a.plist", form: form)
  }

  @Test("knows words, quotes of both kinds, data, arrays, dictionaries and comments")
  func types() throws {
    let root = try Self.read(
      """
      // a comment
      { word = a.b/c_$:-1; /* another */ "quo ted" = 'it is "so"';
        data = <0fBd 77
          1c>; empty = (); list = (a, (b,), {c = d;}); url = http://x.org/a; 中文 = 值; same; }
      """
    ).root
    #expect(root["word"]?.string == "a.b/c_$:-1")
    #expect(root["quo ted"]?.string == "it is \"so\"")
    #expect(root["data"] == .data([0x0f, 0xbd, 0x77, 0x1c]))
    #expect(root["empty"] == .array([]))
    #expect(root["list"] == .array([.string("a"), .array([.string("b")]), .dictionary([("c", .string("d"))])]))
    #expect(root["url"]?.string == "http://x.org/a")
    #expect(root["中文"]?.string == "值")
    #expect(root["same"]?.string == "same")
  }

  @Test("decodes escapes: letters, Unicode with surrogates, and octal numbers in NeXTSTEP's character set")
  func escapes() throws {
    func string(_ text: String) throws -> String? { try Self.read("\"\(text)\"").root.string }
    #expect(try string(#"a\n\t\"\\\'b\q"#) == "a\n\t\"\\'bq")
    #expect(try string(#"\U4e2d\U6587\U41x"#) == "中文Ax")
    #expect(try string(#"\Ud83d\Ude00!"#) == "😀!")
    #expect(try string(#"\101\12 \341\256"#) == "A\n Æﬁ")
    #expect(try string("a\\\nb") == "a\nb")
  }

  @Test("reads what GNUstep types, in all its forms")
  func gnustep() throws {
    let root = try Self.read(
      """
      { i = <*I-5>; big = <*I18446744073709551615>; r = <*R1.5>; y = <*BY>; n = <*BN>; q = <*I"7">;
        d = <*D2001-01-02 03:04:05 +0000>; zone = <*D2001-01-01 00:30:00 +0130>; b = <[aGVsbG8=]>; at = a@b; }
      """
    ).root
    #expect(root["i"]?.integer == -5)
    #expect(root["q"]?.integer == 7)
    #expect(root["r"] == .real(1.5))
    #expect(root["big"]?.content.isInteger(.max) == true)
    #expect(root["y"]?.boolean == true)
    #expect(root["n"]?.boolean == false)
    #expect(root["b"] == .data(Array("hello".utf8)))
    #expect(root["d"] == PropertyListDate("2001-01-02T03:04:05Z").map { PropertyListValue(.date($0)) })
    #expect(root["zone"] == PropertyListDate("2000-12-31T23:00:00Z").map { PropertyListValue(.date($0)) })
    #expect(root["at"]?.string == "a@b")
  }

  @Test("reads tables of texts without braces, with their comments")
  func pairs() throws {
    let document = try Self.read(
      """
      /* Title of the page */
      "title" = "标题";

      // one
      // two
      key = "value"; /* behind */
      alone;
      """, form: .strings)
    #expect(document.isPairs)
    #expect(document.root.members?.count == 3)
    #expect(document.root["title"]?.string == "标题")
    #expect(document.root["alone"]?.string == "alone")
    let members = try #require(document.root.members)
    #expect(document.comments(before: members[0]) == ["Title of the page"])
    #expect(document.comments(before: members[1]) == ["one", "two"])
    #expect(document.place(of: members[1]).description == "a.plist:6:1")
    #expect(try Self.read(" /* nothing */ ", form: .strings).root == .dictionary([]))
  }

  @Test("knows where values and keys stand")
  func spans() throws {
    let text = "{\n  a = (x, \"yy\");\n}"
    let document = try Self.read(text)
    let bytes = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let member = try #require(document.root.members?.first)
    #expect(part(member.keySpan) == "a")
    #expect(part(member.value.span) == "(x, \"yy\")")
    let second = try #require(member.value.values?.last)
    #expect(part(second.span) == "\"yy\"")
    #expect(second.inside.map(part) == "yy")
    #expect(document.place(of: second).description == "a.plist:2:11")
  }

  @Test("reads UTF-8 with a mark, and UTF-16 with and without")
  func encodings() throws {
    let text = "{ größe = \"中文\"; }"
    let units = Array(text.utf16)
    let big: [UInt8] = units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xff)] }
    let little: [UInt8] = units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    for bytes in [[0xef, 0xbb, 0xbf] + Array(text.utf8), big, little, [0xff, 0xfe] + little, [0xfe, 0xff] + big] {
      #expect(try OldStyleDocument(bytes, file: "a").root["größe"]?.string == "中文")
    }
  }

  static let refused: [(String, String, Int, Int)] = [
    ("{\n a = b\n}", "oldstyle-expected", 3, 1),
    ("{ a b; }", "oldstyle-expected", 1, 5),
    ("{ a = ; }", "oldstyle-expected", 1, 7),
    ("{ = b; }", "oldstyle-expected", 1, 3),
    ("{ a = b; ", "oldstyle-unclosed", 1, 1),
    ("( a, (b )", "oldstyle-unclosed", 1, 1),
    ("( a b )", "oldstyle-expected", 1, 5),
    ("( a,, b )", "oldstyle-expected", 1, 5),
    ("{ a = (b; }", "oldstyle-expected", 1, 9),
    ("{ a = \"b; }", "oldstyle-unclosed", 1, 7),
    ("{ a = \"b\\\"; }", "oldstyle-unclosed", 1, 7),
    ("{ /* a = b; }", "oldstyle-unclosed", 1, 3),
    ("{ a = <0f1>; }", "oldstyle-data", 1, 11),
    ("{ a = <0g>; }", "oldstyle-data", 1, 9),
    ("{ a = <0f; }", "oldstyle-unclosed", 1, 7),
    ("{ a = <*Ix>; }", "oldstyle-typed", 1, 7),
    ("{ a = <*Q1>; }", "oldstyle-typed", 1, 7),
    ("{ a = \"表表\\U\"; }", "oldstyle-escape", 1, 10),
    ("{ a = \"\\Ud800x\"; }", "oldstyle-escape", 1, 8),
    ("{ a = b; } }", "oldstyle-second-value", 1, 12),
    ("{ a = `b`; }", "oldstyle-character", 1, 7),
    ("a = b; }", "oldstyle-expected", 1, 8),
    ("a = b; c = d", "oldstyle-expected", 1, 13),
    ("", "oldstyle-empty", 1, 1),
    ("// nothing\n", "oldstyle-empty", 2, 1),
  ]

  @Test("names the line and the column of what cannot stand there", arguments: refused)
  func places(text: String, code: String, line: Int, column: Int) {
    let error = #expect(throws: ConfigError.self) { try Self.read(text) }
    #expect(error?.code.id.name == code, "\(text): \(String(describing: error))")
    #expect(
      error?.place == .text(file: "a.plist", line: line, column: column), "\(text): \(String(describing: error))")
  }

  @Test("nests to a limit, and no further")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
    }
    #expect(try Self.read(nested(512)).root.values?.count == 1)
    for depth in [513, 200_000] {
      let error = #expect(throws: ConfigError.self) { try Self.read(nested(depth)) }
      #expect(error?.code == .oldStyleTooDeep)
    }
  }

  @Test("reads the old-style files among the fixtures", .fixtures)
  func fixtures() throws {
    let tree = try OldStyleDocument([UInt8](Fixture.data("text/plist/libplist_o1.ostep")), file: "o1")
    #expect(tree.root["more"]?["b"]?.values?[1]["b"]?.values?[0]["c"]?.string == "0.25")
    let folders = ["text/strings", "text/plist", "project/bundle_files/strings"]
    var count = 0
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: Fixture.path(folder))
      where name.hasSuffix(".strings") {
        let bytes = [UInt8](try Fixture.data("\(folder)/\(name)"))
        let document = try OldStyleDocument(bytes, file: name, form: .strings)
        #expect(document.bytes == bytes, "\(name)")
        #expect(document.root.members != nil, "\(name)")
        count += document.root.members?.count ?? 0
      }
    }
    #expect(count > 150)
  }

  @Test("never crashes on damaged files, and gives each error a place", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 10)
    let names = [
      "text/plist/libplist_o1.ostep", "text/plist/libplist_test.strings", "text/strings/barty_OldExample.strings",
    ]
    let typed = "{ i = <*I5>; d = <0fbd 77>; s = \"a\\U4e2d\\101\"; /* c */ l = ( 'x', 中 ); }"
    let seeds = try names.map { [UInt8](try Fixture.data($0).prefix(4000)) } + [Array(typed.utf8)]
    let words = [
      "{", "}", "(", ")", "<", ">", "<*I", "=", ";", ",", "\"", "'", "\\", "\\U", "/*", "*/", "//", "\n", "é",
    ]
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
        let word = Array((words.randomElement(using: &random) ?? "").utf8)
        bytes.replaceSubrange(
          start..<end, with: Bool.random(using: &random) ? word : [.random(in: 0...255, using: &random)])
      }
      do throws(ConfigError) {
        let document = try OldStyleDocument(bytes, file: "a")
        // A document that was read can be written, and says the same again.
        let writer = OldStyleWriter()
        guard let text = try? writer.text(document.root) else { continue }
        let again = try OldStyleDocument(Array(text.utf8), file: "b")
        let second = try? writer.text(again.root)
        #expect(second == text)
      } catch {
        #expect(error.place != nil)
      }
    }
  }
}

@Suite("The old-style property list writer") struct OldStyleWriterTests {
  @Test("quotes what Xcode quotes, and nothing else")
  func quotes() {
    for word in ["a", "A_b.c/d$1", "_a", "1.0"] { #expect(!OldStyleWriter.needsQuotes(word), "\(word)") }
    for word in ["", "a b", "a-b", "a:b", "<group>", "中", "a//b", "___X___", "a+b", "\"", "a\n"] {
      #expect(OldStyleWriter.needsQuotes(word), "\(word)")
    }
    #expect(OldStyleWriter.quoted("a\"b\\c\n\t\u{1}中") == #""a\"b\\c\n\t\U0001中""#)
  }

  @Test("writes what reads back as the same, with types as words or as GNUstep has them")
  func roundTrip() throws {
    let date = try #require(PropertyListDate("2026-03-01T12:00:00Z"))
    let value = PropertyListValue.dictionary([
      ("string", .string("a b\n中😀")), ("empty", .dictionary([])),
      ("list", .array([.data([1, 2, 3, 4, 5]), .array([])])),
      ("int", .integer(-7)), ("real", .real(0.1)), ("yes", .boolean(true)), ("date", PropertyListValue(.date(date))),
    ])
    var writer = OldStyleWriter()
    writer.types = .gnustep
    let typed = try writer.text(value)
    #expect(try OldStyleDocument(Array(typed.utf8), file: "a").root == value)
    writer.types = .words
    let plain = try OldStyleDocument(Array(writer.text(value).utf8), file: "a").root
    #expect(plain["int"]?.string == "-7")
    #expect(plain["yes"]?.string == "YES")
    #expect(plain["real"]?.string == "0.1")
    #expect(plain["date"]?.string == "2026-03-01T12:00:00Z")
    #expect(plain["list"] == value["list"])
  }
}
