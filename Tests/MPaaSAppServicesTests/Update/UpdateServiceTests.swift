import Foundation
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrustTools
import Testing

@Suite("The update service") struct UpdateServiceTests {
  @Test("answers with the newest version, asks the user once where the operator says so, and works offline afterwards")
  func check() async throws {
    let samples = try UpdateSamples()
    try samples.publish("1.0", UpdateSamples.package(1))
    try samples.publish("1.1", UpdateSamples.package(2)) { $0.notes = ["en": "Faster", "zh-Hans": "更快"] }
    let service = try samples.service("1.0")
    #expect(try service.lastAnswer() == nil)
    let answer = try await service.checkUpdate()
    let offer = try #require(answer.offer)
    #expect(offer.version == "1.1")
    #expect(offer.notes(in: "zh-Hans") == "更快")
    #expect(answer.asksUser && !answer.isForced)
    try service.didAsk(about: offer)
    #expect(try await service.checkUpdate().asksUser == false)
    #expect(try service.lastAnswer()?.offer?.version == "1.1")
    #expect(try await samples.service("1.1").checkUpdate().isUpdateAvailable == false)
    #expect(try await service.checkUpdate(UpdateRequest(appKey: "SHOP", version: "1.1")).offer == nil)
  }

  @Test("an app without versions is told, and one without a repository, too")
  func missing() async throws {
    let samples = try UpdateSamples()
    let error = await #expect(throws: AppServiceError.self) { try await samples.service("1.0").checkUpdate() }
    #expect(error?.identifier == "update-feed-missing")
    let nowhere = try samples.service("1.0", repository: samples.folder.path + "/nowhere")
    let gone = await #expect(throws: AppServiceError.self) { try await nowhere.checkUpdate() }
    #expect(gone?.identifier == "metadata-missing")
  }

  @Test("an expired feed is refused, and the last answer stays")
  func expired() async throws {
    let samples = try UpdateSamples()
    try samples.publish("1.1", UpdateSamples.package(1))
    #expect(try await samples.service("1.0").checkUpdate().offer?.version == "1.1")
    let later = try samples.service("1.0", at: UpdateSamples.start + 86_400 * 3000)
    let error = await #expect(throws: AppServiceError.self) { try await later.checkUpdate() }
    #expect(error?.identifier == "metadata-expired")
    #expect(try later.lastAnswer()?.offer?.version == "1.1")
  }

  @Test("an older repository is refused, and so is one that others signed")
  func older() async throws {
    let samples = try UpdateSamples()
    try samples.publish("1.1", UpdateSamples.package(1))
    let old = samples.folder.path + "/old"
    try FileManager.default.copyItem(atPath: samples.repository, toPath: old)
    try samples.publish("1.2", UpdateSamples.package(2))
    #expect(try await samples.service("1.0").checkUpdate().offer?.version == "1.2")
    let error = await #expect(throws: AppServiceError.self) {
      try await samples.service("1.0", repository: old).checkUpdate()
    }
    #expect(error?.identifier == "metadata-rollback")
    let others = try UpdateSamples()
    try others.publish("9.9", UpdateSamples.package(3))
    await #expect(throws: AppServiceError.self) {
      try await samples.service("1.0", name: "fresh", repository: others.repository).checkUpdate()
    }
    #expect(try samples.service("1.0").lastAnswer()?.offer?.version == "1.2")
  }

  @Test("a flipped bit anywhere in the feed or its signatures is never an answer")
  func flipped() async throws {
    let samples = try UpdateSamples()
    try samples.publish("1.1", UpdateSamples.package(1))
    var random = SeededRandom(seed: 2)
    var files: [String] = []
    for folder in ["metadata", "targets/updates"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: samples.repository + "/" + folder)
      files += names.filter { $0.hasSuffix(".json") && !$0.hasSuffix("root.json") }.map { folder + "/" + $0 }
    }
    #expect(files.count > 3)
    let good = try await samples.service("1.0", name: "good").checkUpdate()
    for round in 0..<SeededRandom.rounds(or: 60) {
      let path = samples.repository + "/" + files[round % files.count]
      let bytes = try Bytes.reading(path).array
      var flipped = bytes
      flipped[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      try Bytes(flipped).write(to: path)
      let service = try samples.service("1.0", name: "device-\(round)")
      if let answer = try? await service.checkUpdate() { #expect(answer == good, "\(path)") }
      try Bytes(bytes).write(to: path)
    }
  }

  @Test("a package comes by a difference where the installed one is at hand, else whole; its digest is right each time")
  func download() async throws {
    let samples = try UpdateSamples()
    let (old, new) = (UpdateSamples.package(1), UpdateSamples.package(2))
    try samples.publish("1.0", old)
    let change = try samples.publish("1.1", new)
    #expect(change.release.deltas.map(\.from.text) == ["1.0"])
    let service = try samples.service("1.0")
    let offer = try #require(try await service.checkUpdate().offer)
    let (installed, path) = (samples.folder.path + "/Shop-1.0.pkg", samples.folder.path + "/new.pkg")
    let delta = try await service.download(offer, to: path, installed: installed)
    #expect(delta.usedDelta && delta.fetched < 2000)
    #expect(try Bytes.reading(path).array == new)
    // A package of the user's that is another one.
    try Bytes(Array("other".utf8)).write(to: installed)
    try FileManager.default.removeItem(atPath: path)
    let whole = try await service.download(offer, to: path, installed: installed)
    #expect(!whole.usedDelta && whole.fetched == new.count)
    #expect(try Bytes.reading(path).array == new)
    try FileManager.default.removeItem(atPath: path)
    #expect(try await service.download(offer, to: path).usedDelta == false)
  }

  @Test("a difference that is damaged on the server is passed over")
  func damagedDelta() async throws {
    let samples = try UpdateSamples()
    let (old, new) = (UpdateSamples.package(1), UpdateSamples.package(2))
    try samples.publish("1.0", old)
    try samples.publish("1.1", new)
    let service = try samples.service("1.0")
    let offer = try #require(try await service.checkUpdate().offer)
    let folder = samples.repository + "/targets/updates/SHOP/ios/1.1"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.contains("from-") {
      try Bytes(Array("damage".utf8)).write(to: folder + "/" + name)
    }
    let path = samples.folder.path + "/new.pkg"
    let download = try await service.download(offer, to: path, installed: samples.folder.path + "/Shop-1.0.pkg")
    #expect(!download.usedDelta)
    #expect(try Bytes.reading(path).array == new)
  }
}
