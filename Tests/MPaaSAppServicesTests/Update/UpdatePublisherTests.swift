import Foundation
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTrust
import Testing

@Suite("Publishing of versions") struct UpdatePublisherTests {
  @Test("differences are made from the last versions, and none where it would not be smaller")
  func deltas() throws {
    let samples = try UpdateSamples()
    for number in 1...5 { try samples.publish("1.\(number)", UpdateSamples.package(number)) }
    let release = try #require(try samples.publisher.feed(app: "SHOP")?.releases.last)
    #expect(release.deltas.map(\.from.text) == ["1.4", "1.3", "1.2"])
    let other = try samples.publish("2.0", Array("a small package that has nothing of the others".utf8))
    #expect(other.release.deltas.isEmpty)
  }

  @Test("the same call changes nothing, and one with another package under the number is refused")
  func twice() throws {
    let samples = try UpdateSamples()
    let first = try samples.publish("1.0", UpdateSamples.package(1))
    let second = try samples.publish("1.0", UpdateSamples.package(1))
    #expect(second.feed == first.feed)
    let error = #expect(throws: TrustError.self) { try samples.publish("1.0", UpdateSamples.package(2)) }
    #expect(error?.code == .updateVersionTaken)
    #expect(try samples.publisher.feed(app: "SHOP") == first.feed)
  }

  @Test("a version is promoted, paused, resumed and withdrawn, each with a higher number of the feed")
  func states() async throws {
    let samples = try UpdateSamples()
    try samples.publish("1.0", UpdateSamples.package(1))
    try samples.publish("1.1", UpdateSamples.package(2), channel: "beta")
    let service = try samples.service("0.9")
    #expect(try await service.checkUpdate().offer?.version == "1.0")
    try samples.change("1.1") { $0.channel = "release" }
    #expect(try await service.checkUpdate().offer?.version == "1.1")
    try samples.change("1.1") { $0.state = .paused }
    #expect(try await service.checkUpdate().offer?.version == "1.0")
    try samples.change("1.1") { $0.state = .running }
    #expect(try await service.checkUpdate().offer?.version == "1.1")
    try samples.change("1.1") { $0.state = .withdrawn }
    #expect(try await service.checkUpdate().offer?.version == "1.0")
    let error = #expect(throws: TrustError.self) { try samples.change("1.1") { $0.state = .running } }
    #expect(error?.code == .updateState)
    #expect(try samples.publisher.feed(app: "SHOP")?.version == 6)
    let unknown = #expect(throws: TrustError.self) { try samples.change("7") { $0.state = .paused } }
    #expect(unknown?.code == .updateUnknown)
  }

  @Test("a version without a package needs a page, and names must be such that files can have them")
  func refused() throws {
    let samples = try UpdateSamples()
    var candidate = UpdatePublisher.Candidate(
      app: "SHOP", version: try UpdateSamples.version("1.0"), platform: "ios", channel: "release", path: nil)
    let none = #expect(throws: TrustError.self) {
      try samples.publisher.publish(candidate, ReleaseChanges(), keys: [samples.key])
    }
    #expect(none?.code == .updateNoFile)
    var changes = ReleaseChanges()
    changes.page = "https://apps.apple.com/app/id1"
    #expect(try samples.publisher.publish(candidate, changes, keys: [samples.key]).release.page == changes.page)
    candidate.channel = "../x"
    let name = #expect(throws: TrustError.self) {
      try samples.publisher.publish(candidate, changes, keys: [samples.key])
    }
    #expect(name?.code == .updateName)
  }
}
