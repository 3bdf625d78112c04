import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Edits of property lists of all formats") struct PropertyListRevisionTests {
  static func read(_ text: String, _ file: String = "a.plist") throws -> PropertyListFile {
    try PropertyListFile(Array(text.utf8), file: file)
  }

  static func text(_ file: PropertyListFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

  static func set(_ file: PropertyListFile, _ path: String, _ value: PropertyListValue) throws -> PropertyListFile {
    let way = try PropertyListPath(path)
    return try file.revised(to: try #require(file.root.setting(value, at: way.parts)))
  }

  static func delete(_ file: PropertyListFile, _ path: String) throws -> PropertyListFile {
    try file.revised(to: file.root.removing(try file.target(PropertyListPath(path)).steps))
  }

  static func insert(_ file: PropertyListFile, _ path: String, _ value: PropertyListValue, _ index: Int?) throws
    -> PropertyListFile
  {
    let target = try file.target(PropertyListPath(path))
    return try file.revised(to: try #require(file.root.inserting(value, into: target.steps, at: index)))
  }

  static let json = """
    {
      "b" : [1, 2],
      "a" : {
        "x" : "1",
        "y" : [
          true
        ]
      },
      "empty" : {}
    }

    """

  @Test("JSON keeps its order, its colons and its lines")
  func jsonEdits() throws {
    let file = try Self.read(Self.json)
    #expect(file.format == .json)
    #expect(Self.text(try Self.set(file, "a.x", .string("2"))) == Self.json.replacing("\"1\"", with: "\"2\""))
    #expect(Self.text(try Self.insert(file, "b", .integer(3), nil)) == Self.json.replacing("[1, 2]", with: "[1, 2, 3]"))
    #expect(Self.text(try Self.insert(file, "b", .integer(0), 0)) == Self.json.replacing("[1, 2]", with: "[0, 1, 2]"))
    #expect(
      Self.text(try Self.insert(file, "a.y", .boolean(false), nil))
        == Self.json.replacing("true\n", with: "true,\n      false\n"))
    #expect(
      Self.text(try Self.set(file, "a.z", .array([.integer(1)])))
        == Self.json.replacing("      true\n    ]", with: "      true\n    ],\n    \"z\" : [\n      1\n    ]"))
    #expect(
      Self.text(try Self.set(file, "empty.k", .string("v")))
        == Self.json.replacing("{}", with: "{\n    \"k\" : \"v\"\n  }"))
    #expect(Self.text(try Self.delete(file, "b")) == Self.json.replacing("\"b\" : [1, 2],\n  ", with: ""))
    #expect(Self.text(try Self.delete(file, "empty")) == Self.json.replacing(",\n  \"empty\" : {}", with: ""))
    #expect(Self.text(try Self.delete(file, "b.0")) == Self.json.replacing("[1, 2]", with: "[2]"))
    #expect(Self.text(try Self.delete(file, "a.y[0]")) == Self.json.replacing("[\n      true\n    ]", with: "[]"))
    let line = try Self.read("{\"a\":[1,2],\"b\":{}}\n")
    #expect(Self.text(try Self.set(line, "b.c", .array([.string("x")]))) == "{\"a\":[1,2],\"b\":{\"c\":[\"x\"]}}\n")
    #expect(Self.text(try Self.insert(line, "a", .integer(3), 1)) == "{\"a\":[1,3,2],\"b\":{}}\n")
  }

  static let old = """
    // !$*UTF8*$!
    {
    \tname = "a b"; /* what it is */
    \tlist = (
    \t\tone, /* first */
    \t\ttwo,
    \t);
    \tinline = (a, b);
    \tempty = {
    \t};
    }

    """

  @Test("old-style text keeps its comments and its order")
  func oldStyleEdits() throws {
    let file = try Self.read(Self.old)
    #expect(file.format == .openstep)
    #expect(Self.text(try Self.set(file, "name", .string("c"))) == Self.old.replacing("\"a b\"", with: "c"))
    #expect(
      Self.text(try Self.insert(file, "list", .string("1.5 x"), 1))
        == Self.old.replacing("/* first */\n", with: "/* first */\n\t\t\"1.5 x\",\n"))
    #expect(
      Self.text(try Self.insert(file, "list", .string("z"), nil))
        == Self.old.replacing("two,\n", with: "two,\n\t\tz,\n"))
    #expect(Self.text(try Self.insert(file, "inline", .string("c"), nil)) == Self.old.replacing("b)", with: "b, c)"))
    #expect(Self.text(try Self.insert(file, "inline", .string("c"), 0)) == Self.old.replacing("(a", with: "(c, a"))
    #expect(Self.text(try Self.delete(file, "inline.1")) == Self.old.replacing("(a, b)", with: "(a)"))
    #expect(Self.text(try Self.delete(file, "inline.0")) == Self.old.replacing("(a, b)", with: "(b)"))
    #expect(Self.text(try Self.delete(file, "inline")) == Self.old.replacing("\tinline = (a, b);\n", with: ""))
    #expect(
      Self.text(try Self.set(file, "empty.k", .integer(5)))
        == Self.old.replacing("empty = {\n", with: "empty = {\n\t\tk = 5;\n"))
    #expect(
      Self.text(try Self.set(file, "new", .array([])))
        == Self.old.replacing("\t};\n}", with: "\t};\n\tnew = ();\n}"))
    let removed = Self.text(try Self.delete(file, "name"))
    #expect(removed.contains("what it is"))
    #expect(!removed.contains("a b"))
  }

  @Test("tables of texts get new pairs in their form")
  func strings() throws {
    let text = "/* Title */\n\"title\" = \"Home\";\n\n// later\n\"other\" = \"Other\";\n"
    let file = try Self.read(text, "a.strings")
    #expect(file.format == .openstep)
    #expect(Self.text(try Self.set(file, "title", .string("首页"))) == text.replacing("Home", with: "首页"))
    #expect(Self.text(try Self.set(file, "new", .string("a\"b"))) == text + "\"new\" = \"a\\\"b\";\n")
    #expect(Self.text(try Self.delete(file, "other")) == text.replacing("\"other\" = \"Other\";\n", with: ""))
    let empty = try Self.read("/* nothing yet */\n", "a.strings")
    #expect(Self.text(try Self.set(empty, "a", .string("b"))) == "/* nothing yet */\n\"a\" = \"b\";\n")
  }

  @Test("many changes of an XML file at once leave the rest alone")
  func many() throws {
    let text = PropertyListEditTests.sample
    let file = try Self.read(text)
    var merge = PropertyListMerge()
    merge.arrays = .append
    let other = try Self.read("{a = 2; list = (z); none = (n); more = {k = v;}; other = w;}").root
    let merged = try file.revised(to: merge.merge(other, into: file.root))
    #expect(
      Self.text(merged)
        == text.replacing("<string>1<", with: "<string>2<")
        .replacing("<string>y</string>\n", with: "<string>y</string>\n    <string>z</string>\n")
        .replacing("<array />", with: "<array>\n    <string>n</string>\n  </array>")
        .replacing(
          "<false/></array>\n",
          with: """
            <false/></array>
              <key>more</key>
              <dict>
                <key>k</key>
                <string>v</string>
              </dict>
              <key>other</key>
              <string>w</string>

            """))
    #expect(try merged.revised(to: merged.root).bytes == merged.bytes)
  }

  @Test("merging keeps what it is told to keep")
  func merging() throws {
    let own = try Self.read("{a = 1; l = (x, y); d = {p = 1; q = 2;};}").root
    let other = try Self.read("{a = 2; l = (y, z); d = {q = 3; r = 4;}; n = 5;}").root
    func merged(_ change: (inout PropertyListMerge) -> Void) throws -> String {
      var merge = PropertyListMerge()
      change(&merge)
      return try merge.merge(other, into: own).json(isTagged: false, isPretty: false, file: "a")
    }
    #expect(
      try merged { _ in } == #"{"a":"2","l":["y","z"],"d":{"p":"1","q":"3","r":"4"},"n":"5"}"#)
    #expect(
      try merged { ($0.arrays, $0.preference) = (.union, .own) }
        == #"{"a":"1","l":["x","y","z"],"d":{"p":"1","q":"2","r":"4"},"n":"5"}"#)
    #expect(try merged { $0.arrays = .append }.contains(#"["x","y","y","z"]"#))
  }

  @Test("differences are told by their path, arrays by what is between their common ends")
  func comparison() throws {
    let old = try Self.read("{a = 1; l = (x, y, z); \"d.e\" = {p = 1;};}").root
    let new = try Self.read("{l = (x, z); a = 2; \"d.e\" = {p = 1; q = 2;};}").root
    let found = PropertyListComparison(from: old, to: new).differences
    #expect(
      found.map { "\($0.kind) \(PropertyListPath.text($0.steps))" } == ["changed a", "removed l.1", "added d\\.e.q"])
    #expect(PropertyListComparison(from: old, to: old).differences.isEmpty)
  }

  @Test("paths are written in three ways, and lead where they say")
  func paths() throws {
    let file = try Self.read("{\"a.b\" = (x, {c = d;}); \"0\" = zero; e = {f = (g);}; first = 1;}")
    for (path, value) in [
      ("a\\.b.0", "x"), ("a\\.b[-1].c", "d"), (":a.b:1:c", "d"), ("0", "zero"), ("e.f.0", "g"), (":e:f:0", "g"),
      ("e.f.-1", "g"), ("e.f[0]", "g"),
    ] {
      #expect(try file.target(PropertyListPath(path)).value.string == value, "\(path)")
      let steps = try file.target(PropertyListPath(path)).steps
      #expect(try file.target(PropertyListPath(PropertyListPath.text(steps))).steps == steps)
    }
    for path in ["", ".", ":"] { #expect(try file.target(PropertyListPath(path)).steps.isEmpty) }
    let list = try Self.read("[[1],[2,3]]")
    #expect(try list.target(PropertyListPath("[1][0]")).value.integer == 2)
    #expect(try list.target(PropertyListPath("1.1")).value.integer == 3)
    for path in ["a..b", "a.", ".a", "a[x]", "a[0", "a[0]b", "a\\"] {
      let error = #expect(throws: ConfigError.self, "\(path)") { try PropertyListPath(path) }
      #expect(error?.code == .plistPathSyntax)
    }
    for (path, code) in [
      ("xyzzy", ConfigError.Code.plistNoKey), ("e.f.1", .plistNoIndex), ("e.f.x", .plistNoIndex),
      ("0.x", .plistNoContainer),
      ("frist", .plistNoKeyNear),
    ] {
      let error = #expect(throws: ConfigError.self, "\(path)") { try file.target(PropertyListPath(path)) }
      #expect(error?.code == code, "\(path)")
      #expect(error?.place != nil, "\(path)")
    }
  }

  @Test("changes made at random to real files and taken back give their value back", .fixtures)
  func random() throws {
    var random = SeededRandom(seed: 10)
    var files: [PropertyListFile] = []
    for path in try PropertyListFileTests.fixtures() {
      let bytes = try PropertyListFileTests.bytes(path)
      guard bytes.count < 4000, let file = try? PropertyListFile(bytes, file: path) else { continue }
      files.append(file)
      for format in [PropertyListFormat.json, .openstep] {
        guard let bytes = try? PropertyListFile.bytes(of: file.root, as: format, file: path) else { continue }
        if let file = try? PropertyListFile(bytes, file: path, format: format) { files.append(file) }
      }
    }
    for _ in 0..<SeededRandom.rounds(or: 600) {
      guard let file = files.randomElement(using: &random) else { break }
      let wanted = Self.changed(file.root, 0, &random)
      do throws(ConfigError) {
        let changed = try file.revised(to: wanted)
        let back = try changed.revised(to: file.root)
        #expect(back.root == file.root || file.root.holdsOtherForms, "\(file.file)")
      } catch {
        #expect(error.code != .plistEdit, "\(file.file) \(file.format): \(error) \(wanted)")
      }
    }
  }

  /// The value with some of what it holds gone, changed, or joined by more.
  static func changed(_ value: PropertyListValue, _ depth: Int, _ random: inout SeededRandom) -> PropertyListValue {
    let new = [
      PropertyListValue.string("new; \"value\""), .array([.string("in"), .dictionary([])]),
      .dictionary([("k", .string("v"))]),
    ]
    func pick() -> PropertyListValue { new.randomElement(using: &random) ?? .string("") }
    if var values = value.values {
      for index in values.indices.reversed() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: values.remove(at: index)
        case 1: values.insert(pick(), at: index)
        case 2: values[index] = changed(values[index], depth + 1, &random)
        default: break
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { values.append(pick()) }
      return .array(values)
    }
    guard let members = value.members else { return pick() }
    var result: [(String, PropertyListValue)] = []
    for member in members {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: break
      case 1: result.append((member.key, changed(member.value, depth + 1, &random)))
      case 2: result += [("mpaas \(depth) \(result.count)", pick()), (member.key, member.value)]
      default: result.append((member.key, member.value))
      }
    }
    if Int.random(in: 0..<3, using: &random) == 0 { result.append(("mpaas last \(depth)", pick())) }
    return .dictionary(result)
  }
}
