import Foundation
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools

/// A signed repository with versions, and a device that asks it.
struct UpdateSamples {
  static let start = Date(timeIntervalSince1970: 1_790_000_000)

  let folder: TemporaryFolder
  let key: SigningKey
  let publisher: UpdatePublisher
  var repository: String { folder.path + "/repository" }

  init(at time: Date = start) throws {
    folder = try TemporaryFolder()
    key = try SigningKey.generate()
    let editor = RepositoryEditor(folder.path + "/repository", now: { time })
    _ = try editor.create(
      .init(offline: [key.verificationKey], online: [key.verificationKey]), keys: [key])
    publisher = UpdatePublisher(editor)
  }

  static func version(_ text: String) throws -> AppVersion { try UpdateFeed.version(text) }

  /// Bytes of a package: mostly the same in all versions.
  static func package(_ version: Int, size: Int = 60_000) -> [UInt8] {
    var random = SeededRandom(seed: 1)
    var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    var change = SeededRandom(seed: UInt64(version))
    for _ in 0..<20 { bytes[Int.random(in: 0..<size, using: &change)] = UInt8(truncatingIfNeeded: version) }
    return bytes
  }

  @discardableResult
  func publish(
    _ version: String, _ bytes: [UInt8], channel: String = "release",
    _ change: (inout ReleaseChanges) -> Void = { _ in }
  ) throws -> UpdatePublisher.Change {
    let path = folder.path + "/Shop-\(version).pkg"
    try Bytes(bytes).write(to: path)
    var changes = ReleaseChanges()
    change(&changes)
    let candidate = UpdatePublisher.Candidate(
      app: "SHOP", version: try Self.version(version), platform: "ios", channel: channel, path: path)
    return try publisher.publish(candidate, changes, keys: [key])
  }

  func change(_ version: String, _ body: (inout ReleaseChanges) -> Void) throws {
    var changes = ReleaseChanges()
    body(&changes)
    _ = try publisher.change(app: "SHOP", ReleaseChoice(version: version), changes, keys: [key])
  }

  func request(_ version: String) -> UpdateRequest { UpdateRequest(appKey: "SHOP", version: version) }

  func root() throws -> [UInt8] { try Bytes.reading(repository + "/metadata/1.root.json").array }

  func service(
    _ installed: String, at time: Date = start, name: String = "device", repository: String? = nil, root: [UInt8]? = nil
  ) throws -> UpdateService {
    var configuration = UpdateConfiguration(
      folder: folder.path + "/" + name, root: try root ?? self.root(), mirrors: [repository ?? self.repository],
      request: request(installed))
    configuration.now = { time }
    return UpdateService(configuration)
  }
}
