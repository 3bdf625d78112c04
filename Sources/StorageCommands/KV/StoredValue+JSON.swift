import MPaaSStorage
import MPaaSSupport

extension StoredValue {
  /// The value as the lines of `kv dump` have it.
  ///
  /// A value without a form in JSON is an object with one member: `$data`, `$plist` or `$archive` with base64, `$double` for a
  /// number that is no finite one.
  var json: JSONValue {
    switch self {
    case .integer(let value): JSONValue(value)
    case .bool(let value): .bool(value)
    case .double(let value): value.isFinite ? .number(value) : .object(["$double": .string("\(value)")])
    case .string(let value): .string(value)
    case .data(let bytes): .object(["$data": .string(Base64.encode(bytes))])
    case .propertyList(let bytes): .object(["$plist": .string(Base64.encode(bytes))])
    case .archive(let bytes): .object(["$archive": .string(Base64.encode(bytes))])
    case .json(let bytes), .codable(let bytes):
      bytes.withUnsafeBytes { try? JSONValue(reading: $0) } ?? .object(["$data": .string(Base64.encode(bytes))])
    }
  }

  /// The value that such a line means; nil where the object of a kind is malformed.
  init?(_ json: JSONValue) {
    switch json {
    case .unsigned, .negative:
      guard let value = json.integer(Int64.self) else {
        guard let value = json.double else { return nil }
        self = .double(value)
        return
      }
      self = .integer(value)
    case .number(let value): self = .double(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .object(let members) where members.count == 1 && members.first?.key.hasPrefix("$") == true:
      guard let member = members.first, let text = member.value.string else { return nil }
      self.init(member.key, text)
    default: self = .json(Array(json.line.utf8))
    }
  }

  private init?(_ mark: String, _ text: String) {
    if mark == "$double" {
      guard let value = Double(text) else { return nil }
      self = .double(value)
      return
    }
    guard let bytes = Base64.decode(text.utf8) else { return nil }
    switch mark {
    case "$data": self = .data(bytes)
    case "$plist": self = .propertyList(bytes)
    case "$archive": self = .archive(bytes)
    default: return nil
    }
  }

  /// The value as one line for people.
  var text: String {
    switch self {
    case .string(let value): value
    case .json(let bytes), .codable(let bytes): String(decoding: bytes, as: UTF8.self)
    default: json.line
    }
  }
}
