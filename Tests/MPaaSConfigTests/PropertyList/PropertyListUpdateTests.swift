import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Property lists on their way to a file") struct PropertyListUpdateTests {
  private static let text = #"{"name": "a", "list": [1, 2, 3]}"#

  private static func list(_ text: String = text, file: String = "a.json") throws -> PropertyListFile {
    try PropertyListFile(Array(text.utf8), file: file)
  }

  private static func path(_ text: String) throws -> PropertyListPath { try PropertyListPath(text) }

  /// The bytes that go to standard output, and the files that are written.
  private func written(
    _ path: String, output: String?, change: (PropertyListFile) throws -> PropertyListValue
  ) throws -> (output: String, files: [String: String]) {
    let memory = MemoryFiles()
    var bytes: [UInt8] = []
    try PropertyListUpdate(Self.list(), at: path, output: output, change: change)
      .write(by: memory.client) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), memory.texts)
  }

  @Test("a file is written where it differs, and another one always")
  func targets() throws {
    let change = { (file: PropertyListFile) in
      try file.setting(at: try Self.path("name"), creates: false) { _ in .string("b") }
    }
    let changed = Self.text.replacing("\"a\"", with: "\"b\"")
    #expect(try written("a.json", output: nil, change: change).files == ["a.json": changed])
    #expect(try written("a.json", output: nil) { $0.root }.files == [:])
    #expect(try written("a.json", output: "b.json") { $0.root }.files == ["b.json": Self.text])
    let piped = try written("-", output: nil, change: change)
    #expect(piped.output == changed)
    #expect(piped.files == [:])
    #expect(try written("a.json", output: "-") { $0.root }.output == Self.text)
  }

  @Test("a value is set where it stands or as a new last key; more is made only where that is asked for")
  func setting() throws {
    let list = try Self.list()
    var old: PropertyListValue?
    let set = try list.setting(at: Self.path("list.1"), creates: false) { found in
      old = found
      return .integer(7)
    }
    #expect(old?.plainText == "2")
    #expect(set["list"]?.values?.map(\.plainText) == ["1", "7", "3"])
    #expect(try list.setting(at: Self.path("new"), creates: false) { _ in .string("x") }["new"]?.plainText == "x")
    #expect(throws: ConfigError.self) {
      try list.setting(at: Self.path("new.deep"), creates: false) { _ in .string("x") }
    }
    let deep = try list.setting(at: Self.path("new.deep"), creates: true) { _ in .string("x") }
    #expect(deep["new"]?["deep"]?.plainText == "x")
  }

  @Test("a value is inserted into the array that a path leads to, at a place in one, or under a new key")
  func inserting() throws {
    let list = try Self.list()
    func values(_ path: String, index: Int? = nil) throws -> [String?]? {
      try list.inserting(at: Self.path(path), index: index) { _ in .integer(9) }["list"]?.values?.map(\.plainText)
    }
    #expect(try values("list") == ["1", "2", "3", "9"])
    #expect(try values("list", index: 0) == ["9", "1", "2", "3"])
    #expect(try values("list.1") == ["1", "9", "2", "3"])
    #expect(try list.inserting(at: Self.path("new"), index: nil) { _ in .integer(9) }["new"]?.plainText == "9")
    let error = #expect(throws: ConfigError.self) {
      try list.inserting(at: Self.path("name"), index: nil) { _ in .integer(9) }
    }
    #expect(error?.code == .plistThereAlready)
  }

  @Test("values are removed together, whatever their order; the root is not")
  func removing() throws {
    let list = try Self.list()
    let rest = try list.removing(["list.0", "name", "list.2"], ignoresMissing: false)
    #expect(rest["list"]?.values?.map(\.plainText) == ["2"])
    #expect(rest["name"] == nil)
    #expect(try list.removing(["none"], ignoresMissing: true) == list.root)
    #expect(throws: ConfigError.self) { try list.removing(["none"], ignoresMissing: false) }
    let error = #expect(throws: ConfigError.self) { try list.removing([""], ignoresMissing: false) }
    #expect(error?.code == .plistRoot)
  }

  @Test("a converted list goes over its file, to a named one, or to standard output")
  func conversion() throws {
    func convert(
      _ path: String, isInPlace: Bool = false, output: String? = nil
    ) throws -> (file: String?, output: String, files: [String: String]) {
      let memory = MemoryFiles()
      let conversion = PropertyListConversion(
        to: .json, isTagged: false, isInPlace: isInPlace, output: output, files: memory.client)
      var bytes: [UInt8] = []
      let converted = try conversion.convert(Self.list("{ a = b; }", file: "a.plist"), at: path) { bytes += $0 }
      if let converted {
        #expect(converted.from == .openstep)
        #expect(converted.bytesBefore == 10)
        #expect(converted.bytes == memory.texts[converted.file]?.utf8.count)
      }
      return (converted?.file, String(decoding: bytes, as: UTF8.self), memory.texts)
    }
    let printed = try convert("a.plist")
    #expect(printed.file == nil)
    #expect(printed.files == [:])
    #expect(try JSONValue.parsed(printed.output).object?["a"] == .string("b"))
    #expect(try convert("a.plist", isInPlace: true).files == ["a.plist": printed.output])
    #expect(try convert("a.plist", output: "b.json").file == "b.json")
    #expect(try convert("-", isInPlace: true).output == printed.output)
    #expect(try convert("a.plist", output: "-").output == printed.output)
  }

  @Test("a file is left alone where an edit changes nothing")
  func fileUpdate() throws {
    let memory = MemoryFiles()
    try ConfigFileUpdate("a", old: [1], new: [1]).write(by: memory.client)
    #expect(memory.texts == [:])
    try ConfigFileUpdate("a", old: [1], new: Array("b".utf8)).write(by: memory.client)
    #expect(memory.texts == ["a": "b"])
  }
}

extension JSONValue {
  fileprivate static func parsed(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
  }
}
