import MPaaSSupport

/// A condition on code, in the language that `csreq` prints.
package struct CodeRequirement: Sendable, Equatable {
  /// The question that the requirement answers.
  package enum Kind: UInt32, Sendable {
    case host = 1
    case guest, designated, library, plugin

    /// The word of the language.
    package var name: String {
      switch self {
      case .host: "host"
      case .guest: "guest"
      case .designated: "designated"
      case .library: "library"
      case .plugin: "plugin"
      }
    }
  }

  /// The number of its kind in the set.
  package let kind: UInt32
  /// The expression, such as `identifier "com.example.app" and anchor apple generic`.
  package let text: String

  /// The line that `codesign -d -r-` prints: `designated => …`.
  package var line: String { "\(Kind(rawValue: kind)?.name ?? "\(kind)") => \(text)" }
}

extension CodeSignature {
  /// The requirements of the signature.
  ///
  /// - Throws: `CodeSignatureError` with the offset in the slice of what is no expression.
  package func requirements() throws(CodeSignatureError) -> [CodeRequirement] {
    guard let set = blob(Slot.requirements) else { return [] }
    guard set.magic == SignatureBlob.Magic.requirements else {
      throw CodeSignatureError(.badMagic, offset: set.offset, value: UInt64(set.magic))
    }
    var requirements: [CodeRequirement] = []
    for blob in try SignatureBlob.indexed(set.bytes, base: set.offset) {
      guard blob.magic == SignatureBlob.Magic.requirement else {
        throw CodeSignatureError(.badMagic, offset: blob.offset, value: UInt64(blob.magic))
      }
      requirements.append(CodeRequirement(kind: blob.slot, text: try RequirementPrinter.text(of: blob)))
    }
    return requirements
  }
}
