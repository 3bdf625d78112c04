import MPaaSSQLite
package import MPaaSSupport

/// The reason why a transfer, or its queue, does not do what was asked.
public struct TransferError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  public struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    /// The stable word, such as `transfer-file-changed`.
    public var word: String { id.description }

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// The code for what is not permitted here: exit status 77.
    package static func refused(_ id: DiagnosticID) -> Code { Code(id, exit: .notPermitted) }
  }

  /// The kind of the error.
  public let code: Code
  /// The values that the texts of the error name: files, addresses, what a server said.
  public let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// An error of another part, told as it is there.
  package init(_ error: some DiagnosticConvertible) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }
}

extension TransferError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension TransferError.Code {
  /// No transfer of this number.
  package static var unknown: Self { TransferError.Code("transfer-unknown", exit: .inputMissing) }
  /// The file is another one than when it was added.
  package static var fileChanged: Self { TransferError.Code("transfer-file-changed", exit: .malformedInput) }
  /// The deadline has passed.
  package static var expired: Self { TransferError.Code("transfer-deadline-passed", exit: .tryAgain) }
  /// The server takes no file of this size.
  package static var oversize: Self { TransferError.Code("transfer-oversize", exit: .unreachable) }
  /// The server says that what arrived is not what was sent.
  package static var mismatch: Self { TransferError.Code("transfer-digest-mismatch", exit: .malformedInput) }
  /// A success that does not say what was stored.
  package static var unconfirmed: Self { TransferError.Code("transfer-unconfirmed", exit: .tryAgain) }
  /// The server's answer is not what the protocol wants.
  package static var protocolFault: Self { TransferError.Code("transfer-protocol-fault", exit: .unreachable) }
  /// Another process has it in hand.
  package static var inHand: Self { TransferError.Code("transfer-in-hand", exit: .tryAgain) }
  /// Something in the description cannot be: an address, a checksum's name.
  package static var badDescription: Self { TransferError.Code("transfer-description", exit: .usage) }
  /// A file stands where a download would go.
  package static var fileExists: Self { TransferError.Code("transfer-file-exists", exit: .cannotCreate) }
  /// No key of a store that speaks S3.
  package static var noKey: Self { .refused("transfer-s3-key-missing") }
}

extension FileError {
  /// A folder or file that is not there.
  package static func missing(_ path: String) -> FileError { FileError(.open, path, .noSuchFileOrDirectory) }
}
