package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The header of every kind of metadata (TUF section 4.3).
package struct MetadataHeader: Sendable, Equatable {
  package var version: Int
  package var expires: Date
  package var specification = "1.0.31"
  /// Members that this version does not know; they are signed too, and kept.
  package var unknown: JSONValue.Object = [:]

  package init(version: Int, expires: Date) {
    self.version = version
    self.expires = expires
  }

  init(type: String, taking fields: inout MetadataFields) throws(TrustError) {
    let found = try fields.string("_type")
    guard found == type else { throw TrustError(.metadataOfOtherType, ["expected": type, "found": found]) }
    specification = try fields.string("spec_version")
    guard specification.hasPrefix("1.") else {
      throw TrustError(.metadataSpecification, ["version": specification])
    }
    version = try fields.integer("version")
    expires = try fields.time("expires")
  }

  func members(type: String) -> JSONValue.Object {
    var members = unknown
    members["_type"] = .string(type)
    members["spec_version"] = .string(specification)
    members["version"] = .init(version)
    members["expires"] = .string(MetadataTime.text(expires))
    return members
  }
}

/// One of the four kinds of metadata.
package protocol MetadataBody: Sendable, Equatable {
  static var type: String { get }
  var header: MetadataHeader { get set }
  init(signed: JSONValue) throws(TrustError)
  /// The content that signatures are made over, once canonical.
  var signed: JSONValue { get }
}

/// A metadata file: what it says, and who signed it (TUF section 4.2.1).
package struct SignedMetadata<Body: MetadataBody>: Sendable {
  package struct Signature: Sendable, Equatable {
    package let keyID: String
    package let value: Data

    package init(keyID: String, value: Data) {
      self.keyID = keyID
      self.value = value
    }
  }

  package let body: Body
  /// The bytes that the signatures are over.
  package let canonical: [UInt8]
  package var signatures: [Signature]

  /// Takes what is to be signed.
  package init(_ body: Body) throws(TrustError) {
    self.body = body
    canonical = try body.signed.canonical()
    signatures = []
  }

  /// Reads a file of this kind, checking none of its signatures.
  ///
  /// - Throws: `TrustError` `metadata-not-json`, `metadata-malformed`, `metadata-other-type`, `metadata-key-twice`.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes, by: .exact)
    } catch {
      throw TrustError(.metadataNotJSON, ["kind": Body.type, "offset": String(error.offset)])
    }
    guard let object = value.object, let signed = object["signed"], let list = object["signatures"]?.array else {
      throw TrustError(.metadataMalformed, ["field": Body.type])
    }
    body = try Body(signed: signed)
    canonical = try signed.canonical()
    signatures = []
    var seen: Set<ExactName> = []
    for entry in list {
      guard let keyID = entry.object?["keyid"]?.string, let text = entry.object?["sig"]?.string else {
        throw TrustError(.metadataMalformed, ["field": "\(Body.type).signatures"])
      }
      guard seen.insert(ExactName(keyID)).inserted else { throw TrustError(.metadataKeyTwice, ["key": keyID]) }
      // An empty signature stands for one that is still to be made.
      guard let value = Data(hexadecimal: text) else {
        throw TrustError(.metadataMalformed, ["field": "\(Body.type).signatures"])
      }
      signatures.append(Signature(keyID: keyID, value: value))
    }
  }

  /// The keys of `role` that signed: each key counts once, under whatever names it stands.
  package func signers(of role: RoleKeys, keys: ExactMap<VerificationKey>) -> Set<VerificationKey> {
    var valid: Set<VerificationKey> = []
    let keyIDs = Set(role.keyIDs.map { ExactName($0) })
    for signature in signatures where keyIDs.contains(ExactName(signature.keyID)) {
      guard let key = keys[signature.keyID], key.verifies(signature.value, of: canonical) else { continue }
      valid.insert(key)
    }
    return valid
  }

  /// Checks that at least `role.threshold` distinct keys of `role` signed.
  ///
  /// - Throws: `TrustError` `metadata-below-threshold`.
  package func verify(by role: RoleKeys, keys: ExactMap<VerificationKey>, name: String) throws(TrustError) {
    let valid = signers(of: role, keys: keys).count
    guard role.threshold >= 1, valid >= role.threshold else {
      throw TrustError(
        .metadataBelowThreshold, ["role": name, "valid": String(valid), "threshold": String(role.threshold)])
    }
  }

  /// The file: canonical what is signed, the signatures beside it.
  package var encoded: [UInt8] {
    var text = Array(#"{"signatures":["#.utf8)
    for (index, signature) in signatures.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: #"{"keyid":"\#(signature.keyID)","sig":"\#(signature.value.hexadecimal)"}"#.utf8)
    }
    text += Array(#"],"signed":"#.utf8)
    return text + Self.escapingControls(canonical) + Array("}".utf8)
  }

  /// Canonical text may hold control characters as they are, JSON may not.
  private static func escapingControls(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 < 0x20 }) else { return text }
    return text.flatMap { byte in
      byte >= 0x20 ? [byte] : Array("\\u00".utf8) + Array(Data([byte]).hexadecimal.utf8)
    }
  }
}

extension TrustError.Code {
  package static let metadataNotJSON = malformed("metadata-not-json")
  package static let metadataOfOtherType = malformed("metadata-other-type")
  package static let metadataSpecification = malformed("metadata-specification")
  package static let metadataKeyTwice = malformed("metadata-key-twice")
  package static let metadataBelowThreshold = refused("metadata-below-threshold")
}
