import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The statement that a key is followed by another one, which both signed.
///
/// A DSSE envelope (secure-systems-lab/dsse, version 1) of the canonical JSON of `from` and `to` (keys as repositories
/// list them), `name`, `roles` and `issued`.
package struct KeyHandOver: Sendable, Equatable {
  package static let payloadType = "application/vnd.mpaas.key-rotation.v1+json"

  package let from: VerificationKey
  package let to: VerificationKey
  /// The name of the successor.
  package let name: String
  package let roles: [KeyRole]
  package let issued: Date

  /// The statement, signed by both keys.
  ///
  /// - Throws: `TrustError` `signing-failed`.
  package static func statement(
    from old: SigningKey, to new: SigningKey, name: String, roles: [KeyRole], issued: Date
  ) throws(TrustError) -> [UInt8] {
    let value: JSONValue = [
      "from": old.verificationKey.metadata, "to": new.verificationKey.metadata, "name": .string(name),
      "roles": .array(roles.map { .string($0.rawValue) }), "issued": .string(MetadataTime.text(issued)),
    ]
    let envelope = try DSSEEnvelope.sign(try value.canonical(), type: payloadType, with: [old, new])
    return envelope.encoded
  }

  /// Reads a statement and checks that both keys signed it; whether the old one is trusted, the caller checks.
  ///
  /// - Throws: `TrustError` `rotation-malformed`, and what reading and verifying an envelope throws.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    let envelope = try DSSEEnvelope(reading: bytes, limit: PrivateFile.limit)
    guard envelope.payloadType == Self.payloadType else { throw Self.broken("payloadType") }
    let payload = envelope.payload.withUnsafeBytes { try? JSONValue(reading: $0) }
    guard let members = payload?.object else { throw Self.broken("payload") }
    from = try VerificationKey(metadata: members["from"] ?? .null)
    to = try VerificationKey(metadata: members["to"] ?? .null)
    guard let name = members["name"]?.string, KeyRecord.isName(name) else { throw Self.broken("name") }
    self.name = name
    let names = members["roles"]?.array ?? []
    roles = names.compactMap { $0.string.flatMap(KeyRole.init(rawValue:)) }
    guard members["roles"]?.array != nil, roles.count == names.count else { throw Self.broken("roles") }
    guard let issued = members["issued"]?.string.flatMap(MetadataTime.date) else { throw Self.broken("issued") }
    self.issued = issued
    guard from != to else { throw Self.broken("to") }
    _ = try envelope.verifyNamed(by: [from, to], threshold: 2)
  }

  private static func broken(_ field: String) -> TrustError { TrustError(.rotationMalformed, ["field": field]) }
}

extension KeyStore {
  /// Makes a successor of the own key `name`, of the same kind and with the same roles.
  ///
  /// - Parameters:
  ///   - passphrase: What opens the old key; nil for one that is not encrypted.
  ///   - newPassphrase: What the new one is encrypted with.
  /// - Returns: The records of both, and the path of the signed hand-over; nil for a key that does not sign.
  /// - Throws: `TrustError` `key-exists`, `key-revoked`, and what opening a key throws.
  package func rotate(
    _ name: String, to successor: String, expires: Date? = nil, passphrase: SecretBytes?, newPassphrase: SecretBytes?
  ) throws(TrustError) -> (old: KeyRecord, new: KeyRecord, statement: String?) {
    let record = try record(name)
    // An expired key may still name its successor; a revoked one speaks for no other key.
    if record.revoked != nil { try record.check(for: nil, at: now()) }
    try checkFree(successor)
    let old = try sealedKey(name).open(with: passphrase)
    let key = try PrivateKey.generate(record.publicKey.kind)
    var statement: String?
    if case .signing(let oldKey) = old, case .signing(let newKey) = key {
      let bytes = try KeyHandOver.statement(
        from: oldKey, to: newKey, name: successor, roles: record.roles, issued: now())
      let path = handOverPath(successor)
      try PrivateFile.createFolder(FileSystem.folder(of: path))
      do throws(FileError) {
        try Bytes(bytes).write(to: path)
      } catch {
        throw TrustError(error)
      }
      statement = path
    }
    let new = try add(
      key, successor, roles: record.roles, expires: expires, rotatedFrom: name, passphrase: newPassphrase)
    let changed = try update(name) { $0.rotatedTo = successor }
    return (changed, new, statement)
  }

  /// The path of the hand-over to the key `name`.
  package func handOverPath(_ name: String) -> String { "\(folder)/handed-over/\(name).dsse.json" }

  /// A free name for the successor of `name`: `NAME-2`, `NAME-3` and so on.
  package func successorName(of name: String) -> String {
    let parts = name.split(separator: "-")
    let number = parts.count > 1 ? parts.last.flatMap { Int($0) } : nil
    let base = number == nil ? name : parts.dropLast().joined(separator: "-")
    var next = max(number ?? 1, 1)
    repeat {
      next = next == .max ? 2 : next + 1
    } while FileStatus(ofLink: recordPath("\(base)-\(next)")) != nil
    return "\(base)-\(next)"
  }

  /// Trusts the key that a trusted key was followed by.
  ///
  /// - Throws: `TrustError` `rotation-not-trusted` where the old key is not trusted now, and what `trust` throws.
  package func trust(_ handOver: KeyHandOver) throws(TrustError) -> KeyRecord {
    var known: [KeyRecord] = []
    for name in try trustedNames() { known.append(try trustedRecord(name)) }
    guard let old = known.first(where: { $0.publicKey == .signing(handOver.from) }) else {
      let words = PublicKey.signing(handOver.from).fingerprint.words
      throw TrustError(.rotationNotTrusted, ["fingerprint": words])
    }
    try old.check(for: nil, at: now())
    // The successor may not do more than the key that names it.
    let roles = old.roles.isEmpty ? handOver.roles : old.roles
    let record = KeyRecord(
      name: handOver.name, publicKey: .signing(handOver.to), roles: roles, created: handOver.issued,
      rotatedFrom: old.name)
    try trust(record)
    _ = try update(old.name, isTrusted: true) { $0.rotatedTo = record.name }
    return record
  }
}

extension TrustError.Code {
  package static let rotationMalformed = malformed("rotation-malformed")
  package static let rotationNotTrusted = refused("rotation-not-trusted")
}
