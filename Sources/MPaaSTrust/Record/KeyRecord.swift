package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is known of a key besides its private half: what it may do, until when, and what came of it.
package struct KeyRecord: Sendable, Equatable {
  package let name: String
  package let publicKey: PublicKey
  /// Empty: the key may speak for every role.
  package var roles: [KeyRole]
  package let created: Date
  package var expires: Date?
  package var revoked: Date?
  /// The names of the key that this one follows, and of the one that follows it.
  package var rotatedFrom: String?
  package var rotatedTo: String?
  /// The 8 bytes that minisign calls the key by; nil for a key that did not come from there.
  package var number: [UInt8]?

  package init(
    name: String, publicKey: PublicKey, roles: [KeyRole] = [], created: Date, expires: Date? = nil,
    rotatedFrom: String? = nil
  ) {
    self.name = name
    self.publicKey = publicKey
    self.roles = roles
    self.created = created
    self.expires = expires
    self.rotatedFrom = rotatedFrom
  }

  /// Checks that the key may be used for `role` at `time`; nil asks for no role.
  ///
  /// - Throws: `TrustError` `key-published`, `key-revoked`, `key-expired`, `key-not-for-role`.
  package func check(for role: KeyRole?, at time: Date) throws(TrustError) {
    try PublishedKeys.refuse(publicKey)
    if let revoked, revoked <= time {
      throw TrustError(.keyRevoked, ["name": name, "time": MetadataTime.text(revoked)])
    }
    if let expires, expires <= time {
      throw TrustError(.keyExpired, ["name": name, "time": MetadataTime.text(expires)])
    }
    guard let role, !roles.isEmpty, !roles.contains(where: { $0.covers(role) }) else { return }
    let own = roles.map(\.rawValue).joined(separator: ", ")
    throw TrustError(.keyNotForRole, ["name": name, "role": role.rawValue, "roles": own])
  }
}

// MARK: JSON

extension KeyRecord {
  /// The version of the format, member `mpaas_key`.
  private static let version = 1

  package var value: JSONValue {
    var members: JSONValue.Object = [
      "mpaas_key": .init(Self.version), "name": .string(name), "kind": .string(publicKey.kind.rawValue),
      "public": .string(publicKey.text), "fingerprint": .string(publicKey.fingerprint.words),
      "sha256": .string(publicKey.fingerprint.hexadecimal), "key_id": .string(publicKey.keyID),
      "roles": .array(roles.map { .string($0.rawValue) }), "created": .string(MetadataTime.text(created)),
    ]
    members["expires"] = expires.map { .string(MetadataTime.text($0)) }
    members["revoked"] = revoked.map { .string(MetadataTime.text($0)) }
    members["rotated_from"] = rotatedFrom.map { .string($0) }
    members["rotated_to"] = rotatedTo.map { .string($0) }
    members["minisign_number"] = number.map { .string(Data($0).hexadecimal) }
    return .object(members)
  }

  /// Reads what `value` wrote; fingerprint and identifier are computed from the key, and must be what stands there.
  ///
  /// - Throws: `TrustError` `key-record-malformed`, and what the public key throws.
  package init(_ value: JSONValue) throws(TrustError) {
    let fields = Fields(members: value.object ?? [:])
    guard fields.members["mpaas_key"] == .init(Self.version) else {
      throw TrustError(.keyRecordMalformed, ["field": "mpaas_key"])
    }
    name = try fields.string("name")
    guard Self.isName(name) else { throw TrustError(.keyRecordMalformed, ["field": "name"]) }
    publicKey = try PublicKey(text: try fields.string("public"))
    let expected = [
      "kind": publicKey.kind.rawValue, "sha256": publicKey.fingerprint.hexadecimal,
      "fingerprint": publicKey.fingerprint.words, "key_id": publicKey.keyID,
    ]
    for (field, text) in expected.sorted(by: { $0.key < $1.key }) {
      guard try fields.string(field) == text else { throw TrustError(.keyRecordMalformed, ["field": field]) }
    }
    roles = try fields.roles()
    guard let created = try fields.time("created") else {
      throw TrustError(.keyRecordMalformed, ["field": "created"])
    }
    self.created = created
    expires = try fields.time("expires")
    revoked = try fields.time("revoked")
    rotatedFrom = try fields.name("rotated_from")
    rotatedTo = try fields.name("rotated_to")
    number = try fields.number("minisign_number")
  }

  /// Reads a file that holds a record.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard let value = try? JSONValue(reading: bytes) else { throw TrustError(.keyRecordMalformed, ["field": "JSON"]) }
    try self.init(value)
  }

  /// Whether `name` can be the name of a key: up to 64 letters, digits, `-`, `.` and `_` of ASCII, a letter or digit
  /// first.
  package static func isName(_ name: String) -> Bool {
    let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    guard let first = name.first, letters.contains(first), name.utf8.count <= 64, name != "trusted" else {
      return false
    }
    return name.allSatisfy { letters.contains($0) || "-._".contains($0) }
  }

  private struct Fields {
    let members: JSONValue.Object

    func string(_ name: String) throws(TrustError) -> String {
      guard let text = members[name]?.string else { throw TrustError(.keyRecordMalformed, ["field": name]) }
      return text
    }

    func time(_ name: String) throws(TrustError) -> Date? {
      guard members[name] != nil else { return nil }
      guard let time = MetadataTime.date(try string(name)) else {
        throw TrustError(.keyRecordMalformed, ["field": name])
      }
      return time
    }

    func name(_ name: String) throws(TrustError) -> String? {
      guard members[name] != nil else { return nil }
      let text = try string(name)
      guard KeyRecord.isName(text) else { throw TrustError(.keyRecordMalformed, ["field": name]) }
      return text
    }

    func number(_ name: String) throws(TrustError) -> [UInt8]? {
      guard members[name] != nil else { return nil }
      guard let bytes = Data(hexadecimal: try string(name)), bytes.count == 8 else {
        throw TrustError(.keyRecordMalformed, ["field": name])
      }
      return Array(bytes)
    }

    func roles() throws(TrustError) -> [KeyRole] {
      guard let names = members["roles"]?.array else { throw TrustError(.keyRecordMalformed, ["field": "roles"]) }
      let roles = names.compactMap { $0.string.flatMap(KeyRole.init(rawValue:)) }
      guard roles.count == names.count else { throw TrustError(.keyRecordMalformed, ["field": "roles"]) }
      return roles
    }
  }
}

extension TrustError.Code {
  package static let keyRevoked = refused("key-revoked")
  package static let keyExpired = refused("key-expired")
  package static let keyNotForRole = refused("key-not-for-role")
  package static let keyRecordMalformed = malformed("key-record-malformed")
}
