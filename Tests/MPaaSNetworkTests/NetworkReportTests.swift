import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Journals and their reports") struct NetworkReportTests {
  /// A journal of ten seconds as a server writes it.
  static func journal(at path: String) throws -> String {
    let journal = try NetworkJournal(appendingTo: path)
    func definition(_ toxics: [Toxic]) -> ProxyDefinition {
      ProxyDefinition(name: "web", listen: "127.0.0.1:1", upstream: "example.com:80", toxics: toxics)
    }
    journal.note([definition([])], at: 1000)
    for second in 0...10 {
      var statistics = ProxyStatistics(proxy: "web")
      statistics.connections = Int64(second)
      statistics.openConnections = second % 3
      statistics.downstream.received = Int64(second) * 125_000
      statistics.downstream.sent = Int64(second) * 125_000
      statistics.downstream.delays[6] = Int64(second) * 10
      journal.note([statistics], at: 1000 + Double(second))
    }
    journal.note(NetworkEvent(time: 1002, kind: .profileApplied, details: ["profile": "3g"]))
    journal.note([definition([Toxic(.loss(Loss(0.02)), direction: .upstream)])], at: 1003)
    journal.note(NetworkEvent(time: 1004, kind: .timelineStep, details: ["timeline": "t", "label": "flight mode <&>"]))
    journal.note(NetworkEvent(time: 1006, kind: .timelineEnded, details: ["timeline": "t"]))
    journal.note([definition([])], at: 1007)
    journal.note(NetworkEvent(time: 1008, kind: .profileApplied, details: ["profile": "off"]))
    journal.note(NetworkEvent(time: 1009, kind: .connectionFailed, proxy: "web", details: ["reason": "refused"]))
    return try TextFile.reading(path)
  }

  private func report() throws -> NetworkReport {
    let folder = try TemporaryFolder()
    return NetworkReport(try Journal(try Self.journal(at: folder.path + "/j"), file: "j"))
  }

  @Test("what was applied when, what passed, how fast and how late")
  func contents() throws {
    let report = try report()
    #expect(report.duration >= 10)
    #expect(report.applied.map(\.label) == ["3g", "up loss 2%", "flight mode <&>"])
    #expect(report.applied.map(\.start) == [2, 3, 4])
    #expect(report.applied.map(\.end) == [8, 7, 6])
    let web = try #require(report.proxies.first)
    #expect(web.connections == 10)
    #expect(web.down.sent == 1_250_000)
    #expect(web.upstream == "example.com:80")
    #expect(web.down.delays == .init(p50: 64, p95: 64, most: 64))
    #expect(report.points.count == 10)
    #expect(report.points.allSatisfy { abs($0.down - 1_000_000) < 1 })
    #expect(report.failures == ["refused": 1])
  }

  @Test("a journal that another program went on with is counted on, and its last half line is passed over")
  func continued() throws {
    let folder = try TemporaryFolder()
    let once = try Self.journal(at: folder.path + "/j")
    let twice = try Self.journal(at: folder.path + "/j")
    #expect(twice.count > once.count)
    let report = NetworkReport(try Journal(twice + "{\"event\":\"tox", file: "j"))
    #expect(report.unreadable == 1)
  }

  @Test("a page, a picture and Markdown need nothing from elsewhere, and names cannot break out of them")
  func forms() throws {
    let report = try report()
    let page = ReportText(report, language: "en", words: { $0 })
    let picture = ReportSVG(report, words: { $0 }).text()
    for text in [page.html, picture] {
      #expect(text.contains("flight mode &lt;&amp;&gt;"))
      #expect(!text.contains("flight mode <"))
      #expect(!text.contains("<script"))
      #expect(!text.contains("src="))
      #expect(!text.contains("@import"))
      #expect(text.contains("prefers-color-scheme:dark"))
    }
    #expect(picture.hasPrefix("<svg xmlns="))
    #expect(picture.hasSuffix("</svg>\n"))
    #expect(page.markdown.contains("| up loss 2% |"))
    #expect(report.json["proxies"]?.array?.count == 1)
  }

  @Test("a label ends where its bar does, whose Chinese characters take two places each")
  func labels() throws {
    let folder = try TemporaryFolder()
    let label = String(repeating: "飞", count: 40)
    let text = try Self.journal(at: folder.path + "/j").replacing("flight mode <&>", with: label)
    let picture = ReportSVG(NetworkReport(try Journal(text, file: "j")), words: { $0 }).text()
    #expect(picture.contains(label))
    // The bar is 172 units wide, and a place seven.
    #expect(picture.contains(">" + String(repeating: "飞", count: 10) + "…</text>"))
  }

  @Test("a file that is no journal is refused, mutated ones are read or refused")
  func foreign() throws {
    #expect(throws: NetworkError.self) { try Journal("{}\n", file: "j") }
    let folder = try TemporaryFolder()
    let text = try Self.journal(at: folder.path + "/j")
    var random = SeededRandom(seed: 77)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      guard let journal = try? Journal(Mutation.of(text, using: &random), file: "j") else { continue }
      let report = NetworkReport(journal)
      _ = ReportSVG(report, words: { $0 }).text()
      _ = ReportText(report, language: "en", words: { $0 }).html
    }
  }

  @Test("a journal follows a collection: what is added, what holds, what passes")
  func follows() async throws {
    let folder = try TemporaryFolder()
    let journal = try NetworkJournal(appendingTo: folder.path + "/j")
    let collection = ProxyCollection(threads: 1)
    let following = Task { await journal.follow(collection, every: .milliseconds(20)) }
    var read: Journal?
    for round in 0..<500 {
      if round == 1 {
        try await collection.add(ProxyDefinition(name: "web", listen: "127.0.0.1:0", upstream: "127.0.0.1:9"))
        try await collection.add(Toxic(.loss(Loss(0.5))), to: "web")
      }
      try await Task.sleep(for: .milliseconds(20))
      read = try? Journal(try TextFile.reading(folder.path + "/j"), file: "j")
      if read?.states.last?.proxies.first?.toxics.count == 1 { break }
      if round == 0 { continue }
    }
    following.cancel()
    await following.value
    await collection.shutdown()
    #expect(read?.states.last?.proxies.first?.toxics.first?.phrase == "down loss 50%")
    #expect(read?.events.contains { $0.kind == .toxicAdded } == true)
    #expect(read?.samples.isEmpty == false)
  }
}
