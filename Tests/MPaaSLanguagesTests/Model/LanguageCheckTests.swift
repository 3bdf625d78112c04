import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Checking, converting and pseudo-localisation") struct LanguageCheckTests {
  static func table(_ texts: [String: String]) throws -> TextTable {
    var table = TextTable(name: "Localizable", development: "en")
    for (language, text) in texts.sorted(by: { $0.key == "en" && $1.key != "en" }) {
      table.add(try StringsFile(Array(text.utf8), file: "\(language).strings"), language: language)
    }
    return table
  }

  @Test("tells specifiers by position and type")
  func specifiers() {
    #expect(FormatSpecifiers("%@ %d %.2f %% %ld").description == "%1$@ %2$d %3$f %4$ld")
    #expect(FormatSpecifiers("%2$@ %1$lld %#@n@").description == "%1$lld %2$@ %#@n@")
    #expect(FormatSpecifiers("%*d %.*f").description == "%1$d %2$d %3$d %4$f")
    #expect(FormatSpecifiers("100% sure, 5 % of").arguments.isEmpty)
    #expect(FormatSpecifiers("%1$@ %1$d").contradictions == [1])
    #expect(FormatSpecifiers("%#@apples@ and %arg").substitutions == ["apples"])
  }

  @Test("finds what is missing, untranslated, doubled, unused and wrong in its specifiers")
  func findings() throws {
    let table = try Self.table([
      "en": #""a"="One"; "b"="%@ has %d"; "c"="%1$@ %2$d"; "d"="Two"; "d"="Two"; "e"="OK"; "f"="%d";"#,
      "de": #""a"="One"; "b"="%d hat %@"; "c"="%2$d %1$@"; "d"="Zwei"; "f"="%ld"; "x"="X";"#,
    ])
    let texts = extracted(
      #"""
      NSLocalizedString("a", comment: "1"); NSLocalizedString("a", comment: "2")
      NSLocalizedString("b", comment: ""); NSLocalizedString("c", comment: ""); NSLocalizedString("d", comment: "")
      NSLocalizedString("e", comment: ""); NSLocalizedString("nowhere", comment: ""); NSLocalizedString(k, comment: "")
      NSLocalizedString("x", comment: "")
      """#)
    let findings = LanguageCheck([table], sources: texts).findings
    func keys(_ kind: LanguageFinding.Kind) -> [String] { findings.filter { $0.kind == kind }.map(\.key) }
    #expect(keys(.missing) == ["e", "x"])
    #expect(keys(.untranslated) == ["a"])
    #expect(keys(.specifiers) == ["b", "f"])
    #expect(keys(.duplicate) == ["d"])
    #expect(keys(.unused) == ["f"])
    #expect(keys(.missingKey) == ["nowhere"])
    #expect(keys(.comments) == ["a"])
    #expect(keys(.dynamic) == ["k"])
    #expect(findings.first { $0.kind == .specifiers }?.place == .text(file: "de.strings", line: 1, column: 12))
    var some = LanguageCheck([table])
    some.languages = ["en"]
    some.ignored = [.missing]
    #expect(some.findings.map(\.kind) == [.duplicate])
  }

  @Test("knows the forms of numbers that languages need, and may leave their number out", .fixtures)
  func plurals() throws {
    let path = try Fixture.path("text/strings/swiftgen_Localizable.stringsdict")
    let file = try StringsDictionary(try Bytes.mapping(path).array, file: path)
    var table = TextTable(name: "Localizable", development: "en")
    table.add(file, language: "en")
    table.add(file, language: "ru")
    table.add(file, language: "zh-Hans")
    let findings = LanguageCheck([table]).findings
    #expect(Set(findings.map(\.kind)) == [.pluralMissing])
    #expect(Set(findings.compactMap(\.language)) == ["ru"])
    let forms = findings.compactMap { $0.details["form"] }.prefix(2)
    #expect(forms == ["substitutions.Matches.plural.few", "substitutions.Matches.plural.many"])
    let nested = try Fixture.path("text/strings/swiftgen_LocPluralNested.stringsdict")
    _ = try StringsDictionary(try Bytes.mapping(nested).array, file: nested)
  }

  @Test("converts tables there and back without losing a text", .fixtures)
  func conversion() throws {
    let folder = try Fixture.path("text/strings") + "/"
    var table = try LanguageFiles([folder + "swiftgen_Localizable.strings"]).tables()[0]
    let forms = folder + "swiftgen_Localizable.stringsdict"
    table.add(try StringsDictionary(try Bytes.mapping(forms).array, file: forms), language: "en")
    let catalog = TextTable(
      try StringCatalog(table.catalogBytes(table.languages), file: "a.xcstrings"), name: table.name)
    #expect(Set(catalog.keys.map(\.key)) == Set(table.keys.map(\.key)))
    #expect(table.keys.count > 15)
    for key in table.keys where key.texts["en"]?.isPlain == true {
      #expect(catalog.key(key.key)?.texts["en"]?.value == key.texts["en"]?.value)
      #expect(catalog.key(key.key)?.comment == key.comment)
    }
    let temporary = try TemporaryFolder()
    for file in try catalog.stringsFiles(["en"]) {
      let url = temporary.url.appending(path: file.path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: url)
    }
    let back = try LanguageFiles([temporary.path]).tables()[0]
    for key in table.keys {
      let (old, new) = (key.texts["en"], back.key(key.key)?.texts["en"])
      #expect(Set(old?.variants.map(\.value) ?? []) == Set(new?.variants.map(\.value) ?? []), "\(key.key)")
    }
    let csv = temporary.url.appending(path: "t.csv")
    try Data(table.csv.utf8).write(to: csv)
    let rows = try LanguageFiles([csv.path]).tables()[0]
    for key in table.keys {
      #expect(rows.key(key.key)?.texts["en"]?.variants == key.texts["en"]?.variants, "\(key.key)")
    }
    #expect(table.xliff(["en", "de"]).contains("<source>percent</source>") == false)
    #expect(table.xliff(["de"]).contains("<trans-unit id=\"percent\" xml:space=\"preserve\">"))
  }

  @Test("makes texts longer by a third, and leaves specifiers, markup and entities alone")
  func pseudo() {
    let pseudo = PseudoLocalization()
    let text = pseudo.text("Hello %1$@, you have <b>%lld</b> new messages &amp; {count} more: https://a.b/c")
    #expect(text.hasPrefix("[Ĥéļļö %1$@, ýöû ĥåṽé <b>%lld</b> ñéŵ "))
    #expect(text.contains("&amp; {count} ɱöŕé: https://a.b/c"))
    #expect((1.3...1.5).contains(Double(text.count) / 79))
    #expect(FormatSpecifiers(text) != FormatSpecifiers(""))
    #expect(pseudo.text("") == "")
    var plain = pseudo
    (plain.hasAccents, plain.hasBrackets, plain.expansion) = (false, false, 0)
    #expect(plain.text("a %d b") == "a %d b")
    plain.direction = .rightToLeft
    #expect(plain.text("ab %d") == "\u{200f}\u{202e}ab\u{202c}\u{200f} %d")
  }

  @Test("counts what each language has", .fixtures)
  func statistics() throws {
    let table = try Self.table([
      "en": #""a"="One two"; "b"="Three";"#,
      "zh-Hans": "\"a\"=\"一二\";\n/* New: not translated yet. */\n\"b\"=\"Three\";",
    ])
    let rows = LanguageStatistics([table]).rows
    #expect(rows.map(\.language) == ["en", "zh-Hans"])
    #expect(rows.map(\.translated) == [2, 1])
    #expect(rows[1].untranslated == 1)
    #expect(rows[1].percent == 50)
    #expect(rows[1].words == 3)
    #expect(rows[0].words == 3)
  }
}
