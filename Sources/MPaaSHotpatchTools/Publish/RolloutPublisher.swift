import MPaaSDigests
package import MPaaSHotpatch
package import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts bundles and rollout documents into a repository.
///
/// A bundle is published before the document names it, and both by the repository's own steps, each of which readers see
/// whole or not at all. Killed in between, the repository is valid and the same call goes on where it stopped.
package struct RolloutPublisher: Sendable {
  package let editor: RepositoryEditor

  package init(_ editor: RepositoryEditor) {
    self.editor = editor
  }

  /// The document of an app as it is staged or published; nil where there is none.
  package func document(app: String) throws(TrustError) -> RolloutDocument? {
    var draft = try editor.read()
    return try Self.document(app: app, in: &draft)
  }

  /// The documents of all apps, by the apps' names.
  package func documents() throws(TrustError) -> [RolloutDocument] {
    var draft = try editor.read()
    var documents: [RolloutDocument] = []
    for name in try draft.allTargets().keys.sorted() {
      guard let app = RolloutDocument.app(ofPath: name) else { continue }
      if let document = try Self.document(app: app, in: &draft) { documents.append(document) }
    }
    return documents
  }

  private static func document(
    app: String, in draft: inout RepositoryDraft
  ) throws(TrustError) -> RolloutDocument? {
    guard let bytes = try draft.bytes(of: RolloutDocument.path(app: app)) else { return nil }
    let document = try RolloutDocument(reading: bytes.buffer)
    guard document.app == app else {
      throw TrustError(.patchOfOtherApp, ["found": document.app, "expected": app])
    }
    return document
  }

  /// Checks that a rollout can begin, or has begun with the same bundle; nothing is changed.
  ///
  /// - Throws: `TrustError` `patch-version-lower`, `patch-version-changed`, `rollout-state` where it was withdrawn,
  ///   `rollout-name` where app, patch or channel are no names for files.
  package func checkPublication(of rollout: Rollout, app: String) throws(TrustError) {
    for name in [app, rollout.patch, rollout.channel] where !RolloutDocument.isName(name) {
      throw TrustError(.rolloutName, ["name": name])
    }
    var document = try self.document(app: app) ?? RolloutDocument(app: app, updated: editor.now())
    if try document.index(ofSame: rollout) == nil { try document.publish(rollout, reason: "", at: editor.now()) }
  }

  /// Makes the bundle a target of the role for patches.
  ///
  /// - Returns: What became of it: where signatures are missing, the document must wait for them.
  /// - Throws: `TrustError` `patch-version-changed` where the version is there with other bytes.
  package func add(
    _ bundle: Bytes, _ manifest: PatchManifest, keys: [SigningKey]
  ) throws(TrustError) -> RepositoryEditor.Outcome {
    let path = RolloutDocument.bundlePath(app: manifest.app, patch: manifest.patch, version: manifest.version)
    let digest = bundle.sha256.hexadecimal
    return try editor.edit(keys: keys) { draft throws(TrustError) in
      if let known = try draft.target(path)?.file.digests.hexadecimal["sha256"] {
        guard known == digest else {
          throw TrustError(
            .patchVersionChanged,
            ["patch": manifest.patch, "version": manifest.version.text, "known": manifest.version.text])
        }
        return
      }
      try draft.add(.bytes(bundle.array), as: path)
    }
  }

  /// Changes the document of an app and publishes it.
  ///
  /// - Parameter makes: Whether a document is made where there is none.
  /// - Throws: `TrustError` `rollout-unknown` where there is no document, `rollout-not-in-targets` where the change would
  ///   name what clients do not find.
  package func change<Value>(
    app: String, keys: [SigningKey], makes: Bool = false,
    _ body: (inout RolloutDocument) throws(TrustError) -> Value
  ) throws(TrustError) -> (value: Value, document: RolloutDocument, outcome: RepositoryEditor.Outcome) {
    var result: (Value, RolloutDocument)?
    let time = editor.now()
    let outcome = try editor.edit(keys: keys) { draft throws(TrustError) in
      let before = try Self.document(app: app, in: &draft)
      guard var document = before ?? (makes ? RolloutDocument(app: app, updated: time) : nil) else {
        throw TrustError(.rolloutUnknown, ["app": app, "patch": "*", "version": "*"])
      }
      let value = try body(&document)
      result = (value, document)
      guard document != before else { return }
      var lookup = draft
      try document.check { name throws(TrustError) in try lookup.target(name)?.file }
      try draft.add(.bytes(try document.encoded()), as: RolloutDocument.path(app: app))
    }
    guard let result else { throw TrustError(.rolloutUnknown, ["app": app, "patch": "*", "version": "*"]) }
    return (result.0, result.1, outcome)
  }
}

extension RolloutDocument {
  /// The app whose document a target's name is; nil for other targets.
  static func app(ofPath path: String) -> String? {
    let prefix = "rollout/"
    guard path.hasPrefix(prefix), path.hasSuffix(".json") else { return nil }
    let app = String(path.dropFirst(prefix.count).dropLast(5))
    return isName(app) ? app : nil
  }
}

extension Rollout {
  /// A salt that no other rollout has.
  package static func newSalt() -> String {
    var random = SystemRandomNumberGenerator()
    return Data((0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }).hexadecimal
  }

  /// The rollout of a bundle, as its manifest says.
  package init(_ manifest: PatchManifest, bundle: Bytes, basisPoints: Int, salt: String = newSalt()) {
    self.init(
      patch: manifest.patch, version: manifest.version, channel: manifest.channel,
      target: Target(
        path: RolloutDocument.bundlePath(app: manifest.app, patch: manifest.patch, version: manifest.version),
        length: bundle.count, sha256: bundle.sha256.hexadecimal),
      basisPoints: basisPoints, salt: salt, appVersions: manifest.appVersions)
  }
}

extension TrustError.Code {
  package static let rolloutName = TrustError.Code("rollout-name", exit: .usage)
}
