package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    let name = try fields.string("name")
    guard Self.isName(name) else { throw TrustError(.keyRecordMalformed, ["field": "name"]) }
    let publicKey = try PublicKey(text: try fields.string("public"))
    let expected = [
      "kind": publicKey.kind.rawValue, "sha256": publicKey.fingerprint.hexadecimal,
      "fingerprint": publicKey.fingerprint.words, "key_id": publicKey.keyID,
    ]
    for (field, text) in expected.sorted(by: { $0.key < $1.key }) {
      guard try fields.string(field) == text else { throw TrustError(.keyRecordMalformed, ["field": field]) }
    }
    let roles = try fields.roles()
    guard let created = try fields.time("created") else {
      throw TrustError(.keyRecordMalformed, ["field": "created"])
    }
    let expires = try fields.time("expires")
    let revoked = try fields.time("revoked")
    let rotatedFrom = try fields.name("rotated_from")
    self.init(
      name: name, publicKey: publicKey, roles: roles, created: created, expires: expires, rotatedFrom: rotatedFrom)
    self.revoked = revoked
    rotatedTo = try fields.name("rotated_to")
    number = try fields.number("minisign_number")
  }

  /// Reads a file that holds a record.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard let value = try? JSONValue(reading: bytes) else { throw TrustError(.keyRecordMalformed, ["field": "JSON"]) }
    try self.init(value)
  }

  /// True where `name` can be the name of a key: up to 64 letters, digits, `-`, `.` and `_` of ASCII, a letter or digit
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
  package static let keyRecordMalformed = malformed("key-record-malformed")
}
