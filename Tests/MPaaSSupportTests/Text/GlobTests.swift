import MPaaSSupport
import Testing

@Suite("Patterns with stars") struct GlobTests {
  @Test(
    "stars stand for anything, and the whole text has to fit",
    arguments: [
      ("*", "", true), ("/api/*", "/api/", true), ("/api/*", "/api/v1/users", true), ("/api/*", "/ap", false),
      ("*/users", "/a/b/users", true), ("*/users", "/users/1", false), ("/a*b*c", "/axxbyybzzc", true),
      ("/a*b*c", "/axxc", false), ("", "", true), ("", "a", false), ("a**b", "ab", true),
      ("std::*", "std::vector::at", true), ("std::*", "app::std::x", false), ("a?c", "abc", false),
      ("a?c", "a?c", true),
    ])
  func stars(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(text) == matches)
    #expect(Glob(pattern).matches("<\(text)>".dropFirst().dropLast()) == matches)
  }

  @Test("a question mark stands for one byte where it is to")
  func questionMarks() {
    #expect(Glob("*Cart*add?", hasQuestionMark: true).matches("Shop.Cart.re-adds"))
    #expect(!Glob("a?c", hasQuestionMark: true).matches("ac"))
  }

  @Test("case is ignored where it is to be, of ASCII letters")
  func cases() {
    #expect(Glob("Example.*", ignoresCase: true).matches("EXAMPLE.com"))
    #expect(!Glob("Example.*").matches("EXAMPLE.com"))
    #expect(!Glob("É", ignoresCase: true).matches("é"))
  }

  @Test("many stars take no long time")
  func many() {
    #expect(Glob(String(repeating: "*a", count: 40)).matches(String(repeating: "a", count: 200)))
    #expect(!Glob(String(repeating: "*a", count: 40) + "b").matches(String(repeating: "a", count: 2000)))
    #expect(!Glob(String(repeating: "a*", count: 200) + "b").matches(String(repeating: "a", count: 5000)))
  }

  @Test("elements of any kind can be matched, and each wildcard takes as many as it needs")
  func elements() {
    func fits(_ pattern: [Int], _ subject: [Int]) -> Bool {
      Wildcards.match(pattern, subject[...], isAny: { $0 < 0 }, takes: { $0 == $1 })
    }
    #expect(fits([-1, 3, -1, 5], [1, 2, 3, 4, 5, 5]))
    #expect(fits([1, -1], [1]))
    #expect(!fits([-1, 3, 4], [3, 4, 3]))
  }
}
