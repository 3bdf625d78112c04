import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RolloutPublisher {
  /// The keys that are named, and those that the repository's settings name for its online roles, still closed.
  ///
  /// - Throws: `TrustError` `rollout-no-key` where neither names one; what a key's file or record is refused for; each
  ///   must be for at least one of the roles that publishing needs.
  package func sealedKeys(_ words: [String], of store: KeyStore) throws(TrustError) -> [SealedKey] {
    var names = words
    for name in try editor.read().settings.onlineKeys where !names.contains(name) { names.append(name) }
    guard !names.isEmpty else { throw TrustError(.rolloutNoKey) }
    let sealed = try names.map { name throws(TrustError) in try store.sealedKey(name) }
    for key in sealed { try Self.check(key, at: editor.now()) }
    return sealed
  }

  private static func check(_ key: SealedKey, at time: Date) throws(TrustError) {
    let roles: [KeyRole] = [.director, .snapshot, .timestamp, .targets, .root]
    for role in roles where (try? key.check(for: role, at: time)) != nil { return }
    try key.check(for: .director, at: time)
  }
}

extension TrustError.Code {
  static let rolloutNoKey = TrustError.Code("rollout-no-key", exit: .usage)
}
