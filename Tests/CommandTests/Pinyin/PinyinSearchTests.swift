import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas pinyin search") struct PinyinSearchTests {
  /// A folder with files of these names and texts.
  static func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
    return folder
  }

  static func hits(_ line: some StringProtocol) throws -> [[String: Any]] {
    try #require(try json(String(line))["hits"] as? [[String: Any]])
  }

  @Test("answers every query of the oracle with its records and their ranges", .fixtures, .timeLimit(.minutes(10)))
  func oracle() throws {
    struct Expected: Decodable {
      let q: String
      let count: Int
      let hits: [String: [[Int]]]?
    }
    let expected = try String(decoding: Fixture.data("text/search/expected.jsonl"), as: UTF8.self)
      .split(separator: "\n").map { try JSONDecoder().decode(Expected.self, from: Data($0.utf8)) }
    #expect(expected.count == 170)
    let outcome = try mpaas(
      ["pinyin", "search", "--json", "--all", "--order", "input"]
        + ["--data", Fixture.path("text/search/contacts.txt"), "--readings", Fixture.path("text/search/readings.tsv")]
        + expected.map(\.q))
    #expect(outcome.status == 0)
    for (line, expected) in zip(outcome.output.split(separator: "\n"), expected) {
      let hits = try Self.hits(line)
      #expect(hits.count == expected.count, "\(expected.q)")
      guard let wanted = expected.hits else { continue }
      for hit in hits {
        let index = try #require(hit["index"] as? Int)
        let range = try #require(hit["range"] as? [Int])
        let ranges = try #require(hit["ranges"] as? [[Int]])
        #expect(wanted["\(index)"]?.contains(range) == true, "\(expected.q) \(index)")
        #expect(wanted["\(index)"].map { Set($0) } == Set(ranges), "\(expected.q) \(index)")
      }
    }
  }

  @Test("prints the records that match, the best first; the status says whether there were any")
  func lines() throws {
    let folder = try Self.folder(["names": "李小龙\n张三\nTom张\n西安\n先\n"])
    let found = try mpaas("pinyin", "search", "--data", folder.path + "/names", "zhang")
    #expect(found.status == 0)
    #expect(found.output == "张三\nTom张\n")
    #expect(found.errors.isEmpty)
    let none = try mpaas("pinyin", "search", "--data", folder.path + "/names", "zhas")
    #expect(none.status == 1)
    #expect(none.output.isEmpty)
    #expect(none.errors.isEmpty)
    #expect(try mpaas("pinyin", "search", "--data", folder.path + "/names", "xian").output == "先\n西安\n")
    #expect(try mpaas("pinyin", "search", "--data", folder.path + "/names", "xi'an").output == "西安\n")
    #expect(try mpaas("pinyin", "search", "--data", folder.path + "/names", "ll").status == 1)
    #expect(try mpaas("pinyin", "search", "--data", folder.path + "/names", "ll", "--gaps").output == "李小龙\n")
    let piped = try mpaas("pinyin", "search", "--print", "index", "zs", "xa", input: "张三\n西安\n")
    #expect(piped.output == "zs\t0\nxa\t1\n")
  }

  @Test("options decide what matches")
  func options() throws {
    let names = "吕布\n张三\n长沙\n"
    func found(_ arguments: String...) throws -> String {
      try mpaas(["pinyin", "search"] + arguments, input: names).output
    }
    #expect(try found("lvb") == "吕布\n")
    #expect(try found("lub").isEmpty)
    #expect(try found("lub", "--fuzzy") == "吕布\n")
    #expect(try found("lub", "--sounds", "u-v") == "吕布\n")
    #expect(try found("lub", "--sounds", "z-zh,n-l").isEmpty)
    #expect(try found("zhang1san1") == "张三\n")
    #expect(try found("zhang2san1").isEmpty)
    #expect(try found("zs", "--no-initials").isEmpty)
    #expect(try found("zhangsa", "--no-prefixes").isEmpty)
    #expect(try found("san zhang").isEmpty)
    #expect(try found("san zhang", "--any-order") == "张三\n")
    #expect(try found("zhangsha") == "长沙\n")
    #expect(
      try found("zhangsha", "--heteronyms", "usual").isEmpty || found("changsha", "--heteronyms", "usual").isEmpty)
  }

  @Test("JSON is an object a query, with ranges in scalars, characters and UTF-16")
  func jsonRanges() throws {
    let outcome = try mpaas("pinyin", "search", "--json", "zs", "nothing", input: "x\n👩‍💻e\u{301}张 三\n")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    let hit = try #require(try Self.hits(lines[0]).first)
    #expect(hit["index"] as? Int == 1)
    #expect(hit["range"] as? [Int] == [5, 7])
    #expect(hit["ranges"] as? [[Int]] == [[5, 7]])
    #expect(hit["graphemes"] as? [Int] == [2, 4])
    #expect(hit["utf16"] as? [Int] == [7, 9])
    #expect(hit["field"] as? String == "primary")
    #expect(hit["kind"] as? String == "initials")
    #expect(try json(String(lines[1]))["total"] as? Int == 0)
    #expect(try Self.hits(lines[1]).isEmpty)
    #expect(try json(String(lines[0]))["query"] as? String == "zs")
  }

  @Test("the best 50 are printed, or as many as one likes")
  func limits() throws {
    let names = String(repeating: "张三\n", count: 120)
    func count(_ arguments: String...) throws -> Int {
      try mpaas(["pinyin", "search", "zs"] + arguments, input: names).output.split(separator: "\n").count
    }
    #expect(try count() == 50)
    #expect(try count("--all") == 120)
    #expect(try count("--limit", "7") == 7)
    #expect(try json(mpaas("pinyin", "search", "zs", "--json", input: names).output)["total"] as? Int == 120)
    #expect(try mpaas("pinyin", "search", "zs", "--limit", "0", input: names).status == 64)
  }

  @Test("columns of CSV and TSV, and paths of JSON, are searched; the second field comes behind the first")
  func formats() throws {
    let folder = try Self.folder([
      "a.csv": "公司,姓名\n\"张,记\",李四\n甲公司,张三\n", "a.tsv": "李四\t张记\n张三\t甲\n",
      "a.json": "{\"contacts\": [\n {\"name\": \"李四\", \"firm\": \"张记\"},\n {\"name\": \"张三\"}]}",
      "a.jsonl": "{\"name\":\"李四\"}\n{\"name\":\"张三\"}\n",
    ])
    func found(_ file: String, _ arguments: String...) throws -> String {
      try mpaas(["pinyin", "search", "--data", "\(folder.path)/\(file)", "zhang"] + arguments).output
    }
    #expect(
      try found("a.csv", "--column", "姓名", "--secondary", "公司") == "甲公司,张三\n\"张,记\",李四\n")
    #expect(try found("a.tsv", "--column", "2", "--print", "text") == "张记\n")
    #expect(try found("a.json", "--path", ".contacts[].name") == "张三\n")
    #expect(
      try found("a.json", "--path", ".contacts[].name", "--secondary", ".contacts[].firm", "--print", "record")
        == "{\"name\":\"张三\"}\n{\"name\":\"李四\",\"firm\":\"张记\"}\n")
    #expect(try found("a.jsonl", "--path", ".name", "--print", "record") == "{\"name\":\"张三\"}\n")
    let second = try Self.hits(found("a.csv", "--column", "姓名", "--secondary", "公司", "--json"))
    #expect(second.map { $0["index"] as? Int } == [1, 0])
    #expect(second.map { $0["line"] as? Int } == [3, 2])
    #expect(second.map { $0["field"] as? String } == ["primary", "secondary"])
    #expect(second[1]["record"] as? String == "\"张,记\",李四")
    #expect(second[1]["text"] as? String == "张,记")
  }

  @Test("what is wrong is named with its place and a way out, in both languages")
  func errors() throws {
    let folder = try Self.folder(["a.csv": "name,firm\n张三,\"x\n", "b.csv": "name,firm\n", "a.json": "[{\"name\":1}]"])
    try Data(Array("张三\n".utf8) + [0xd5, 0xc5]).write(to: folder.url.appending(path: "gbk"))
    func run(_ file: String, _ arguments: String...) throws -> Command.Outcome {
      try mpaas(["pinyin", "search", "--data", "\(folder.path)/\(file)", "zs"] + arguments)
    }
    let bytes = try run("gbk")
    #expect(bytes.status == 65)
    #expect(bytes.errors.contains("byte 7"))
    #expect(bytes.errors.contains("--lossy"))
    #expect(try run("gbk", "--lossy").output == "张三\n")
    #expect(try run("gbk", "--lang", "zh-Hans").errors.contains("第 7 字节"))
    #expect(try run("a.csv").errors.contains("a.csv:2:8"))
    let column = try run("b.csv", "--column", "nam")
    #expect(column.status == 65)
    #expect(column.errors.contains("did you mean 'name'?"))
    #expect(try run("a.json").errors.contains("--path '.[].name'"))
    #expect(try run("a.json", "--column", "1").status == 64)
    #expect(try run("a.json", "--path", ".a[").status == 64)
    #expect(try run("missing").status == 66)
    #expect(try run("gbk", "--sounds", "x-y", "--lossy").errors.contains("z-zh"))
    let table = try Self.folder(["readings": "24352\tzhang\nx\n"])
    let readings = try run("b.csv", "--readings", table.path + "/readings")
    #expect(readings.status == 65)
    #expect(readings.errors.contains("readings:2"))
    #expect(try mpaas("pinyin", "search", "zs", "--queries", "-", input: "x").status == 64)
    let error = try json(run("gbk", "--json").errors)["error"] as? [String: Any]
    #expect(error?["code"] as? String == "pinyin-records-not-utf8")
  }

  @Test("any Unicode is searched, and nothing of it is obeyed by a terminal")
  func anyUnicode() throws {
    let text = "😀张\u{301}三\u{200d}\u{fe0f}\n\u{202e}شزhangsan\n\u{e000}\u{10ffff}张三\n\u{1b}[31m张三\n\n"
    let outcome = try mpaas("pinyin", "search", "--json", "--all", "zs", "san", "😀", input: text)
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 3)
    #expect(try mpaas("pinyin", "search", "31", input: text).output == "\u{1b}[31m张三\n")
    let folder = try Self.folder(["a": text])
    let seen = try Pty.run(
      "mpaas", ["pinyin", "search", "--data", folder.path + "/a", "31"], environment: ["NO_COLOR": "1", "LC_ALL": "C"])
    #expect(seen.output.contains(#"\u{1b}[31m张三"#))
    #expect(!seen.output.contains("\u{1b}"))
    let coloured = try Pty.run(
      "mpaas", ["pinyin", "search", "--data", folder.path + "/a", "31"],
      environment: ["TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C"])
    #expect(coloured.output.contains("\u{1b}[1;32m31\u{1b}[0m"))
  }
}

