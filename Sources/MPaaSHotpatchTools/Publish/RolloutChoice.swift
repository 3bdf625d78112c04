package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust

/// The rollout that is meant, as a user names it; what is left out has to be clear from the repository.
package struct RolloutChoice: Sendable, Equatable {
  package var app: String?
  package var patch: String?
  package var version: String?
  package var channel: String?

  package init(app: String? = nil, patch: String? = nil, version: String? = nil, channel: String? = nil) {
    self.app = app
    self.patch = patch
    self.version = version
    self.channel = channel
  }

  /// The place of the rollout in an app's document.
  ///
  /// - Throws: `TrustError` `patch-version-malformed`, and what `RolloutDocument.index(patch:version:channel:)` throws.
  package func index(in document: RolloutDocument) throws(TrustError) -> Int {
    try document.index(patch: patch, version: try named, channel: channel)
  }

  /// All rollouts of a document that have what is named.
  ///
  /// - Throws: `TrustError` `patch-version-malformed`.
  func rollouts(of document: RolloutDocument) throws(TrustError) -> [Rollout] {
    let version = try named
    return document.rollouts.filter { rollout in
      (patch ?? rollout.patch) == rollout.patch && (version ?? rollout.version) == rollout.version
        && (channel ?? rollout.channel) == rollout.channel
    }
  }

  private var named: DottedVersion? {
    get throws(TrustError) { try version.map { word throws(TrustError) in try DottedVersion(ofPatch: word) } }
  }
}

extension DottedVersion {
  /// The version of a patch that a user named.
  ///
  /// - Throws: `TrustError` `patch-version-malformed`.
  init(ofPatch word: String) throws(TrustError) {
    guard let version = DottedVersion(word) else { throw TrustError(.patchVersionMalformed, ["value": word]) }
    self = version
  }
}

extension RolloutPublisher {
  /// The app that is named, or the only one that the repository has rollouts of.
  ///
  /// - Throws: `TrustError` `rollout-unknown` where there is none, `rollout-several-apps`.
  package func app(of choice: RolloutChoice) throws(TrustError) -> String {
    if let app = choice.app { return app }
    let apps = try documents().map(\.app)
    guard let only = apps.first else { throw Self.unknown(app: "*") }
    guard apps.count == 1 else { throw TrustError(.rolloutSeveralApps, ["list": apps.joined(separator: ", ")]) }
    return only
  }

  static func unknown(app: String) -> TrustError {
    TrustError(.rolloutUnknown, ["app": app, "patch": "*", "version": "*"])
  }
}

extension TrustError.Code {
  static let rolloutSeveralApps = TrustError.Code("rollout-several-apps", exit: .usage)
  static let patchVersionMalformed = TrustError.Code("patch-version-malformed", exit: .usage)
}
