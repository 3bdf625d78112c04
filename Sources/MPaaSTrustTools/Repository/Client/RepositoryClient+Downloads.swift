import MPaaSSupport
package import MPaaSTrust

extension RepositoryClient {
  /// Downloads targets into a folder, each under its name with the signs encoded that no file's name has.
  ///
  /// - Parameter note: Is told each target, and whether it was not there yet.
  /// - Throws: `TrustError` `target-missing` for a name that no role lists, and as `download(_:to:)`.
  package mutating func download(
    _ names: [String], into folder: String, _ note: (_ target: TrustedTarget, _ isNew: Bool) -> Void = { _, _ in }
  ) throws(TrustError) {
    for name in names {
      guard let target = try target(name) else { throw TrustError(.targetMissing, ["name": name]) }
      note(target, try download(target, to: folder + "/" + PercentEncoding.fileName(name)))
    }
  }
}
