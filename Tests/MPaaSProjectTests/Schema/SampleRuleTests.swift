import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport
import Testing

@testable import MPaaSProject

@Suite("Dates in samples") struct SampleDateTests {
  @Test("are days of the calendar", arguments: ["2026-03-01", "2024-02-29", "2000-02-29", "0001-01-01", "2026-12-31"])
  func dates(text: String) { #expect(SampleDate.isDate(text)) }

  @Test(
    "are none that the calendar does not have, or that are written otherwise",
    arguments: [
      "", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-01", "26-01-01",
      "2026-01-01 ", " 2026-01-01", "2026/01/01", "20260101", "２０２６-01-01", "2026-01-0a", "-026-01-01", "2026-01-01T",
    ])
  func noDates(text: String) { #expect(!SampleDate.isDate(text)) }

  @Test(
    "with times have a zone, and may have parts of seconds",
    arguments: [
      "2026-03-01T10:00:00Z", "2026-03-01t10:00:00z", "2026-03-01T23:59:59.5Z", "2026-03-01T10:00:00.123456789+01:00",
      "2026-03-01T10:00:00-23:59",
    ])
  func times(text: String) { #expect(SampleDate.isDateTime(text)) }

  @Test(
    "with times of no day, without a zone or with more behind it are none",
    arguments: [
      "2026-03-01", "2026-03-01T10:00:00", "2026-03-01 10:00:00Z", "2026-02-30T10:00:00Z", "2026-03-01T24:00:00Z",
      "2026-03-01T10:60:00Z", "2026-03-01T10:00:60Z", "2026-03-01T10:00:00.Z", "2026-03-01T10:00:00+1:00",
      "2026-03-01T10:00:00+01:60", "2026-03-01T10:00:00+24:00", "2026-03-01T10:00:00ZZ", "2026-03-01T10:00:00,5Z",
      "2026-03-01T10:00Z", "2026-03-01T1０:00:00Z",
    ])
  func noTimes(text: String) { #expect(!SampleDate.isDateTime(text)) }
}

@Suite("Places in samples that somebody speaks of") struct SampleMapsTests {
  private func decision(_ maps: [String], _ structures: [String] = [], at path: [String]) -> Bool? {
    SampleMaps(maps: maps, structures: structures).decision(at: path)?.isMap
  }

  @Test("are found by their names, by any name, and as the document itself")
  func places() {
    #expect(decision(["/a/b"], at: ["a", "b"]) == true)
    #expect(decision(["/a/*"], at: ["a", "b"]) == true)
    #expect(decision(["/*/b"], at: ["a", "b"]) == true)
    #expect(decision(["/"], at: []) == true)
    #expect(decision([], ["/a"], at: ["a"]) == false)
  }

  @Test("are not those above, below or beside")
  func others() {
    #expect(decision(["/a/b"], at: ["a"]) == nil)
    #expect(decision(["/a"], at: ["a", "b"]) == nil)
    #expect(decision(["/"], at: ["a"]) == nil)
    #expect(decision(["/A"], at: ["a"]) == nil)
  }

  @Test("have slashes and tildes of names as JSON pointers write them")
  func escapes() {
    #expect(decision(["/a~1b"], at: ["a/b"]) == true)
    #expect(decision(["/a~0b"], at: ["a~b"]) == true)
    #expect(decision(["/a~01b"], at: ["a~1b"]) == true)
  }

  @Test("that two speak of are a map")
  func both() {
    #expect(decision(["/a"], ["/a"], at: ["a"]) == true)
    #expect(SampleMaps(maps: ["/a"], structures: ["/b"]).all == ["/a", "/b"])
  }
}

@Suite("Names that are data") struct SampleKeysTests {
  /// The shape of an object whose names all have this value.
  private func areData(_ names: [String], _ value: String = "{\"v\": 1}") throws -> Bool {
    let text = "{" + names.map { JSONValue.string($0).line + ": " + value }.joined(separator: ",") + "}"
    var shape = SampleShape()
    shape.add(try JSONSource(Array(text.utf8), file: "s").root)
    return SampleKeys.areData(shape)
  }

  @Test(
    "are numbers, versions, digests, dates and languages",
    arguments: [
      ["1", "2"], ["1.0", "1.0.1"], ["2026-01-01", "2026-01-02"], ["en", "de"], ["pt_BR", "zh-Hant-TW"],
      ["0123456789abcdef", "fedcba9876543210"],
      ["6fa459ea-ee8a-3ca4-894e-db77e160355e", "16fd2706-8baf-433b-82eb-8c7fada847da"],
    ])
  func data(names: [String]) throws { #expect(try areData(names)) }

  @Test(
    "are no words, nor one name alone, nor names of several kinds",
    arguments: [
      ["a", "b"], ["1"], ["id", "name"], ["1", "a"], ["1.", "2"], ["is", "no"], ["abcdefabcdefabcd", "a"],
    ])
  func words(names: [String]) throws { #expect(try !areData(names)) }

  @Test("are many of one shape, and not many of different ones")
  func many() throws {
    let names = (0..<12).map { "n\($0)" }
    #expect(try areData(names))
    #expect(try !areData(names, "1"))
    #expect(try areData((0..<50).map { "n\($0)" }, "1"))
  }
}

@Suite("Parts of a schema's address") struct SchemaAddressPartTests {
  @Test("are the document and the fragment")
  func parts() {
    #expect(SchemaAddress.withoutFragment("http://e/a#b#c") == "http://e/a")
    #expect(SchemaAddress.fragment("http://e/a#b#c") == "b#c")
    #expect(SchemaAddress.fragment("http://e/a#") == "")
    #expect(SchemaAddress.fragment("http://e/a") == nil)
  }

  @Test(
    "are the steps of a pointer, without escapes of pointers and addresses",
    arguments: [
      ("", []), ("/", [""]), ("/a/b", ["a", "b"]), ("/a~1b/c~0d", ["a/b", "c~d"]),
      ("/%24defs/a%2Fb", ["$defs", "a", "b"]),
      ("/a//b", ["a", "", "b"]), ("/~01", ["~1"]),
    ])
  func steps(pointer: String, steps: [String]) { #expect(SchemaAddress.steps(pointer) == steps) }

  @Test(
    "go up no further than the root, and keep a slash at the end",
    arguments: [
      ("../../../x", "http://e.com/a/b", "http://e.com/x"), ("./", "http://e.com/a/b", "http://e.com/a/"),
      ("..", "http://e.com/a/b/c", "http://e.com/a/"), ("?q", "file:///a/b", "file:///a/?q"), ("x#y", "a/b#z", "a/x#y"),
      ("../x", "a/b/c", "a/x"),
    ])
  func dots(reference: String, base: String, whole: String) {
    #expect(SchemaAddress.resolve(reference, base) == whole)
  }
}

@Suite("Names of models") struct ModelNameTests {
  @Test(
    "of types begin with a capital, and of properties with none",
    arguments: [
      ("user_id", "UserId", "userId"), ("URL", "Url", "url"), ("1st", "T1st", "_1st"),
      ("HTTPServer", "HttpServer", "httpServer"),
      ("", "Empty", "empty"), ("a-b c", "ABC", "aBC"), ("日期", "日期", "日期"), ("__x__", "X", "x"),
    ])
  func names(text: String, type: String, property: String) {
    #expect(ModelName.type(text) == type)
    #expect(ModelName.property(text) == property)
  }

  @Test("that are taken get the smallest number that is free")
  func unique() {
    #expect(ModelName.unique("a", among: []) == "a")
    #expect(ModelName.unique("a", among: ["a"]) == "a2")
    #expect(ModelName.unique("a", among: ["a", "a2", "a4"]) == "a3")
  }
}
