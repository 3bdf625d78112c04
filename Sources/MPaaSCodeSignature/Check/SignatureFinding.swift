package import MPaaSSupport

/// Something about a signature, a bundle's seal or a profile that its user is to know.
package struct SignatureFinding: Sendable, Equatable {
  /// The stable word, such as `scan-signature-page`; the catalogue has its texts.
  package let id: DiagnosticID
  /// Bytes from the start of the slice, or of the file; nil for what has no place in it.
  package let offset: UInt64?
  /// The values that the texts name.
  package let values: [String: String]

  package init(_ id: DiagnosticID, at offset: UInt64? = nil, _ values: [String: String] = [:]) {
    self.id = id
    self.offset = offset
    self.values = values
  }

  /// The finding for a part that could not be read.
  init(_ error: CodeSignatureError, part: String) {
    self.init(
      "scan-signature-malformed", at: error.offset,
      ["part": part, "reason": error.code.rawValue, "value": "0x" + String(error.value, radix: 16)])
  }
}
