import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

/// The fixtures of the search: contacts, readings, queries with what must be found.
enum SearchFixture {
  struct Expected: Decodable {
    let kind: String
    let q: String
    let count: Int
    let hits: [String: [[Int]]]?
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try Fixture.data("text/search/\(name)"), as: UTF8.self)
  }

  static func contacts() throws -> [String] { try text("contacts.txt").split(separator: "\n").map(String.init) }

  static func readings() throws -> SearchReadings { try SearchReadings(table: try text("readings.tsv")) }

  static func queries() throws -> [Expected] {
    try text("expected.jsonl").split(separator: "\n").map {
      try JSONDecoder().decode(Expected.self, from: Data($0.utf8))
    }
  }
}

@Suite("The search beside the oracle", .fixtures)
struct SearchOracleTests {
  @Test("finds what the oracle finds for every query, ranges included")
  func expected() throws {
    let index = PinyinIndex(try SearchFixture.contacts(), readings: try SearchFixture.readings(), folding: [])
    for expected in try SearchFixture.queries() {
      let query = PinyinQuery(expected.q, options: .plain)
      let hits = index.search(query, order: .input).hits
      #expect(hits.count == expected.count, "\(expected.q)")
      guard let ranges = expected.hits else { continue }
      #expect(Set(hits.map { "\($0.text)" }) == Set(ranges.keys), "\(expected.q)")
      for hit in hits {
        let found = index.ranges(of: query, in: hit.text).map { [$0.lowerBound, $0.upperBound] }
        #expect(found == ranges["\(hit.text)"], "\(expected.q) in \(hit.text)")
        #expect(found.contains([hit.range.lowerBound, hit.range.upperBound]))
      }
    }
  }

  @Test("finds what the oracle finds for random queries in random texts", .tool("python3"))
  func random() throws {
    var random = SeededRandom(seed: 5)
    let texts = (0..<800).map { _ in RandomTexts.text(&random) }
    let queries = (0..<SeededRandom.rounds(or: 80)).map { _ in RandomTexts.query(&random) }
      .filter { query in query.contains { $0 != " " && $0 != "'" } }
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "texts").path
    try Data((texts.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    let outcome = try Command.run("python3", [Fixture.path("text/search/oracle.py"), path] + queries)
    #expect(outcome.status == 0)
    let index = PinyinIndex(texts, readings: try SearchFixture.readings(), folding: [], fewestIndexed: 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == queries.count)
    for line in lines {
      let expected = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
      let query = PinyinQuery(expected.q, options: .plain)
      let hits = index.search(query, order: .input).hits
      #expect(hits.map(\.text) == expected.ids, "\(expected.q)")
      for hit in hits {
        let ranges = index.ranges(of: query, in: hit.text).map { [$0.lowerBound, $0.upperBound] }
        #expect(ranges == expected.ranges["\(hit.text)"], "\(expected.q) in \(texts[hit.text])")
      }
    }
  }

  private struct Answer: Decodable {
    let q: String
    let ids: [Int]
    let ranges: [String: [[Int]]]
  }
}
