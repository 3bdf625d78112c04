package import Foundation
package import MPaaSHotpatch
package import MPaaSHotpatchTools
package import MPaaSSupport
package import MPaaSTestSupport
package import MPaaSTrust
package import MPaaSTrustTools
import Synchronization
import Testing

/// A signed repository in a folder, and a client of it whose bundles are any bytes.
package struct PublishedRepository {
  package let home: TemporaryFolder
  package let offline: [SigningKey]
  package let online: SigningKey
  package let editor: RepositoryEditor
  package var publisher: RolloutPublisher { RolloutPublisher(editor) }
  package var keys: [SigningKey] { offline + [online] }
  package var clientFolder: String { home.path + "/client" }

  package init(people: Int = 1, threshold: Int = 1) throws {
    home = try TemporaryFolder()
    // The place where the command looks for it, with MPAAS_HOME.
    let store = KeyStore(folder: home.path + "/config/keys")
    _ = try store.generate("offline", roles: [.root, .targets], passphrase: nil)
    offline =
      [try store.signingKey("offline", for: .targets, passphrase: nil)]
      + (try (1..<people).map { _ in try SigningKey.generate() })
    _ = try store.generate("online", roles: [.director, .snapshot, .timestamp], passphrase: nil)
    online = try store.signingKey("online", for: .director, passphrase: nil)
    editor = RepositoryEditor(home.path + "/repository")
    let plan = RepositoryEditor.Plan(
      offline: offline.map(\.verificationKey), threshold: threshold, online: [online.verificationKey])
    let outcome = try editor.create(plan, keys: offline + [online])
    #expect(outcome.isComplete)
  }

  package static func manifest(_ version: String) throws -> PatchManifest {
    PatchManifest(
      app: Sample.app, channel: "release", patch: "cart", version: try #require(DottedVersion(version)),
      appVersions: .all, issued: Date() - 7200, expires: Date() + 86_400, symbols: ["Cart.total"],
      payload: PatchManifest.Payload(length: 1, sha256: Sample.digest(1), plainLength: 1), files: [], notes: "")
  }

  package static func bundle(_ version: String) -> Bytes { Bytes(Array("cart \(version)".utf8)) }

  @discardableResult
  package func publish(_ version: String, keys: [SigningKey]? = nil) throws -> RepositoryEditor.Outcome {
    let keys = keys ?? self.keys
    let manifest = try Self.manifest(version)
    let bundle = Self.bundle(version)
    let rollout = Rollout(manifest, bundle: bundle, basisPoints: 10_000)
    try publisher.checkPublication(of: rollout, app: manifest.app)
    let added = try publisher.add(bundle, manifest, keys: keys)
    guard added.isComplete else { return added }
    return try publisher.change(app: manifest.app, keys: keys, makes: true) { document throws(TrustError) in
      try document.publish(rollout, reason: "", at: editor.now())
    }.outcome
  }

  package func change(_ body: (inout RolloutDocument) throws(TrustError) -> Void) throws {
    _ = try publisher.change(app: Sample.app, keys: [online], body)
  }

  /// The effects of a client that follows the repository; what a bundle says is in its name.
  package func effects(now: @escaping @Sendable () -> Date = { Date() }) throws -> ClientEffects {
    let store = PatchStore(clientFolder)
    let root = try [UInt8](Data(contentsOf: URL(filePath: editor.folder.metadata("root", 1))))
    let fetch = try RepositoryFetch(mirrors: [editor.folder.path], scratch: store.metadata)
    return ClientEffects(
      now: now,
      sync: { () throws(TrustError) in
        var client = RepositoryClient(metadataFolder: store.metadata, fetch: fetch, now: now)
        try client.initialize(root: root)
        return try ClientEffects.Offer(following: &client, app: Sample.app, store: store)
      },
      verify: { bytes, _ throws(TrustError) in
        let words = String(decoding: bytes.array, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == "cart", let manifest = try? Self.manifest(String(words[1])) else {
          throw TrustError(.installedPatchChanged)
        }
        return PatchContent(manifest: manifest, lua: [:])
      }, run: { _ throws(TrustError) in }, stop: { _ in })
  }

  /// A start of the app; gives what runs and what was refused.
  package func start(now: @escaping @Sendable () -> Date = { Date() }) throws -> (running: String?, refusals: [String])
  {
    let log = FakeRepository()
    var core = try ClientCore(
      store: PatchStore(clientFolder), device: Sample.device, effects: effects(now: now),
      tell: { event in log.contents.withLock { $0.events.append(event) } })
    try core.runStored()
    core.sync(runsNew: true)
    try core.confirmHealthy()
    return (core.running["cart"]?.version.text, log.refusals)
  }
}
