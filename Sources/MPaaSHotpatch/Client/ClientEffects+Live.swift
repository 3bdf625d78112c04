import MPaaSLock
import MPaaSSupport
import MPaaSTime
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ClientEffects {
  /// The repository over its mirrors, bundles by their signatures, patches in Lua.
  static func live(_ configuration: HotpatchClient.Configuration, _ store: PatchStore) throws(TrustError) -> Self {
    let fetch = try RepositoryFetch(
      mirrors: configuration.mirrors, scratch: store.metadata, pace: configuration.pace)
    let runtimes = RunningPatches()
    return ClientEffects(
      now: configuration.now,
      sync: { () throws(TrustError) in
        // One deadline for metadata and bundles together.
        var client = RepositoryClient(
          metadataFolder: store.metadata, fetch: fetch.ending(at: .now + configuration.syncTime),
          now: configuration.now)
        try client.initialize(root: configuration.root)
        return try Offer(following: &client, app: configuration.device.app, store: store)
      },
      verify: { bytes, time throws(TrustError) in
        let verifier = BundleVerifier(
          signers: TrustedSigners(keys: configuration.keys, threshold: configuration.threshold),
          identities: configuration.identities, app: configuration.device.app,
          channel: configuration.device.channel, time: time)
        return PatchContent(try verifier.verify(bytes))
      },
      run: { content throws(TrustError) in try runtimes.run(content, configuration) },
      stop: { patch in runtimes.stop(patch) }, end: configuration.previousEnd, processID: getpid())
  }
}

extension PatchContent {
  init(_ bundle: VerifiedBundle) {
    var lua: [String: String] = [:]
    for file in bundle.files ?? [] where file.isLua { lua[file.path] = file.text }
    self.init(manifest: bundle.manifest, lua: lua)
  }
}

/// The patches that run in this process, by their names.
private final class RunningPatches: Sendable {
  private let runtimes = Lock<[String: PatchRuntime]>([:])

  func run(_ content: PatchContent, _ configuration: HotpatchClient.Configuration) throws(TrustError) {
    let name = content.manifest.patch
    do throws(PatchFailure) {
      let runtime = try PatchRuntime(
        name: "\(name) \(content.manifest.version)", files: content.lua, registry: configuration.registry,
        configuration: configuration.runtime)
      // The new one is in place before the old one goes, so that no call in between gets the original.
      let old = runtimes.withLock { runtimes in
        defer { runtimes[name] = runtime }
        return runtimes[name]
      }
      old?.unload()
    } catch {
      throw TrustError(
        .patchNotLoaded,
        ["patch": name, "version": content.manifest.version.text, "message": error.message])
    }
  }

  func stop(_ patch: String) {
    runtimes.withLock { $0.removeValue(forKey: patch) }?.unload()
  }
}

extension TrustError.Code {
  package static let patchNotLoaded = refused("patch-not-loaded")
}
