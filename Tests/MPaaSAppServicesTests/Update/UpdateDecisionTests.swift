import Foundation
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTrust
import Testing

@Suite("The version that a device gets") struct UpdateDecisionTests {
  static let time = UpdateSamples.start

  /// A feed of versions, each changed as it is asked.
  static func feed(_ releases: [(String, (inout UpdateRelease) -> Void)]) throws -> UpdateFeed {
    var feed = UpdateFeed(app: "SHOP", updated: time)
    for (version, change) in releases {
      var release = UpdateRelease(
        version: try UpdateFeed.version(version), platform: "ios", channel: "release", published: time,
        group: "SHOP:ios:\(version)", file: nil, page: "https://example.com/\(version)")
      change(&release)
      feed.releases.append(release)
    }
    return feed
  }

  private func offer(_ feed: UpdateFeed, _ installed: String, _ change: (inout UpdateRequest) -> Void = { _ in }) throws
    -> UpdateOffer?
  {
    var request = UpdateRequest(appKey: "SHOP", version: installed)
    change(&request)
    return try feed.offer(for: request, at: Self.time)
  }

  @Test("is the newest one that is newer than the installed one, on its system and its channel")
  func newest() throws {
    let feed = try Self.feed([
      ("1.0", { _ in }), ("1.2", { _ in }), ("1.1", { _ in }), ("3.0", { $0.channel = "beta" }),
    ])
    #expect(try offer(feed, "1.0")?.version == "1.2")
    #expect(try offer(feed, "1.2") == nil)
    #expect(try offer(feed, "1.2.0") == nil)
    #expect(try offer(feed, "1.0") { $0.channel = "beta" }?.version == "3.0")
    #expect(try offer(feed, "1.0") { $0.systemPlatform = "android" } == nil)
    #expect(try offer(feed, "1.0") { $0.systemPlatform = "iOS" }?.version == "1.2")
  }

  @Test("runs on the device's system")
  func system() throws {
    let feed = try Self.feed([("1.1", { _ in }), ("1.2", { $0.minimumSystem = DottedVersion("17.0") })])
    #expect(try offer(feed, "1.0") { $0.systemVersion = "16.4" }?.version == "1.1")
    #expect(try offer(feed, "1.0") { $0.systemVersion = "17" }?.version == "1.2")
    #expect(try offer(feed, "1.0")?.version == "1.2")
  }

  @Test("is neither paused nor withdrawn: the one before it is offered then")
  func states() throws {
    let feed = try Self.feed([
      ("1.1", { _ in }), ("1.2", { $0.state = .paused }), ("1.3", { $0.state = .withdrawn }),
    ])
    #expect(try offer(feed, "1.0")?.version == "1.1")
    #expect(
      try feed.verdicts(for: UpdateRequest(appKey: "SHOP", version: "1.0")).map(\.1) == [.withdrawn, .paused, .offered])
  }

  @Test(
    "is asked about as its operator says",
    arguments: UpdatePrompt.allCases)
  func prompts(_ prompt: UpdatePrompt) throws {
    let offer = try offer(try Self.feed([("1.1", { $0.prompt = prompt })]), "1.0")
    #expect(offer?.prompt == prompt)
    #expect(offer?.isForced == (prompt == .force))
  }

  @Test("is forced below a version, whatever the share, and for others not")
  func forceBelow() throws {
    let feed = try Self.feed([
      ("1.1", { $0.forceBelow = AppVersion("0.9") }), ("1.2", { $0.basisPoints = 0 }),
    ])
    #expect(try offer(feed, "0.8")?.isForced == true)
    #expect(try offer(feed, "0.9")?.isForced == false)
    let phased = try Self.feed([
      (
        "1.1",
        { release in
          release.forceBelow = AppVersion("0.9")
          release.basisPoints = 0
        }
      )
    ])
    #expect(try offer(phased, "0.8")?.version == "1.1")
    #expect(try offer(phased, "0.9") == nil)
  }

  @Test("is forced from its deadline on")
  func deadline() throws {
    let feed = try Self.feed([("1.1", { $0.deadline = Self.time + 60 })])
    let request = UpdateRequest(appKey: "SHOP", version: "1.0")
    #expect(try feed.offer(for: request, at: Self.time)?.isForced == false)
    #expect(try feed.offer(for: request, at: Self.time + 60)?.prompt == .force)
  }

  @Test("notes are in the asked language, else one near to it, else English, else any")
  func notes() throws {
    let offer = try #require(
      try offer(try Self.feed([("1.1", { $0.notes = ["en": "new", "zh-Hans": "新"] })]), "1.0"))
    #expect(offer.notes(in: "zh-Hans") == "新")
    #expect(offer.notes(in: "zh-CN") == "新")
    #expect(offer.notes(in: "en-GB") == "new")
    #expect(offer.notes(in: "fr") == "new")
    #expect(try self.offer(try Self.feed([("1.1", { _ in })]), "1.0")?.notes(in: "en") == nil)
  }

  @Test("a growing share drops nobody, and each share is right within two tenths of a point of a million")
  func buckets() throws {
    var counts = [Int](repeating: 0, count: UpdateBucket.count + 1)
    for user in 0..<1_000_000 {
      let bucket = UpdateBucket.of("user-\(user)", group: "SHOP:ios:1.1")
      counts[bucket] += 1
    }
    #expect(counts[0] == 0)
    var sum = 0
    for bucket in 1...UpdateBucket.count {
      sum += counts[bucket]
      let share = Double(sum) / 10_000
      #expect(abs(share - Double(bucket) / 100) < 0.2, "\(bucket): \(share)")
    }
    // A device is let in by a share, and by every greater one.
    for user in 0..<200 {
      let id = "u\(user)"
      var wasIn = false
      for share in [0, 1, 100, 500, 5000, 9999, 10_000] {
        let feed = try Self.feed([("1.1", { $0.basisPoints = share })])
        let isIn = try offer(feed, "1.0") { $0.deviceID = id } != nil
        #expect(!wasIn || isIn)
        wasIn = isIn
      }
      #expect(wasIn)
    }
    #expect(try offer(try Self.feed([("1.1", { $0.basisPoints = 9999 })]), "1.0") == nil)
  }

  @Test("a version that is none is refused")
  func malformed() throws {
    let error = #expect(throws: TrustError.self) { try offer(try Self.feed([]), "beta") }
    #expect(error?.code == .updateVersionMalformed)
  }
}
