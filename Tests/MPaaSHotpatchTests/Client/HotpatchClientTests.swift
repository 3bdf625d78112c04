import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Synchronization
import Testing

@testable import MPaaSHotpatch

/// Real bundles: signed and encrypted, published by the command, fetched, verified and run in Lua.
@Suite("The hotpatch client with real bundles") struct HotpatchClientTests {
  let repository: PublishedRepository
  let identity = AgeIdentity.generate()
  let key: SigningKey
  let registry = PatchRegistry()

  init() throws {
    repository = try PublishedRepository()
    key = try SigningKey.generate()
  }

  /// Builds a bundle and says `mpaas hotpatch publish`.
  func publish(_ version: String, lua: String, signedBy signer: SigningKey? = nil) throws -> Command.Outcome {
    var manifest = try PublishedRepository.manifest(version)
    manifest.issued = Date(timeIntervalSince1970: manifest.issued.timeIntervalSince1970.rounded(.down))
    manifest.expires = Date(timeIntervalSince1970: manifest.expires.timeIntervalSince1970.rounded(.down))
    let recipient = try #require(identity.recipient)
    let built = try BundleBuilder(
      manifest: manifest, files: [PayloadFile(path: "main.lua", contents: Bytes(Array(lua.utf8)))],
      recipients: [recipient], keys: [signer ?? key]
    ).build()
    let (file, pem) = (repository.home.path + "/cart.mpatch", repository.home.path + "/key.pem")
    try Data(built.bytes).write(to: URL(filePath: file))
    try key.verificationKey.pem.write(toFile: pem, atomically: true, encoding: .utf8)
    return try Command.run(
      "mpaas",
      [
        "hotpatch", "publish", file, "--repository", repository.editor.folder.path, "--percent", "100", "--key",
        "offline", "--key", "online", "--trust", pem, "--json",
      ], environment: ["MPAAS_HOME": repository.home.path])
  }

  func client(_ events: FakeRepository) throws -> HotpatchClient {
    var configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device,
      root: try [UInt8](Data(contentsOf: URL(filePath: repository.editor.folder.metadata("root", 1)))),
      mirrors: [repository.editor.folder.path], keys: [key.verificationKey], identities: [identity])
    configuration.healthyAfter = nil
    configuration.registry = registry
    return try HotpatchClient(configuration) { event in events.contents.withLock { $0.events.append(event) } }
  }

  @Test("what the command publishes runs in the app, is replaced by the next version, and is rolled back to none")
  func endToEnd() async throws {
    let total = Patchable("Cart.total", in: registry) { (price: Double) -> Double in price }
    let first = try publish("1", lua: #"patch("Cart.total", function(price) return ORIG(price) * 2 end)"#)
    #expect(first.status == 0, "\(first.errors)")
    let events = FakeRepository()
    var app = try client(events)
    await app.start()
    #expect(events.refusals == [])
    #expect(app.running == ["cart": "1"])
    #expect(total(3) == 6)
    app.confirmHealthy()
    #expect(try publish("2", lua: #"patch("Cart.total", function(price) return 1.5 end)"#).status == 0)
    await app.enterForeground()
    #expect(total(3) == 6)
    app = try client(events)
    app.runStored()
    #expect(total(3) == 1.5)
    try repository.change { document throws(TrustError) in
      _ = try document.rollBack(patch: "cart", channel: "release", to: nil, reason: "bad", at: Date())
    }
    await app.enterForeground()
    #expect(total(3) == 3)
    #expect(app.running.isEmpty)
  }

  @Test("a bundle that somebody else signed is refused by the command, and by an app that is offered it")
  func forged() async throws {
    let lua = #"patch("Cart.total", function(price) return 0 end)"#
    let outcome = try publish("1", lua: lua, signedBy: try SigningKey.generate())
    #expect(outcome.status == 77, "\(outcome.errors)")
    #expect(try repository.publisher.documents().isEmpty)
    // Published without being asked: the app still goes by the keys that it was built with.
    let bytes = Bytes(try Data(contentsOf: URL(filePath: repository.home.path + "/cart.mpatch")))
    let manifest = try PublishedRepository.manifest("1")
    let added = try repository.publisher.add(bytes, manifest, keys: repository.keys)
    #expect(added.isComplete)
    _ = try repository.publisher.change(app: Sample.app, keys: repository.keys, makes: true) {
      document throws(TrustError) in
      try document.publish(Rollout(manifest, bundle: bytes, basisPoints: 10_000), reason: "", at: Date())
    }
    let events = FakeRepository()
    let app = try client(events)
    await app.start()
    #expect(events.refusals.count == 1)
    #expect(app.running.isEmpty)
    #expect(try FileSystem.names(in: PatchStore(repository.clientFolder).bundles) == [])
  }

  @Test("refusal 28: a client without a key or a root is none")
  func noTrust() throws {
    let configuration = HotpatchClient.Configuration(
      folder: repository.clientFolder, device: Sample.device, root: [], mirrors: [], keys: [], identities: [])
    let error = #expect(throws: TrustError.self) { try HotpatchClient(configuration) }
    #expect(error?.identifier == "trust-root-missing")
  }
}
