package import Foundation
import MPaaSDigests
package import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
package import MPaaSTestSupport
import MPaaSTrust
package import Synchronization

/// A repository in memory: bundles are any bytes, and verification knows their manifests by their digests.
package final class FakeRepository: Sendable {
  package struct Contents {
    package var document: RolloutDocument
    package var bundles: [String: (bytes: [UInt8], content: PatchContent)] = [:]
    package var failure: TrustError?
    package var time = Sample.start
    package var running: [String: String] = [:]
    package var runFailure: TrustError?
    package var events: [HotpatchEvent] = []
    package var downloads = 0
    /// The end of the run before that was not said to be healthy.
    package var end = RunEnd.crashed
  }
  package let contents = Mutex(Contents(document: RolloutDocument(app: Sample.app, updated: Sample.start)))

  package init() {}

  /// Adds a version and puts it on its way to everybody.
  package func publish(_ version: String, _ change: (inout Rollout, inout PatchManifest) -> Void = { _, _ in }) throws {
    let bytes = Array("bundle of \(version)".utf8)
    var rollout = try Sample.rollout(version)
    var manifest = PatchManifest(
      app: Sample.app, channel: "release", patch: "cart", version: rollout.version, appVersions: rollout.appVersions,
      issued: Sample.start - 100, expires: Sample.start + 86_400, symbols: ["Cart.total"],
      payload: PatchManifest.Payload(length: 1, sha256: Sample.digest(1), plainLength: 1), files: [], notes: "")
    rollout.target.length = bytes.count
    rollout.target.sha256 = bytes.sha256.hexadecimal
    change(&rollout, &manifest)
    let content = PatchContent(manifest: manifest, lua: ["main.lua": "-- \(version)"])
    try contents.withLock {
      $0.bundles[rollout.target.sha256] = (bytes, content)
      try $0.document.publish(rollout, reason: "", at: $0.time)
    }
  }

  package func change(_ body: (inout RolloutDocument) throws -> Void) rethrows {
    try contents.withLock { try body(&$0.document) }
  }

  package var effects: ClientEffects {
    ClientEffects(
      now: { self.contents.withLock(\.time) },
      sync: { () throws(TrustError) in
        let (document, failure) = self.contents.withLock { ($0.document, $0.failure) }
        if let failure { throw failure }
        return ClientEffects.Offer(document: document) { rollout, path throws(TrustError) in
          let bytes = self.contents.withLock {
            $0.downloads += 1
            return $0.bundles[rollout.target.sha256]?.bytes ?? []
          }
          do throws(FileError) { try Bytes(bytes).write(to: path) } catch { throw TrustError(error) }
        }
      },
      verify: { bytes, _ throws(TrustError) in
        guard let bundle = self.contents.withLock({ $0.bundles[bytes.sha256.hexadecimal] }) else {
          throw TrustError(.installedPatchChanged)
        }
        return bundle.content
      },
      run: { content throws(TrustError) in
        if let failure = self.contents.withLock(\.runFailure) { throw failure }
        self.contents.withLock { $0.running[content.manifest.patch] = content.manifest.version.text }
      },
      stop: { patch in self.contents.withLock { $0.running[patch] = nil } },
      end: { _ in self.contents.withLock(\.end) })
  }

  /// A new process of the app over the same folder.
  package func launch(_ folder: TemporaryFolder, device: DeviceFacts = Sample.device) throws -> ClientCore {
    contents.withLock {
      $0.running = [:]
      $0.events = []
    }
    var core = ClientCore(store: PatchStore(folder.path), device: device, effects: effects) { event in
      self.contents.withLock { $0.events.append(event) }
    }
    try core.runStored()
    return core
  }

  package var running: String? { contents.withLock { $0.running["cart"] } }
  package var events: [HotpatchEvent] { contents.withLock(\.events) }
  /// The identifiers of what was refused, and of syncs that failed.
  package var refusals: [String] {
    events.compactMap { event in
      switch event {
      case .refused(_, let error), .syncFailed(let error): error.identifier
      default: nil
      }
    }
  }
}
