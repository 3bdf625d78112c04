import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools

/// A program that a test kills: publishes one version after another, and lets a client follow, until it is ended.
///
/// `HotpatchSubject REPOSITORY KEYS CLIENT`; the key store holds `offline` and `online`, not encrypted. Bundles are the
/// text `cart VERSION`.
let arguments = CommandLine.arguments
let editor = RepositoryEditor(arguments[1])
let publisher = RolloutPublisher(editor)
let keyStore = KeyStore(folder: arguments[2])
let keys = try [
  keyStore.signingKey("offline", for: .targets, passphrase: nil),
  keyStore.signingKey("online", for: .director, passphrase: nil),
]
let app = "com.example.shop"

func manifest(_ version: String) throws(TrustError) -> PatchManifest {
  guard let version = DottedVersion(version) else { throw TrustError(.installedPatchChanged) }
  return PatchManifest(
    app: app, channel: "release", patch: "cart", version: version, appVersions: .all, issued: Date() - 7200,
    expires: Date() + 86_400, symbols: ["Cart.total"],
    payload: PatchManifest.Payload(length: 1, sha256: "", plainLength: 1), files: [], notes: "")
}

func publish(_ version: Int) throws {
  let manifest = try manifest(String(version))
  let bundle = Bytes(Array("cart \(version)".utf8))
  _ = try publisher.add(bundle, manifest, keys: keys)
  _ = try publisher.change(app: app, keys: keys, makes: true) { document throws(TrustError) in
    try document.publish(Rollout(manifest, bundle: bundle, basisPoints: 10_000), reason: "", at: editor.now())
  }
}

func follow() throws {
  let store = PatchStore(arguments[3])
  let root = try [UInt8](Data(contentsOf: URL(filePath: editor.folder.metadata("root", 1))))
  let fetch = try RepositoryFetch(mirrors: [arguments[1]], scratch: store.metadata)
  let effects = ClientEffects(
    now: { Date() },
    sync: { () throws(TrustError) in
      var client = RepositoryClient(metadataFolder: store.metadata, fetch: fetch)
      try client.initialize(root: root)
      return try ClientEffects.Offer(following: &client, app: app, store: store)
    },
    verify: { bytes, _ throws(TrustError) in
      let text = String(decoding: bytes.array, as: UTF8.self)
      return PatchContent(manifest: try manifest(String(text.dropFirst(5))), lua: [:])
    }, run: { _ throws(TrustError) in }, stop: { _ in })
  // A refusal here is what the test looks for: it ends with a status of its own.
  var core = ClientCore(
    store: store, device: DeviceFacts(id: "user-1", app: app, appVersion: "8.1.0"), effects: effects,
    tell: { event in
      switch event {
      case .refused, .syncFailed:
        print(event)
        exit(3)
      default: break
      }
    })
  try core.runStored()
  core.sync(runsNew: true)
  try core.confirmHealthy()
}

var version = Int(try publisher.document(app: app)?.rollouts.last?.version.text ?? "0") ?? 0
while version < 10_000 {
  // A version whose publication was killed between its two steps is published again.
  try follow()
  version += 1
  try publish(version)
}