@Suite("mpaas pinyin index") struct PinyinIndexTests {
  @Test("an index answers as its data does, and says what it holds")
  func round() throws {
    let folder = try PinyinSearchTests.folder(["a.csv": "name,firm\n李四,张记\n张三,甲\n吕布,乙\n"])
    let data = ["--data", folder.path + "/a.csv", "--column", "name", "--secondary", "firm"]
    let index = folder.path + "/a.mpidx"
    let built = try mpaas(["pinyin", "index", "build", "--output", index, "--json"] + data)
    #expect(built.status == 0)
    let info = try json(mpaas("pinyin", "index", "info", index, "--json").output)
    #expect(info["records"] as? Int == 3)
    #expect(info["fields"] as? Int == 2)
    #expect(info["checksum"] as? String == "ok")
    #expect(info["size"] as? Int == (try Data(contentsOf: URL(filePath: index))).count)
    #expect(try mpaas("pinyin", "index", "info", index, "--lang", "zh-Hans").output.contains("校验和"))
    for query in ["zhang", "lvb", "甲", "nothing"] {
      let direct = try mpaas(["pinyin", "search", query, "--print", "text"] + data)
      let mapped = try mpaas("pinyin", "index", "search", index, query)
      #expect(direct.output == mapped.output, "\(query)")
      #expect(direct.status == mapped.status, "\(query)")
      let first = try PinyinSearchTests.hits(mpaas(["pinyin", "search", query, "--json"] + data).output)
      let second = try PinyinSearchTests.hits(mpaas("pinyin", "index", "search", index, query, "--json").output)
      #expect(first.map { $0["index"] as? Int } == second.map { $0["index"] as? Int })
      #expect(first.map { $0["range"] as? [Int] } == second.map { $0["range"] as? [Int] })
    }
    // An index is replaced, other files are not.
    #expect(try mpaas(["pinyin", "index", "build", "--output", index] + data).status == 0)
    let other = try mpaas(["pinyin", "index", "build", "--output", folder.path + "/a.csv"] + data)
    #expect(other.status == 73)
    #expect(other.errors.contains("--force"))
  }

  @Test("a file that is no index, or a damaged one, is refused")
  func damaged() throws {
    let folder = try PinyinSearchTests.folder(["a": "张三\n"])
    let index = folder.path + "/i"
    #expect(try mpaas("pinyin", "index", "build", "--output", index, "--data", folder.path + "/a").status == 0)
    #expect(try mpaas("pinyin", "index", "info", folder.path + "/a").errors.contains("pinyin-index-unknown"))
    var bytes = try Data(contentsOf: URL(filePath: index))
    bytes[bytes.count / 2] ^= 0x55
    bytes[60] ^= 1
    try bytes.write(to: URL(filePath: index))
    let outcome = try mpaas("pinyin", "index", "search", index, "zs")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("pinyin-index-damaged"))
  }
}
