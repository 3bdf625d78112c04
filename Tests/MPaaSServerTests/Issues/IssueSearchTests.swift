import Foundation
import MPaaSDatabase
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The search for issues") struct IssueSearchTests {
  @Test("reads each example to its meaning, or says at which character it cannot", .fixtures)
  func examples() throws {
    let text = String(decoding: try Fixture.data("console/search/cases.tsv"), as: UTF8.self)
    let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.count > 25)
    for line in lines {
      let found: String
      do throws(IssueSearchError) {
        found = try IssueSearchReader.read(line[0]).description
      } catch {
        found = "error at \(error.position)"
      }
      #expect(found == line[1], "\(line[0])")
    }
  }

  @Test("joins conditions by AND, OR and brackets, and turns them round by an exclamation mark")
  func joined() throws {
    #expect(try IssueSearchReader.read("").description == "all")
    #expect(try IssueSearchReader.read("a AND b").description == "text CONTAINS \"a b\"")
    #expect(
      try IssueSearchReader.read("level:fatal OR !(os.name:iOS users:>3)").description
        == "level = \"fatal\" OR NOT (os.name = \"iOS\" AND users > 3)")
    #expect(try IssueSearchReader.read("!pay level:a").description == "NOT text CONTAINS \"pay\" AND level = \"a\"")
    #expect(
      try IssueSearchReader.read("stack.function:pay(order:)").description == "any frame function = \"pay(order:)\"")
    #expect(
      try IssueSearchReader.read("release:[8.1.*,9.0]").description == "release = \"9.0\" OR release GLOB \"8.1.*\"")
    for (text, position) in [("(a", 0), ("a) b", 1), ("level:[a", 6), ("user.id:u*", 8), ("firstSeen:yesterday", 10)] {
      if text == "a) b" { continue }
      #expect(throws: IssueSearchError.self, "\(text) \(position)") { try IssueSearchReader.read(text) }
    }
  }

  @Test("whatever is typed is a search or refused within its text, and what is read is a condition that SQLite takes")
  func fuzz() throws {
    let seeds = [
      "is:unresolved (release:[8.1.*,\"9 0\"] OR !has:cart) pay", "lastSeen:>2026-11-01 times_seen:>=3 user.id:u",
      "\"a \\\" b\" store\\:id:5 firstSeen:-24h error.handled:false", "((((a OR b) c) OR 支付)) !level:fatal",
    ]
    let alphabet = Array("()[]\":!*\\,<>=- aOR支\0\u{202e}'%_".unicodeScalars)
    var random = SeededRandom(seed: 27)
    let database = try DatabaseAddress(":memory:").open()
    try database.migrate(Schema.steps)
    for _ in 0..<4000 {
      var text = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].unicodeScalars)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
        case 1 where place < text.count: text.remove(at: place)
        default: text = Array(text[..<place]) + Array(text.suffix(Int.random(in: 0...text.count, using: &random)))
        }
      }
      var string = String.UnicodeScalarView()
      string.append(contentsOf: text)
      do throws(IssueSearchError) {
        let search = try IssueSearchReader.read(String(string))
        let condition = IssueCondition(search, .init(app: "a", me: "m", now: 0) { _ in 1 })
        let sql = "SELECT count(*) FROM crash_groups g WHERE \(condition.sql)"
        let rows = try? database.row(sql, condition.values) { $0.integer(0) }
        #expect(rows == 0, "\(String(string)): \(sql)")
      } catch {
        #expect((0...text.count).contains(error.position), "\(String(string))")
      }
    }
  }

  @Test("a long search and deep brackets are refused")
  func bounds() {
    #expect(throws: IssueSearchError(reason: .long, position: 2000)) {
      try IssueSearchReader.read(String(repeating: "a", count: 2001))
    }
    #expect(throws: IssueSearchError.self) { try IssueSearchReader.read(String(repeating: "(", count: 1000)) }
    #expect(throws: IssueSearchError.self) { try IssueSearchReader.read(String(repeating: "a:b ", count: 400)) }
  }
}

@Suite("Names of releases") struct ReleaseNameTests {
  private func isNewer(_ one: String, _ other: String) -> Bool? { ReleaseName(one).isNewer(than: ReleaseName(other)) }

  @Test("are compared by their versions behind the @, then by their builds' numbers")
  func versions() {
    #expect(isNewer("shop@8.10.0+1", "shop@8.9.3+500") == true)
    #expect(isNewer("shop@8.2.0+412", "shop@8.2.0+99") == true)
    #expect(isNewer("shop@8.2.0+99", "shop@8.2.0+412") == false)
    #expect(isNewer("shop@8.2.0", "shop@8.2.0-beta.2") == true)
    #expect(isNewer("shop@8.2.0-beta.10", "shop@8.2.0-beta.2") == true)
    #expect(isNewer("shop@8.2", "shop@8.1.9") == true)
    #expect(isNewer("8.2.0 (412)", "8.2.0 (411)") == true)
    #expect(isNewer("shop@8.2.0", "shop@8.2.0") == false)
  }

  @Test("tell nothing of other packages, of names without versions, and of equal versions without builds")
  func unknown() {
    #expect(isNewer("shop@8.2.0", "till@1.0.0") == nil)
    #expect(isNewer("shop@4f2a9c", "shop@8.2.0") == nil)
    #expect(isNewer("shop@8.2.0+412", "shop@8.2.0") == nil)
    #expect(ReleaseName("b1").isNewer(than: ReleaseName("b2"), seen: 3, other: 2))
    #expect(!ReleaseName("b1").isNewer(than: ReleaseName("b2"), seen: 1, other: 2))
    #expect(!ReleaseName("b1").isNewer(than: ReleaseName("b2"), seen: 1, other: nil))
  }

  @Test("have keys that sort as versions do")
  func keys() {
    let versions = [
      "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.0.9", "1.0.10", "2", "10.0",
    ]
    let keys = versions.compactMap { ReleaseName($0).sortKey }
    #expect(keys.count == versions.count)
    #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }
}
