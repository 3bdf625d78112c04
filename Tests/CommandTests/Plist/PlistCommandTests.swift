import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas plist") struct PlistCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<!-- the name -->
    \t<key>name</key>
    \t<string>Shop</string>
    \t<key>schemes</key>
    \t<array>
    \t\t<string>http</string>
    \t\t<string>https</string>
    \t</array>
    \t<key>ATS.x</key>
    \t<dict>
    \t\t<key>loads</key>
    \t\t<true/>
    \t</dict>
    </dict>
    </plist>

    """

  func mpaas(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    let environment = ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run(
      "mpaas", ["plist"] + arguments, input: input, environment: environment, directory: folder.url)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
  }

  func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("get prints values bare, as JSON, or as property lists of their own")
  func get() throws {
    try write("a.plist", Self.sample)
    #expect(try mpaas("get", "a.plist", "name").output == "Shop\n")
    #expect(try mpaas("get", "a.plist", "schemes.-1").output == "https\n")
    #expect(try mpaas("get", "a.plist", ":ATS.x:loads").output == "true\n")
    #expect(try mpaas("get", "a.plist", "ATS\\.x", "--json").output == "{\"loads\":true}\n")
    #expect(try mpaas("get", "a.plist", "schemes", "--type").output == "array\n")
    #expect(try mpaas("get", "a.plist", "schemes", "--as", "openstep").output == "(\n\thttp,\n\thttps,\n)\n")
    #expect(try mpaas("get", "-", "name", input: Self.sample).output == "Shop\n")
    #expect(try mpaas("get", "a.plist", "none", "--default", "x").output == "x\n")
    let missing = try mpaas("get", "a.plist", "nmae")
    #expect(missing.status == 1)
    #expect(missing.output.isEmpty)
    #expect(missing.errors.contains("Did you mean 'name'?"))
    #expect(try mpaas("get", "a.plist", "a..b").status == 64)
    #expect(try mpaas("get", "none.plist").status == 66)
  }

  @Test("set, insert and delete change what they are told to and nothing else, twice as once")
  func edits() throws {
    try write("a.plist", Self.sample)
    let first = try mpaas("set", "a.plist", "name", "Store & Co", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try json(first.output)["changed"] as? Bool == true)
    #expect(try text("a.plist") == Self.sample.replacing("Shop", with: "Store &amp; Co"))
    #expect(try json(mpaas("set", "a.plist", "name", "Store & Co", "--json").output)["changed"] as? Bool == false)
    #expect(try mpaas("set", "a.plist", "name", "Shop").status == 0)
    #expect(try mpaas("insert", "a.plist", "schemes", "ftp", "--at", "1").status == 0)
    #expect(try text("a.plist").contains("http</string>\n\t\t<string>ftp</string>\n\t\t<string>https"))
    #expect(try mpaas("insert", "a.plist", "name", "x").status == 1)
    #expect(try mpaas("delete", "a.plist", "schemes.1").status == 0)
    #expect(try text("a.plist") == Self.sample)
    #expect(try mpaas("delete", "a.plist", "schemes.0", "schemes.1", "name").status == 0)
    #expect(try mpaas("get", "a.plist", "--json").output == "{\"schemes\":[],\"ATS.x\":{\"loads\":true}}\n")
    #expect(try mpaas("delete", "a.plist", "name").status == 1)
    #expect(try mpaas("delete", "a.plist", "name", "--ignore-missing").status == 0)
  }

  @Test("types are those of the value there, or as named; ways are made where asked for")
  func types() throws {
    try write("a.plist", Self.sample)
    #expect(try mpaas("set", "a.plist", "ATS\\.x.loads", "no").status == 0)
    #expect(try mpaas("get", "a.plist", "ATS\\.x", "--json").output == "{\"loads\":false}\n")
    #expect(try mpaas("set", "a.plist", "ATS\\.x.loads", "maybe").status == 64)
    let missing = try mpaas("set", "a.plist", "deep.er[0].x", "--value", "-5", "--type", "integer")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("--create"))
    #expect(try mpaas("set", "a.plist", "deep.er[0].x", "--value", "-5", "--type", "integer", "--create").status == 0)
    #expect(try mpaas("get", "a.plist", "deep", "--json").output == "{\"er\":[{\"x\":-5}]}\n")
    for (type, value, printed) in [
      ("real", "1.5", "1.5"), ("date", "2026-11-23", "2026-11-23T00:00:00Z"), ("data", "AQI=", "AQI="),
      ("dict", "{\"a\":1}", "{\n  \"a\": 1\n}"), ("array", "", "[]"), ("json", "[1]", "[\n  1\n]"),
    ] {
      let outcome = try mpaas("set", "a.plist", "new", value, "--type", type)
      #expect(outcome.status == 0, "\(type): \(outcome.errors)")
      #expect(try mpaas("get", "a.plist", "new").output == printed + "\n", "\(type)")
    }
    try write("content", "raw")
    #expect(try mpaas("set", "a.plist", "new", "--type", "data", "--value-file", "content").status == 0)
    #expect(try mpaas("get", "a.plist", "new").output == "cmF3\n")
    #expect(try mpaas("set", "a.plist", "new", "--type", "integer").status == 64)
  }

  @Test("a dry run shows a diff that patch takes, and writes nothing")
  func dryRun() throws {
    try write("a.plist", Self.sample)
    let dry = try mpaas("set", "a.plist", "name", "Store", "--dry-run")
    #expect(dry.output.contains("-\t<string>Shop</string>\n+\t<string>Store</string>"), "\(dry)")
    #expect(try text("a.plist") == Self.sample)
    let elsewhere = try mpaas("set", "a.plist", "name", "Store", "--output", "-")
    #expect(elsewhere.output == Self.sample.replacing("Shop", with: "Store"))
    #expect(try text("a.plist") == Self.sample)
  }

  @Test("convert goes to every format and back, and marks types where asked to")
  func convert() throws {
    try write("a.plist", Self.sample.replacing("<true/>", with: "<real>1.5</real>"))
    #expect(try mpaas("convert", "a.plist", "--to", "binary", "--output", "b").status == 0)
    #expect(try mpaas("convert", "b", "--to", "json", "--tagged").output.contains("{\"$real\": \"1.5\"}"))
    #expect(try mpaas("convert", "b", "--to", "openstep").output.contains("\t\tloads = 1.5;"))
    #expect(try mpaas("diff", "a.plist", "b").status == 0)
    #expect(try mpaas("convert", "b", "--to", "xml1", "--in-place", "--json").output.contains("\"from\":\"binary\""))
    #expect(try text("b").hasPrefix("<?xml"))
    #expect(try mpaas("convert", "a.plist", "b", "--to", "xml").status == 64)
    #expect(try mpaas("convert", "-", "--to", "json", input: "{a = 中文;}").output == "{\n  \"a\": \"中文\"\n}\n")
  }

  @Test("merge and diff work across formats")
  func merge() throws {
    try write("a.plist", Self.sample)
    try write("b.json", "{\"name\": \"Store\", \"schemes\": [\"ftp\"], \"new\": 1}")
    #expect(try mpaas("merge", "a.plist", "b.json", "--arrays", "append").status == 0)
    #expect(try text("a.plist").contains("<!-- the name -->\n\t<key>name</key>\n\t<string>Store"))
    try write("c.plist", Self.sample)
    let diff = try mpaas("diff", "c.plist", "a.plist")
    #expect(diff.status == 1)
    #expect(
      diff.output == "- name = \"Shop\"\n+ name = \"Store\"\n+ schemes.2 = \"ftp\"\n+ new = 1 (integer)\n", "\(diff)")
    let report = try json(mpaas("diff", "c.plist", "a.plist", "--json").output)
    #expect(report["same"] as? Bool == false)
    #expect((report["differences"] as? [Any])?.count == 3)
    #expect(try mpaas("merge", "c.plist", "b.json", "--prefer", "own", "--json").output.contains("\"path\":\"new\""))
  }

  @Test("lint names lines, columns and offsets, and warns of keys that stand twice")
  func lint() throws {
    try write("good.plist", Self.sample)
    try write("bad.plist", Self.sample.replacing("</array>", with: "</arry>"))
    try write("twice.strings", "\"a\" = \"1\";\n\"a\" = \"2\";\n")
    try write("bad.json", "{\"a\": 1,\n \"b\" 2}")
    try write("bad.bin", "bplist00" + String(repeating: "x", count: 40))
    let good = try mpaas("lint", "good.plist", "twice.strings")
    #expect(good.status == 0, "\(good)")
    #expect(good.output.contains("twice.strings:2:1: warning: "), "\(good)")
    #expect(try mpaas("lint", "twice.strings", "--strict").status == 1)
    let bad = try mpaas("lint", "good.plist", "bad.plist", "bad.json", "bad.bin", "none")
    #expect(bad.status == 1)
    for place in ["bad.plist:11:2: error: ", "bad.json:2:6: error: ", "bad.bin: offset 0x", "none: error: "] {
      #expect(bad.output.contains(place), "\(place): \(bad)")
    }
    #expect(bad.output.contains("1 of 5 files"))
    let report = try json(mpaas("lint", "bad.json", "--json").output)
    let finding = try #require((report["findings"] as? [[String: Any]])?.first)
    #expect(finding["line"] as? Int == 2)
    #expect(finding["code"] as? String == "plist-json-syntax")
    #expect(try mpaas("get", "bad.plist").status == 65)
  }
}
