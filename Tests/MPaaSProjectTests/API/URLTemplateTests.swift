import Testing

@testable import MPaaSProject

@Suite("URLs with places") struct URLTemplateTests {
  @Test(
    "are made of what stands there and of names",
    arguments: [
      ("/a/:b/c", [.literal("/a/"), .parameter("b"), .literal("/c")]), ("{a}{b}", [.parameter("a"), .parameter("b")]),
      ("/a:b", [.literal("/a:b")]),
      ("?a=:b&c={d}", [.literal("?a="), .parameter("b"), .literal("&c="), .parameter("d")]),
      ("http://h:80/:x", [.literal("http://h:80/"), .parameter("x")]),
      (
        ":a,:b;:c",
        [
          .parameter("a"), .literal(","), .parameter("b"), .literal(";"), .parameter("c"),
        ]
      ), ("/:价-1", [.literal("/"), .parameter("价-1")]),
    ] as [(String, [URLTemplate.Part])])
  func parts(text: String, parts: [URLTemplate.Part]) throws {
    let template = try #require(URLTemplate(text))
    #expect(template.parts == parts)
    #expect(template.text == text)
  }

  @Test(
    "are none without an end or a name of a place, with blanks or nothing in them",
    arguments: ["", "/{a", "/{}", "/{a b}", "/:", "/:/a", "/a}", "/a b", "/a\tb", "{{a}}", "/a/:?x"])
  func refused(text: String) { #expect(URLTemplate(text) == nil) }

  @Test(
    "have the path behind the server, and the server's name where that is all",
    arguments: [
      ("http://h/a/b", "/a/b"), ("HTTPS://h/a", "/a"), ("http://h", "h"), ("http://h/", "h/"), ("/a/b", "/a/b"),
      ("a", "a"),
      ("ftp://h/a", "ftp://h/a"),
    ])
  func path(text: String, path: String) throws {
    let template = try #require(URLTemplate(text))
    #expect(template.path == path)
    #expect(template.isAbsolute == text.lowercased().hasPrefix("http"))
  }
}
