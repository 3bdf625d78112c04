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
}
