/// The reason why bytes are not the code signature that they say they are.
package struct CodeSignatureError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// A blob, a table or a string passes the end of what holds it.
    case truncated
    case badMagic
    /// More blobs, slots or nodes than any signer writes.
    case tooMany
    /// No CodeDirectory in slot 0.
    case noDirectory
    /// A hash function that no CodeDirectory has, or a size that does not fit it.
    case badHash
    /// A page size that no file has.
    case badPageSize
    /// The signed bytes reach past the slice.
    case codeLimit
    /// An expression of a requirement that ends too early, nests too deep, or has an unknown operation.
    case badRequirement
    /// ASN.1 that is none, or not of the fields that the format has.
    case badASN1
    /// Entitlements that are no dictionary.
    case badEntitlements
    /// Sealed resources or a profile whose property list lacks what the format asks for.
    case badPropertyList
  }
  package let code: Code
  /// Bytes from the start of the slice, or of the file where it is one by itself.
  package let offset: UInt64
  /// The value that is there.
  package let value: UInt64

  package init(_ code: Code, offset: UInt64, value: UInt64 = 0) {
    self.code = code
    self.offset = offset
    self.value = value
  }

  /// The same in a file that has these bytes at `start`.
  func moved(by start: UInt64) -> CodeSignatureError {
    CodeSignatureError(code, offset: offset &+ start, value: value)
  }
}
