package import MPaaSSupport

extension TrustError.Code {
  // Reasons to refuse metadata.
  package static let rootVersionSkipped = refused("root-version-skipped")
  package static let rootBelowThreshold = refused("root-below-threshold")
  package static let timestampFrozen = refused("timestamp-frozen")
  package static let metadataExpired = refused("metadata-expired")
  package static let metadataRollback = refused("metadata-rollback")
  package static let metadataMixAndMatch = refused("metadata-mix-and-match")
  package static let metadataRoleRemoved = refused("metadata-role-removed")
  package static let metadataNotInSnapshot = refused("metadata-not-in-snapshot")
  package static let metadataDigestMismatch = refused("metadata-digest-mismatch")
  package static let metadataTooLarge = refused("metadata-too-large")
  package static let clockSetBack = refused("clock-set-back")

  // Metadata and addresses that are missing.
  package static let metadataMissing = TrustError.Code("metadata-missing", exit: .unreachable)
  package static let repositoryRootMissing = TrustError.Code("repository-root-missing", exit: .badConfiguration)
  package static let repositoryBadURL = TrustError.Code("repository-bad-url", exit: .usage)

  // Files that the repository offers.
  package static let targetSearchLimit = refused("target-search-limit")
  package static let targetMissing = TrustError.Code("target-missing", exit: .inputMissing)
  package static let targetFileMissing = TrustError.Code("target-file-missing", exit: .unreachable)
  package static let targetDigestMismatch = refused("target-digest-mismatch")
  package static let targetBadName = malformed("target-bad-name")
}

extension TrustError {
  /// The same problem, told by another part: a file that could not be written, a server that does not answer.
  package init(_ problem: some DiagnosticConvertible) {
    let diagnostic = problem.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// Tells whether another mirror may make it good, as opposed to something that came and was refused, or a full disk.
  var isUnreachable: Bool { code.exit == .unreachable || code.exit == .tryAgain }
}
