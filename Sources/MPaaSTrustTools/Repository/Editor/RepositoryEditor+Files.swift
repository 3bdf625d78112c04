import MPaaSSupport
package import MPaaSTrust

extension RepositoryEditor {
  /// Adds signatures to what is staged, and publishes what has enough.
  ///
  /// - Parameters:
  ///   - roles: Only these are signed; nil for all.
  ///   - renewed: Roles that are staged with a later expiry first.
  ///   - files: Copies of staged files with the signatures of others, called as their roles.
  /// - Throws: `TrustError` of the files, `role-unknown`, `staged-differs`.
  package func sign(
    with keys: [SigningKey], roles: Set<String>? = nil, renewing renewed: [String], takingSignaturesIn files: [String]
  ) throws(TrustError) -> Outcome {
    let taken = try files.map { path throws(TrustError) in
      do throws(FileError) {
        let role = FileSystem.name(of: path).prefix { $0 != "." }
        return (role: String(role), bytes: try Bytes.reading(path, limit: 256 << 20))
      } catch {
        throw TrustError(error)
      }
    }
    return try edit(keys: keys, roles: roles) { draft throws(TrustError) in
      for role in renewed { try draft.renew(role) }
      for file in taken { try draft.takeSignatures(from: file.bytes, role: file.role) }
    }
  }
}
