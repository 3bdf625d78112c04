import MPaaSSupport
package import MPaaSVerification

extension ClientEffects.Offer {
  /// Follows a repository to the document of an app; nil where the repository has none.
  ///
  /// - Throws: `TrustError` of the repository's client, `rollout-malformed`, `rollout-not-in-targets`.
  package init?(
    following client: inout RepositoryClient, app: String, store: PatchStore
  ) throws(TrustError) {
    try client.refresh()
    guard let target = try client.target(RolloutDocument.path(app: app)) else { return nil }
    guard target.length <= RolloutDocument.largest else {
      throw TrustError(.rolloutMalformed, ["field": "length"])
    }
    let path = store.metadata + "/rollout"
    try client.download(target, to: path)
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(path, limit: RolloutDocument.largest) } catch {
      throw TrustError(error)
    }
    // Between the download and now the file could have been changed: its digest is what targets lists.
    guard target.file.digests.match(bytes.array) else { throw TrustError(.rolloutMalformed, ["field": "sha256"]) }
    let document = try RolloutDocument(reading: bytes.buffer)
    var lookup = client
    try document.check { name throws(TrustError) in try lookup.target(name)?.file }
    let found = lookup
    self.init(document: document) { rollout, path throws(TrustError) in
      var client = found
      guard let target = try client.target(rollout.target.path) else {
        throw TrustError(
          .rolloutNotInTargets,
          ["patch": rollout.patch, "version": rollout.version.text, "path": rollout.target.path])
      }
      try client.download(target, to: path)
    }
  }
}
