package import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// The upload was removed since it was not continued, or by its owner.
  package static var uploadGone: Self { ServerError.Code("server-upload-gone", exit: .inputMissing) }
  /// The bytes of the upload so far are at another server of the console.
  package static var uploadElsewhere: Self { ServerError.Code("server-upload-elsewhere", exit: .tryAgain) }
  /// Bytes that were acknowledged are not there any more: the disk lost them.
  package static var uploadLost: Self { ServerError.Code("server-upload-lost", exit: .inputOutput) }
  /// Another request writes to it, and did not end in time.
  package static var uploadLocked: Self { ServerError.Code("server-upload-locked", exit: .tryAgain) }
  /// The bytes begin elsewhere than where the upload stands.
  package static var uploadOffset: Self { ServerError.Code("server-upload-offset", exit: .tryAgain) }
  /// The bytes are not those of their checksum.
  package static var checksumMismatch: Self { ServerError.Code("server-checksum-mismatch", exit: .malformedInput) }
  package static var checksumAlgorithm: Self { ServerError.Code("server-checksum-algorithm", exit: .malformedInput) }
  /// The whole file is not that of its SHA-256; it was not published.
  package static var digestMismatch: Self { ServerError.Code("server-digest-mismatch", exit: .malformedInput) }
  /// A version of the protocol that is not spoken.
  package static var protocolVersion: Self { ServerError.Code("server-protocol-version", exit: .malformedInput) }
  /// An upload that takes no more bytes.
  package static var uploadComplete: Self { ServerError.Code("server-upload-complete", exit: .malformedInput) }
  /// Two lengths of an upload that are not the same.
  package static var uploadLength: Self { ServerError.Code("server-upload-length", exit: .malformedInput) }
  /// A final upload cannot be written to, and its parts must be whole partial uploads.
  package static var concatenation: Self { ServerError.Code("server-concatenation", exit: .malformedInput) }
}
