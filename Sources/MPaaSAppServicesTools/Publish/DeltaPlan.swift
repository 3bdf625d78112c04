package import MPaaSAppServices
package import MPaaSDeltas
import MPaaSDigests
package import MPaaSSupport

/// A difference that was made, or the reason why none was.
package struct MadeDelta: Sendable {
  package let from: AppVersion
  package let fromSHA256: String
  /// The difference; nil where it is not smaller than the package.
  package let bytes: Bytes?

  /// Makes the difference from an older package to a new one, and tries it.
  ///
  /// - Throws: `DeltaError`.
  package init(from version: AppVersion, _ old: Bytes, to new: Bytes) throws(DeltaError) {
    from = version
    fromSHA256 = old.sha256.hexadecimal
    let delta = try ZstdFrame.difference(from: old, to: new)
    // A difference that clients could not apply is not published.
    let result = ZstdFrame.content(of: delta, against: old, size: new.count)
    bytes = delta.count < new.count && result.map { $0.buffer.elementsEqual(new.buffer) } == true ? delta : nil
  }
}

extension UpdateFeed {
  /// The packages that a new one gets differences from: the newest of the platform below its version,
  /// of whatever channel.
  package func origins(of release: UpdateRelease, count: Int) -> [UpdateRelease] {
    let older = releases.filter {
      $0.platform == release.platform && $0.version < release.version && $0.file != nil && $0.state != .withdrawn
    }
    return Array(older.sorted { $0.version > $1.version }.prefix(count))
  }
}
