import MPaaSLanguages
import Testing

@Suite("An app's own function for texts") struct WrapperSignatureTests {
  @Test(
    "is named with the purposes of its arguments",
    arguments: [
      ("L", "L", [.key, .comment], false), ("tr:_,key,table", "tr", [.other, .key, .table], false),
      (".localized", "localized", [.comment], true), (".fmt:table,comment", "fmt", [.table, .comment], true),
      ("x:value,key", "x", [.value, .key], false),
    ] as [(String, String, [ArgumentRole], Bool)])
  func signatures(text: String, name: String, roles: [ArgumentRole], isPostfix: Bool) throws {
    let signature = try #require(WrapperSignature(text))
    #expect(signature.name == name)
    #expect(signature.roles == roles)
    #expect(signature.isPostfix == isPostfix)
  }

  @Test(
    "is none where it has no name, no key or two, or a purpose that there is not",
    arguments: [
      "", ".", "1a", "a b", "a:", "a:comment", ".a:key", "a:key,", "a:key,,table", "a:Key", "a-b", "a:key table",
    ])
  func refused(text: String) {
    #expect(WrapperSignature(text) == nil)
  }

  @Test("is found in Objective-C and C, by the order of its arguments")
  func objectiveC() throws {
    let options = ExtractionOptions(wrappers: [try #require(WrapperSignature("TR:key,table,comment"))])
    let found = extracted(
      """
      x = TR(@"a", @"T", @"c");
      // TR(@"no", @"T", @"c");
      y = TR(name, @"T", nil); z = NOTR(@"no");
      """, .c, options)
    #expect(found.keys == ["a"])
    #expect(found.texts.map(\.table) == ["T"])
    #expect(found.texts.map(\.comment) == ["c"])
    #expect(found.dynamic.map(\.argument) == ["name"])
  }
}
