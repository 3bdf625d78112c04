import Testing

@testable import MPaaSLanguages

@Suite("The forms of numbers of a language") struct PluralFormTests {
  @Test(
    "are those of its plural rules, by its first part",
    arguments: [
      ("en", ["one", "other"]), ("zh-Hans", ["other"]), ("ja", ["other"]), ("EN-us", ["one", "other"]),
      ("ru_RU", ["one", "few", "many", "other"]), ("pl", ["one", "few", "many", "other"]),
      ("ar", ["zero", "one", "two", "few", "many", "other"]), ("lv", ["zero", "one", "other"]),
      ("he", ["one", "two", "other"]), ("sr-Latn", ["one", "few", "other"]),
    ])
  func required(language: String, forms: [String]) {
    #expect(PluralForms.required(language) == forms)
  }

  @Test("may leave out that of fractions", arguments: ["cs", "sk", "lt"])
  func fractions(language: String) {
    #expect(PluralForms.required(language) == ["one", "few", "other"])
  }

  @Test("of a language that is not known are those of most", arguments: ["", "xx", "-", "tlh-Piqd"])
  func unknown(language: String) {
    #expect(PluralForms.required(language) == ["one", "other"])
  }

  private func lacking(_ paths: [[TextStep]], _ language: String) -> [String] {
    PluralForms.missing(in: LocalizedText(paths.map { .init($0, "x") }, .translated), language)
  }

  @Test("that a text lacks are named")
  func missing() {
    #expect(lacking([[.plural("one")], [.plural("other")]], "ru") == ["plural.few", "plural.many"])
    #expect(lacking([[.plural("one")], [.plural("other")]], "en") == [])
    #expect(lacking([[.plural("other")]], "zh-Hans") == [])
  }

  @Test("are not asked of a text without any")
  func plain() {
    #expect(lacking([[]], "ru") == [])
    #expect(lacking([[.device("iphone")]], "ru") == [])
  }

  @Test("are those of each variant and substitution by itself")
  func groups() {
    let paths: [[TextStep]] = [
      [.substitution("a"), .plural("one")], [.substitution("a"), .plural("other")],
      [.substitution("b"), .plural("other")],
    ]
    #expect(lacking(paths, "en") == ["substitutions.b.plural.one"])
  }
}
