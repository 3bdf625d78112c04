/// The kind of a stored value.
package enum ValueKind: UInt8, Sendable, CaseIterable {
  case integer = 1
  case bool, double, string, data, propertyList, archive, json, codable

  /// The name that listings have.
  package var name: String {
    switch self {
    case .integer: "integer"
    case .bool: "bool"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .propertyList: "plist"
    case .archive: "archive"
    case .json: "json"
    case .codable: "codable"
    }
  }
}

/// The first byte of a record's content.
struct RecordFlags: Equatable, Sendable {
  var bits: UInt8

  static let purgeableBit: UInt8 = 0x10, expiryBit: UInt8 = 0x20, deletedBit: UInt8 = 0x40, encryptedBit: UInt8 = 0x80
  static let deletion = RecordFlags(bits: deletedBit)

  init(bits: UInt8) { self.bits = bits }

  init(_ kind: ValueKind, isPurgeable: Bool = false, isEncrypted: Bool = false) {
    bits = kind.rawValue | (isPurgeable ? Self.purgeableBit : 0) | (isEncrypted ? Self.encryptedBit : 0)
  }

  var kind: ValueKind? { ValueKind(rawValue: bits & 0x0f) }
  var isPurgeable: Bool { bits & Self.purgeableBit != 0 }
  var hasExpiry: Bool { bits & Self.expiryBit != 0 }
  var isDeletion: Bool { bits & Self.deletedBit != 0 }
  /// Encrypted by a `Crypt` before it came here.
  var isEncrypted: Bool { bits & Self.encryptedBit != 0 }
}

/// The content of a record, in memory of another's.
struct RecordFields {
  var flags: RecordFlags
  var sequence: UInt64
  /// Milliseconds since 1970; 0 for never.
  var expiry: Int64 = 0
  var business: UnsafeRawBufferPointer
  var key: UnsafeRawBufferPointer
  var value: UnsafeRawBufferPointer
}
