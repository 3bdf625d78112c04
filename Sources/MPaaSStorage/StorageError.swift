package import MPaaSSupport

/// The reason why something could not be stored or read.
public struct StorageError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  package struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }
  }

  package let code: Code
  package let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// The same failure of the file system, told as it is there.
  package init(_ error: FileError) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// The stable word of the failure, such as `kv-key-wrong`.
  public var identifier: String { code.id.name }
}

extension StorageError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension StorageError.Code {
  /// The file is no key-value file, or its header is damaged on both sides.
  package static var malformed: Self { StorageError.Code("kv-malformed", exit: .malformedInput) }
  /// The file is encrypted and no key was given.
  package static var keyMissing: Self { StorageError.Code("kv-key-missing", exit: .notPermitted) }
  /// The key is not the one of the file, or the file has none.
  package static var keyWrong: Self { StorageError.Code("kv-key-wrong", exit: .notPermitted) }
  /// A key is not 32 bytes.
  package static var keyMalformed: Self { StorageError.Code("storage-key-malformed", exit: .malformedInput) }
  /// Another process or store had the file for longer than the deadline.
  package static var busy: Self { StorageError.Code("kv-busy", exit: .tryAgain) }
  /// The store was opened for reading only.
  package static var readOnly: Self { StorageError.Code("kv-read-only", exit: .notPermitted) }
  /// A name or a value is longer than the format has room for.
  package static var tooLong: Self { StorageError.Code("kv-too-long", exit: .malformedInput) }
  /// A value cannot be encoded, or the stored one is not what was asked for.
  package static var valueMalformed: Self { StorageError.Code("kv-value-malformed", exit: .malformedInput) }
  /// The library of ciphers or a custom `Crypt` failed.
  package static var cipherFailed: Self { StorageError.Code("kv-cipher-failed", exit: .internalFault) }
}
