import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("JSON as property lists") struct PropertyListJSONTests {
  static func read(_ text: String, isTagged: Bool = false) throws(ConfigError) -> PropertyListValue {
    try PropertyListFile(Array(text.utf8), file: "a.json", format: .json, isTagged: isTagged).root
  }

  @Test("members keep their order, numbers their kind, strings their characters")
  func values() throws {
    let value = try Self.read(
      #" {"z":1,"a":[-0,1.0,1e2,-9223372036854775808,18446744073709551615],"s":"\u00e9\ud83d\ude00\n\/","t":true} "#)
    #expect(value.members?.map(\.key) == ["z", "a", "s", "t"])
    let numbers = try #require(value["a"]?.values)
    #expect(numbers[0] == .integer(0))
    #expect(numbers[1] == .real(1))
    #expect(numbers[2] == .real(100))
    #expect(numbers[3] == .integer(Int.min))
    #expect(numbers[4] == PropertyListValue(.integer(PropertyListInteger(UInt64.max))))
    #expect(value["s"]?.string == "é😀\n/")
    #expect(value["t"]?.boolean == true)
    #expect(try Self.read("123456789012345678901234567890") == .real(1.2345678901234568e29))
  }

  @Test("marks stand for the types that JSON lacks, and a dictionary that looks like one is told apart")
  func tags() throws {
    let text =
      #"[{"$data":"AQI="},{"$date":"2026-11-23T00:00:00Z"},{"$uid":7},{"$real":"1e+300"},{"$real":"-infinity"}]"#
    let value = try Self.read(text, isTagged: true)
    #expect(value.values?.map(\.element) == ["data", "date", "uid", "real", "real"])
    #expect(try value.json(isTagged: true, isPretty: false, file: "a") == text)
    #expect(try Self.read(text).values?.first?.members?.count == 1)
    let odd = PropertyListValue.dictionary([("$data", .string("not base64"))])
    let written = try odd.json(isTagged: true, isPretty: false, file: "a")
    #expect(written == #"{"$dictionary":{"$data":"not base64"}}"#)
    #expect(try Self.read(written, isTagged: true) == odd)
    for text in [#"{"$data":1}"#, #"{"$data":"a"}"#, #"{"$uid":-1}"#, #"{"$date":"today"}"#, #"{"$real":"x"}"#] {
      let error = #expect(throws: ConfigError.self) { try Self.read(text, isTagged: true) }
      #expect(error?.code == .plistJSONTag, "\(text)")
    }
  }

  static let refused: [(String, ConfigError.Code, Int, Int)] = [
    ("{\n \"a\" 1}", .plistJSONSyntax, 2, 6), ("[1,]", .plistJSONSyntax, 1, 4), ("{\"a\":1,}", .plistJSONSyntax, 1, 8),
    ("[1] x", .plistJSONSyntax, 1, 5), ("{'a':1}", .plistJSONSyntax, 1, 2), ("[tru]", .plistJSONSyntax, 1, 5),
    ("[1", .plistJSONUnfinished, 1, 3), ("[\n\"a", .plistJSONUnfinished, 2, 1), ("", .plistJSONUnfinished, 1, 1),
    ("[01]", .plistJSONNumber, 1, 2), ("[1.]", .plistJSONNumber, 1, 2), ("[1e]", .plistJSONNumber, 1, 2),
    ("[1e999]", .plistJSONNumber, 1, 2), ("[-]", .plistJSONSyntax, 1, 2), ("[\"a\n\"]", .plistJSONString, 1, 4),
    ("[\"表\\x\"]", .plistJSONString, 1, 4), ("[\"\\ud800\"]", .plistJSONString, 1, 3), ("[null]", .plistJSONNull, 1, 2),
  ]

  @Test("names the line and the column of what cannot stand there", arguments: refused)
  func places(text: String, code: ConfigError.Code, line: Int, column: Int) {
    let error = #expect(throws: ConfigError.self) { try Self.read(text) }
    #expect(
      error?.code == code,
      "\(text): \(String(describing: error))")
    #expect(
      error?.place == .text(file: "a.json", line: line, column: column),
      "\(text): \(String(describing: error))")
  }

  @Test("never crashes on damaged files, and what it takes it gives back", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 9)
    var seeds = try (0..<6).map {
      try PropertyListFileTests.bytes(try Fixture.path("text/plist/gen_0\($0).expected.json"))
    }
    for name in ["j1.json", "j2.json", "int64_min_max.json"] {
      seeds.append(try PropertyListFileTests.bytes(try Fixture.path("project/plist/libplist/data/\(name)")))
    }
    let words = [
      "{", "}", "[", "]", "\"", "\\u", "\\ud83d", ":", ",", "1e9", "-", "null", "{\"$uid\":1}", "\u{feff}", "\r\n",
    ]
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...9, using: &random))
        let new =
          Bool.random(using: &random)
          ? Array((words.randomElement(using: &random) ?? "").utf8) : [UInt8.random(in: 0...255, using: &random)]
        bytes.replaceSubrange(start..<end, with: new)
      }
      guard let file = try? PropertyListFile(bytes, file: "a", format: .json, isTagged: true) else { continue }
      let written = try PropertyListFile.bytes(of: file.root, as: .json, isTagged: true, file: "a")
      let again = try PropertyListFile(written, file: "a", format: .json, isTagged: true)
      #expect(again.root == file.root || file.root.holdsOtherForms)
    }
  }
}
