import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A payload with its type and the signatures over both.
///
/// Source: DSSE 1.0.2, `envelope.md` and `protocol.md`. Of what the specification leaves open, this is the strict
/// half: strict JSON, and base64 of the standard alphabet in its one spelling. Members that are not known are left out,
/// as the specification asks.
package struct DSSEEnvelope: Sendable, Equatable {
  package struct Signature: Sendable, Equatable {
    /// A hint at the key; empty where there is none.
    package let keyID: String
    package let value: Data

    package init(keyID: String, value: Data) {
      self.keyID = keyID
      self.value = value
    }
  }

  /// The most signatures that an envelope is read with: each may cost as many checks as there are keys.
  package static let mostSignatures = 64

  package var payloadType: String
  package var payload: [UInt8]
  package var signatures: [Signature]

  package init(payloadType: String, payload: [UInt8], signatures: [Signature]) {
    self.payloadType = payloadType
    self.payload = payload
    self.signatures = signatures
  }

  /// Reads an envelope, checking none of its signatures.
  ///
  /// - Parameter limit: The most bytes that it may have.
  /// - Throws: `TrustError` as `JSONValue(strict:)` does, `base64-not-canonical`, `envelope-malformed`.
  package init(reading bytes: UnsafeRawBufferPointer, limit: Int = 1 << 20) throws(TrustError) {
    let value = try JSONValue(strict: bytes, JSONLimits(size: limit))
    payloadType = try Self.string(value, "payloadType")
    payload = Array(try Self.bytes(value, "payload"))
    guard let list = value.object?["signatures"]?.array else { throw Self.invalid("signatures") }
    guard list.count <= Self.mostSignatures else { throw Self.invalid("signatures") }
    signatures = []
    for entry in list {
      let keyID = entry.object?["keyid"] == nil ? "" : try Self.string(entry, "keyid")
      signatures.append(Signature(keyID: keyID, value: try Self.bytes(entry, "sig")))
    }
  }

  private static func invalid(_ field: String) -> TrustError { TrustError(.envelopeMalformed, ["field": field]) }

  private static func string(_ value: JSONValue, _ name: String) throws(TrustError) -> String {
    guard let string = value.object?[name]?.string else { throw invalid(name) }
    return string
  }

  private static func bytes(_ value: JSONValue, _ name: String) throws(TrustError) -> Data {
    guard let bytes = Base64.decode(try string(value, name).utf8) else {
      throw TrustError(.base64NotCanonical, ["field": name])
    }
    return Data(bytes)
  }

  /// The bytes that signatures are made over: the type and the payload, each behind its length (`PAE` in
  /// `protocol.md`).
  package var signedBytes: [UInt8] {
    Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
  }

  /// The envelope as canonical JSON.
  package var encoded: [UInt8] {
    let list = signatures.map { signature -> JSONValue in
      ["keyid": .string(signature.keyID), "sig": .string(Base64.encode(signature.value))]
    }
    let value: JSONValue = [
      "payload": .string(Base64.encode(payload)), "payloadType": .string(payloadType), "signatures": .array(list),
    ]
    // Only numbers can have no canonical form, and there are none.
    return (try? value.canonical()) ?? []
  }

  /// Checks that the payload is of the kind that is asked for, so that what was signed for one use does not pass in
  /// another.
  ///
  /// - Throws: `TrustError` `envelope-payload-type`.
  package func require(type: String) throws(TrustError) {
    guard payloadType.utf8.elementsEqual(type.utf8) else {
      throw TrustError(.envelopePayloadType, ["expected": type, "found": payloadType])
    }
  }
}

extension TrustError.Code {
  package static let base64NotCanonical = malformed("base64-not-canonical")
  package static let envelopeMalformed = malformed("envelope-malformed")
  package static let envelopePayloadType = malformed("envelope-payload-type")
}
