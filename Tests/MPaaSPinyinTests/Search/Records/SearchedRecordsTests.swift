import Foundation
import MPaaSPinyin
import Testing

@Suite("Records that are searched") struct SearchedRecordsTests {
  private static func searched(
    _ text: String, _ format: RecordFormat, change: (inout RecordOptions) -> Void = { _ in }
  ) throws -> SearchedRecords {
    let found = try records(text, format, change: change)
    return SearchedRecords(RecordIndex(found), records: found)
  }

  @Test("each answer is handed over before the next is searched for, and the sum counts every query")
  func answers() throws {
    let searched = try Self.searched("张三\n李四\n张五\n", .lines)
    let queries = ["zhang", "xyz"].map { PinyinQuery($0) }
    var answers: [RecordAnswer] = []
    let total = searched.answer(queries, limit: 1, order: .input) { answers.append($0) }
    #expect(total == 2)
    #expect(answers.map(\.query.text) == ["zhang", "xyz"])
    #expect(answers.map { $0.hits.map(\.record) } == [[0], []])
    #expect(answers.map(\.total) == [2, 0])
    var calls = 0
    #expect(throws: CancellationError.self) {
      try searched.answer(queries, limit: nil, order: .rank) { _ in
        calls += 1
        throw CancellationError()
      }
    }
    #expect(calls == 1)
  }

  @Test("an answer is a line of JSON with the record as it stands and its line")
  func json() throws {
    let searched = try Self.searched("名,公司\n张三,甲\n", .csv) { $0.column = .named("名") }
    let line = searched.json(of: searched.answer(PinyinQuery("zhang"), limit: nil))
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    #expect(object["query"] as? String == "zhang")
    #expect(object["total"] as? Int == 1)
    let hit = try #require((object["hits"] as? [[String: Any]])?.first)
    #expect(hit["record"] as? String == "张三,甲")
    #expect(hit["line"] as? Int == 2)
    #expect(hit["text"] as? String == "张三")
    #expect(hit["range"] as? [Int] == [0, 0])
  }

  @Test("picked records are a line of JSON")
  func picked() throws {
    let searched = try Self.searched("a\nb\n", .lines)
    #expect(
      searched.json(ofPicked: [1], query: "q")
        == #"{"picked":[{"index":1,"record":"b","text":"b"}],"query":"q"}"# + "\n")
  }

  @Test("rows are printed as they stand, of JSON the text, and a record of JSON stands on one line")
  func parts() throws {
    let rows = try Self.searched("a,b\n", .csv)
    #expect(rows.usualPart == .record)
    #expect(RecordPart.allCases.map { rows.text(of: 0, $0) } == ["a,b", "a", "0"])
    let path = try RecordPath(parsing: ".[].name")
    let document = try Self.searched("[\n  {\"name\": \"a \\\" b\"}\n]", .json) { $0.path = path }
    #expect(document.usualPart == .text)
    #expect(document.record(0) == #"{"name":"a \" b"}"#)
    let opened = SearchedRecords(RecordIndex(PinyinIndex(["a"])))
    #expect(opened.usualPart == .text)
    #expect(opened.text(of: 0, .record) == "a")
  }
}
