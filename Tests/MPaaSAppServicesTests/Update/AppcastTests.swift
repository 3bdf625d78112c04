import Foundation
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Appcasts") struct AppcastTests {
  private func read(_ name: String) throws -> Appcast {
    let path = try Fixture.path("services/updates/\(name).xml")
    return try Appcast(reading: Bytes.reading(path).array, file: name + ".xml")
  }

  private func request(_ installed: String, system: String? = nil, channels: Set<String> = []) throws -> AppcastRequest
  {
    var request = AppcastRequest(
      installed: try UpdateFeed.version(installed),
      now: Date(timeIntervalSince1970: 1_790_000_000).timeIntervalSince1970)
    request.systemVersion = system.flatMap { DottedVersion($0) }
    request.channels = channels
    return request
  }

  @Test("have items with versions, notes, files, differences and rules", .fixtures)
  func example() throws {
    let appcast = try read("testappcast")
    #expect(appcast.title == "For unit test only")
    #expect(appcast.items.map(\.version.text) == ["2.0", "3.0", "4.0", "5.0"])
    #expect(appcast.findings.isEmpty)
    let (two, three) = (appcast.items[0], appcast.items[1])
    #expect(two.notes == "desc" && two.notesFormat == "plain-text")
    #expect(two.published == 1_406_388_011)
    #expect(try two.isCritical(for: UpdateFeed.version("1.4")) && !two.isCritical(for: UpdateFeed.version("1.5")))
    #expect(three.isCritical && three.criticalBelow == nil)
    #expect(three.file?.length == 1_346_234)
    #expect(three.deltas.map(\.from.text) == ["2.0", "1.0"])
    #expect(three.deltas.map(\.file.length) == [1235, 1485])
    #expect(three.phasedInterval == 86400)
    #expect(appcast.items[2].minimumSystem == "17.0.0")
    #expect(appcast.items[3].maximumSystem == "2.0.0")
    // The newest one that runs on the system.
    #expect(appcast.best(for: try request("1.0", system: "15.0"))?.version.text == "3.0")
    #expect(appcast.best(for: try request("3.0", system: "15.0")) == nil)
    #expect(appcast.best(for: try request("1.0", system: "17.1"))?.version.text == "4.0")
  }

  @Test("offer channels to those who follow them, and leave out items that nobody can use", .fixtures)
  func channels() throws {
    let appcast = try read("testappcast_channels")
    #expect(appcast.items.map(\.version.text) == ["2.0", "3.0", "4.0", "5.0", "6.0"])
    #expect(appcast.findings.count == 1)
    #expect(appcast.best(for: try request("1.0"))?.version.text == "3.0")
    #expect(appcast.best(for: try request("1.0", channels: ["beta"]))?.version.text == "4.0")
    #expect(appcast.best(for: try request("1.0", channels: ["beta", "nightly"]))?.version.text == "5.0")
    var windows = try request("1.0")
    windows.system = "windows"
    #expect(appcast.best(for: windows)?.version.text == "6.0")
  }

  @Test("let parts of a phased rollout wait for their turn; critical versions wait for none", .fixtures)
  func phased() throws {
    var appcast = try read("testappcast_phasedRollout")
    var request = try request("1.0")
    request.now = 1_406_388_011 + 86400 * 2
    request.group = 6
    #expect(appcast.best(for: request)?.version.text == "3.0")
    appcast.items.removeFirst()
    #expect(appcast.best(for: request) == nil)
    request.group = 2
    #expect(appcast.best(for: request)?.version.text == "2.0")
  }

  @Test("may call the namespace by any prefix", .fixtures)
  func namespaces() throws {
    let appcast = try read("testnamespaces")
    #expect(appcast.items.map(\.version.text) == ["3.0", "2.0"])
    #expect(appcast.items[0].notesLink == "https://sparkle-project.org/#works")
  }

  @Test("lead to the web alone, not to files of the device", .fixtures)
  func dangerous() throws {
    let appcast = try read("test-dangerous-link")
    #expect(appcast.items.map(\.version.text) == ["3.0", "2.0"])
    #expect(appcast.findings.count == 1)
    #expect(appcast.items.allSatisfy { $0.link?.hasPrefix("http") == true })
  }

  @Test("tell the least version that updates itself", .fixtures)
  func minimumAutoupdate() throws {
    let appcast = try read("testappcast_minimumAutoupdateVersionSkipping")
    #expect(appcast.items.map { $0.minimumAutoupdate?.text } == ["4.0", "4.0", "3.0", "3.0", nil])
  }

  @Test(
    "are the same after they were written and read again", .fixtures,
    arguments: [
      "testappcast", "testappcast_channels", "testappcast_phasedRollout", "testnamespaces", "test-dangerous-link",
      "testappcast_minimumAutoupdateVersion", "testappcast_minimumAutoupdateVersionSkipping",
    ])
  func roundTrip(_ name: String) throws {
    var appcast = try read(name)
    appcast.findings = []
    for index in appcast.items.indices { appcast.items[index].normalizeTypes() }
    #expect(try Appcast(reading: Array(appcast.xml.utf8), file: name) == appcast)
  }

  @Test("keep elements that are not known here, with their attributes")
  func unknown() throws {
    let xml = """
      <rss xmlns:sparkle="\(Appcast.namespace)"><channel><title>T &amp; U</title><item><sparkle:version>1</sparkle:version>
      <sparkle:belowVersion a="&lt;1&gt;">x</sparkle:belowVersion><enclosure url="https://e.com/a?b=1&amp;c=2" type="t"/></item></channel></rss>
      """
    let appcast = try Appcast(reading: Array(xml.utf8), file: "x")
    #expect(appcast.items[0].others == [.init(name: "sparkle:belowVersion", attributes: ["a": "<1>"], text: "x")])
    #expect(try Appcast(reading: Array(appcast.xml.utf8), file: "x") == appcast)
  }

  @Test(
    "are refused where they are no RSS, or have a document type",
    arguments: ["", "<rss>", "<feed/>", "<!DOCTYPE a><rss/>"])
  func refused(_ text: String) throws {
    let error = #expect(throws: AppcastError.self) { try Appcast(reading: Array(text.utf8), file: "x.xml") }
    #expect(error?.code == .appcastMalformed)
    #expect(error?.place != nil)
  }

  @Test("of any bytes are read or refused")
  func fuzz() throws {
    var appcast = Appcast(title: "T")
    var item = AppcastItem(version: try UpdateFeed.version("1"))
    item.file = AppcastFile(url: "https://example.com/a")
    item.deltas = [.init(from: item.version, file: AppcastFile(url: "https://example.com/d"))]
    appcast.items = [item]
    let good = Array(appcast.xml.utf8)
    var random = SeededRandom(seed: 8)
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? Appcast(reading: bytes, file: "x")
    }
  }

  @Test("of a feed has its running versions, the newest first, with channels, critical ones and phases")
  func ofFeed() throws {
    let feed = try UpdateDecisionTests.feed([
      ("1.0", { _ in }), ("1.1", { $0.channel = "beta" }), ("1.2", { $0.state = .paused }),
      (
        "1.3",
        { release in
          release.file = UpdateFile(path: "updates/SHOP/ios/1.3/Shop a.zip", length: 5, sha256: "")
          release.basisPoints = 100
          release.forceBelow = AppVersion("1.0")
          release.notes = ["en": "a < b"]
        }
      ),
    ])
    let appcast = Appcast(feed, platform: "ios", base: "https://e.com/t", language: "en") { _ in "sig" }
    #expect(appcast.items.map(\.version.text) == ["1.3", "1.1", "1.0"])
    #expect(appcast.items[0].file?.url == "https://e.com/t/updates/SHOP/ios/1.3/Shop%20a.zip")
    #expect(appcast.items[0].file?.edSignature == "sig")
    #expect(appcast.items[0].isCritical && appcast.items[0].criticalBelow?.text == "1.0")
    #expect(appcast.items[0].phasedInterval == 86400)
    #expect(appcast.items[0].notes == "a < b")
    #expect(appcast.items.map(\.channel) == [nil, "beta", nil])
    #expect(appcast.items[1].isInformational)
  }
}

extension AppcastItem {
  /// Gives files without a type the one that is written for them.
  fileprivate mutating func normalizeTypes() {
    if file != nil, file?.type == nil { file?.type = "application/octet-stream" }
    for index in deltas.indices where deltas[index].file.type == nil {
      deltas[index].file.type = "application/octet-stream"
    }
  }
}
