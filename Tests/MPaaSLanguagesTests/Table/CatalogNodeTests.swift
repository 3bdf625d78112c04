import Testing

@testable import MPaaSLanguages

@Suite("The JSON of a catalogue") struct CatalogNodeTests {
  private func object(_ names: String...) -> CatalogObject {
    CatalogObject(names.map { .init($0, .word("1")) })
  }

  @Test("keeps the place of a member that is set anew, and puts a new one where it belongs by name")
  func setting() {
    var object = object("b", "a", "d")
    object["a"] = .word("2")
    object["c"] = .word("3")
    #expect(object.members.map(\.name) == ["b", "a", "c", "d"])
    #expect(object["a"] == .word("2"))
  }

  @Test("has the last of members of one name, and removes all of them")
  func twice() {
    var object = CatalogObject([.init("a", .word("1")), .init("b", .word("2")), .init("a", .word("3"))])
    #expect(object["a"] == .word("3"))
    object["a"] = .word("4")
    #expect(object.members.map(\.value) == [.word("1"), .word("2"), .word("4")])
    object["a"] = nil
    #expect(object.members.map(\.name) == ["b"])
  }

  @Test("has what stands at a path, and nothing behind what is no object")
  func paths() {
    var node = CatalogNode.object(CatalogObject())
    node.set(.string("x"), at: ["a", "b", "c"])
    #expect(node["a", "b", "c"]?.string == "x")
    #expect(node["a", "none", "c"] == nil)
    #expect(node["a", "b", "c", "d"] == nil)
    #expect(node["a", "b"]?.object?.members.count == 1)
  }

  @Test("makes an object where another value stood in the way")
  func replacing() {
    var node = CatalogNode.string("text")
    node.set(.word("1"), at: ["a"])
    #expect(node == .object(CatalogObject([.init("a", .word("1"))])))
  }

  @Test("is as it was where what is removed was not there")
  func removingNothing() {
    var node = CatalogNode.object(object("a"))
    node.set(nil, at: ["b"])
    node.set(nil, at: [])
    #expect(node == .object(object("a")))
  }

  // MARK: Texts

  private func text(_ json: String) throws -> LocalizedText? {
    let whole = #"{"sourceLanguage":"en","strings":{"k":{"localizations":{"de":\#(json)}}}}"#
    return TextTable(try StringCatalog(Array(whole.utf8), file: "a"), name: "T").key("k")?.texts["de"]
  }

  @Test("has a text by its value and state")
  func plain() throws {
    let text = try #require(try text(#"{"stringUnit":{"state":"needs_review","value":"x"}}"#))
    #expect(text.value == "x")
    #expect(text.state == .needsReview)
    #expect(text.isPlain)
  }

  @Test("has variants, the worst of whose states is that of the text")
  func variants() throws {
    let text = try #require(
      try text(
        #"""
        {"variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"a"}},
        "other":{"stringUnit":{"state":"new","value":"b"}}},
        "device":{"iphone":{"variations":{"plural":{"other":{"stringUnit":{"value":"c"}}}}}}}}
        """#))
    #expect(
      text.variants.map(\.path) == [[.plural("one")], [.plural("other")], [.device("iphone"), .plural("other")]])
    #expect(text.value == "b")
    #expect(text.state == .new)
  }

  @Test("has substitutions with their arguments and types")
  func substitutions() throws {
    let text = try #require(
      try text(
        #"""
        {"stringUnit":{"value":"%#@a@ %#@b@"},"substitutions":{
        "a":{"argNum":2,"formatSpecifier":"d","variations":{"plural":{"other":{"stringUnit":{"value":"%arg"}}}}},
        "b":{"argNum":"2"}}}
        """#))
    #expect(
      text.substitutions == [
        .init(name: "a", argument: 2, specifier: "d"), .init(name: "b", argument: nil, specifier: "lld"),
      ])
    #expect(text.variants.last?.path == [.substitution("a"), .plural("other")])
  }

  @Test(
    "has no text where no unit stands",
    arguments: ["{}", "1", "[]", #"{"stringUnit":1}"#, #"{"variations":{"plural":[]}}"#])
  func none(json: String) throws {
    #expect(try text(json) == nil)
  }

  @Test("has a text again as it was taken")
  func roundTrip() throws {
    var text = LocalizedText(
      [
        .init([], "%#@a@"), .init([.substitution("a"), .plural("one")], "1"),
        .init([.device("mac"), .plural("few")], "2"),
        .init([.width("20")], "3"),
      ], .needsReview)
    text.substitutions = [.init(name: "a", argument: 1, specifier: "lu")]
    var root = CatalogNode.object(CatalogObject())
    root.set(text.catalogNode(), at: ["localizations", "de"])
    let empty = try StringCatalog(StringCatalog.empty(sourceLanguage: "en"), file: "a")
    let catalog = try StringCatalog(empty.bytes(replacing: ["k": root]), file: "a")
    let again = try #require(TextTable(catalog, name: "T").key("k")?.texts["de"])
    #expect(again.state == text.state)
    #expect(again.substitutions == text.substitutions)
    #expect(Dictionary(grouping: again.variants, by: \.path) == Dictionary(grouping: text.variants, by: \.path))
  }

  @Test("says of its keys what sources and translators ask")
  func keys() throws {
    let json = #"""
      {"sourceLanguage":"en","strings":{
      "a":{"comment":"c","extractionState":"stale"},"b":{"extractionState":"manual","shouldTranslate":false},
      "a":{"shouldTranslate":true}}}
      """#
    let table = TextTable(try StringCatalog(Array(json.utf8), file: "a"), name: "T")
    #expect(table.keys.map(\.key) == ["a", "b"])
    // The last of two entries with the same key counts.
    #expect(table.key("a")?.isStale == false)
    #expect(table.key("a")?.comment == nil)
    #expect(table.findings.map(\.kind) == [.duplicate])
    #expect(table.key("b")?.isManual == true)
    #expect(table.key("b")?.isTranslated == false)
  }
}
