import Foundation
import MPaaSAppServices
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("The feed of updates") struct UpdateFeedTests {
  private func feed() throws -> UpdateFeed {
    var feed = try UpdateDecisionTests.feed([
      ("1.0", { _ in }),
      (
        "1.1",
        { release in
          let digest = String(repeating: "ab", count: 32)
          release.file = UpdateFile(path: "updates/SHOP/ios/1.1/Shop.ipa", length: 10, sha256: digest)
          release.deltas = [
            UpdateDelta(
              from: release.version, fromSHA256: digest,
              file: UpdateFile(path: "updates/SHOP/ios/1.1/from-1.0.zst", length: 3, sha256: digest))
          ]
          release.notes = ["en": "new", "zh-Hans": "新"]
          release.minimumSystem = DottedVersion("15.0")
          release.prompt = .always
          release.forceBelow = AppVersion("0.9b1")
          release.deadline = UpdateSamples.start
          release.basisPoints = 1250
          release.state = .paused
        }
      ),
    ])
    feed.version = 7
    return feed
  }

  private func read(_ bytes: [UInt8]) throws -> UpdateFeed { try bytes.withUnsafeBytes { try UpdateFeed(reading: $0) } }

  @Test("is read as it was written")
  func roundTrip() throws {
    let feed = try feed()
    #expect(try read(feed.encoded()) == feed)
  }

  @Test(
    "is refused where a member cannot be so",
    arguments: [
      ("\"version\":7", "\"version\":-1"), ("mpaas-updates/1", "mpaas-updates/2"),
      ("\"app\":\"SHOP\"", "\"app\":\"../x\""),
      ("1250", "10001"), ("\"paused\"", "\"gone\""), ("updates/SHOP/ios/1.1/Shop.ipa", "patches/SHOP/Shop.ipa"),
      ("abab\"}", "abAB\"}"), ("\"1.1\"", "\"1.0\""), ("\"always\"", "\"never\""), ("\"15.0\"", "\"x\""),
      ("\"releases\":", "\"more\":1,\"releases\":"), (",\"version\":7}", ",\"version\":7} "),
    ])
  func refused(_ text: String, _ other: String) throws {
    let good = String(decoding: try feed().encoded(), as: UTF8.self)
    #expect(good.contains(text))
    let bad = good.replacingOccurrences(of: text, with: other)
    let error = #expect(throws: TrustError.self) { try read(Array(bad.utf8)) }
    #expect(error?.code == .updateFeedMalformed, "\(text)")
  }

  @Test("names only files that the repository lists, byte for byte; those of withdrawn versions may be gone")
  func targets() throws {
    var feed = try feed()
    let error = #expect(throws: TrustError.self) { try feed.check { _ in nil } }
    #expect(error?.code == .updateNotInTargets)
    feed.releases[1].state = .withdrawn
    try feed.check { _ in nil }
  }

  @Test("of any bytes is read or refused")
  func fuzz() throws {
    let good = try feed().encoded()
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7e, using: &random)
      }
      if let feed = try? read(bytes) { _ = try feed.encoded() }
    }
  }
}
