import MPaaSLanguages
import Testing

@Suite("The specifiers of a format") struct FormatSpecifierTests {
  private func type(_ text: String) -> String? { FormatSpecifiers(text).arguments[1]?.type }

  @Test("take integers of two sizes", arguments: ["d", "i", "u", "x", "X", "o", "hd", "hhd", "hu", "c", "C"])
  func integers(specifier: String) {
    #expect(type("%" + specifier) == "int")
  }

  @Test("take long integers", arguments: ["ld", "lld", "lu", "llx", "qd", "zd", "td", "jd", "D", "U", "O"])
  func longIntegers(specifier: String) {
    #expect(type("%" + specifier) == "int64")
  }

  @Test(
    "take other types, each by its name",
    arguments: [
      ("f", "double"), ("e", "double"), ("g", "double"), ("a", "double"), ("lf", "double"), ("Lf", "long double"),
      ("@", "@"), ("s", "s"), ("S", "S"), ("p", "p"),
    ])
  func others(specifier: String, expected: String) {
    #expect(type("%" + specifier) == expected)
  }

  @Test(
    "are found with flags, widths and precisions", arguments: ["%-5d", "%+d", "%05d", "%'d", "%#x", "%8.3f", "%.0f"])
  func flags(text: String) {
    #expect(FormatSpecifiers(text).arguments.count == 1)
    #expect(FormatSpecifiers(text).ranges == [0..<text.utf8.count])
  }

  @Test("are told by bytes, percent signs too")
  func ranges() {
    #expect(FormatSpecifiers("a %@ b %% c").ranges == [2..<4, 7..<9])
    #expect(FormatSpecifiers("价格 %d").ranges == [7..<9])
  }

  @Test("that name a position take it, whatever stands before them")
  func positions() {
    let specifiers = FormatSpecifiers("%3$@ %@ %1$d")
    #expect(specifiers.arguments.keys.sorted() == [1, 3])
    #expect(specifiers.contradictions == [1])
  }

  @Test("of one position agree where they read the same bytes")
  func agreement() {
    #expect(FormatSpecifiers("%1$d %1$i %1$x").contradictions.isEmpty)
    #expect(FormatSpecifiers("%1$ld %1$lld").contradictions.isEmpty)
    #expect(FormatSpecifiers("%1$d %1$ld").contradictions == [1])
  }

  @Test("have an asterisk's argument before their own")
  func asterisks() {
    let arguments = FormatSpecifiers("%*d").arguments
    #expect(arguments[1]?.type == "int")
    #expect(arguments.count == 2)
    #expect(FormatSpecifiers("%1$*2$d").arguments.keys.sorted() == [1, 2])
  }

  @Test(
    "are none where text breaks off or goes on",
    arguments: ["%", "100%", "%1$", "%1", "%.", "%-", "%l", "%y", "% sure", "50 % of all", "%99999999999$@", "%#@open"])
  func none(text: String) {
    let specifiers = FormatSpecifiers(text)
    #expect(specifiers.arguments.isEmpty)
    #expect(specifiers.substitutions.isEmpty)
    #expect(specifiers.ranges.isEmpty)
  }

  @Test("name no substitution without an end, however long the text is")
  func longSubstitution() {
    #expect(FormatSpecifiers("%#@" + String(repeating: "a", count: 1000) + "@").substitutions.isEmpty)
    #expect(FormatSpecifiers("%#@" + String(repeating: "a", count: 100) + "@").substitutions.count == 1)
  }
}
