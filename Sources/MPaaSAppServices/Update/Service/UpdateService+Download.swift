import MPaaSDeltas
import MPaaSDigests
package import MPaaSSupport
package import MPaaSVerification

extension UpdateService {
  /// Brings the package of an offered version.
  ///
  /// Only a difference is fetched where the installed package is given and the feed has one from it; the installed
  /// package must have the digest that the difference was made from, and the result the one that the feed names. Where
  /// any of it fails, the whole package is fetched.
  ///
  /// - Parameters:
  ///   - offer: The version that is downloaded.
  ///   - path: The place for the package; what is there is replaced when the new one is whole.
  ///   - installed: The package of the installed version; nil where there is none at hand.
  /// - Throws: `AppServiceError` `update-no-file` where the version is had from its page alone, `target-digest-mismatch`,
  ///   or why no mirror answered.
  public func download(
    _ offer: UpdateOffer, to path: String, installed: String? = nil
  ) async throws(AppServiceError) -> UpdateDownload {
    let version = configuration.request.version
    return try await onThread { () throws(TrustError) in
      guard let file = offer.release.file else { throw TrustError(.updateNoFile, ["version": offer.version]) }
      var client = try self.client()
      try client.open()
      let origin = try? UpdateFeed.version(version)
      if let installed, let delta = origin.flatMap({ offer.delta(from: $0) }),
        let fetched = try? Self.patch(installed, delta, file, path, &client)
      {
        return UpdateDownload(path: path, usedDelta: true, fetched: fetched)
      }
      try Self.fetch(file, to: path, &client)
      return UpdateDownload(path: path, usedDelta: false, fetched: file.length)
    }
  }

  /// Fetches a file that must be what both the feed and the repository name.
  private static func fetch(
    _ file: UpdateFile, to path: String, _ client: inout RepositoryClient
  ) throws(TrustError) {
    guard let target = try client.target(file.path), target.length == file.length,
      target.file.digests.hexadecimal["sha256"] == file.sha256
    else { throw TrustError(.updateNotInTargets, ["path": file.path, "version": "?"]) }
    try client.download(target, to: path)
  }

  /// Makes the package of the installed one and a difference; nil where something is not as it should be.
  private static func patch(
    _ installed: String, _ delta: UpdateDelta, _ file: UpdateFile, _ path: String, _ client: inout RepositoryClient
  ) throws -> Int? {
    let old = try Bytes.mapping(installed)
    let arrived = path + ".delta"
    defer { try? FileSystem.remove(arrived) }
    guard old.sha256.hexadecimal == delta.fromSHA256 else { return nil }
    try fetch(delta.file, to: arrived, &client)
    let new = try UpdatePatch(file).applying(try Bytes.mapping(arrived), to: old)
    try new.write(to: path)
    return delta.file.length
  }
}

/// The work of making a package of an older one and a difference.
package struct UpdatePatch: Sendable {
  private let file: UpdateFile

  /// - Parameter file: What the result must be.
  package init(_ file: UpdateFile) { self.file = file }

  /// Applies a difference.
  ///
  /// - Throws: `TrustError` `update-delta-failed` where the difference is damaged, or another file comes out.
  package func applying(_ delta: Bytes, to old: Bytes) throws(TrustError) -> Bytes {
    guard let new = ZstdFrame.content(of: delta, against: old, size: file.length), new.sha256.hexadecimal == file.sha256
    else { throw TrustError(.updateDeltaFailed, ["path": file.path]) }
    return new
  }
}

extension TrustError.Code {
  package static let updateNoFile = TrustError.Code("update-no-file", exit: .inputMissing)
  package static let updateDeltaFailed = refused("update-delta-failed")
}
