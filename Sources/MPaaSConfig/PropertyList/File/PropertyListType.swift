import MPaaSSupport

/// The kinds of values, as a person names them.
package enum PropertyListType: String, Sendable, CaseIterable {
  case string, integer, real, bool, date, data, uid, array, dict
  /// Any value, written as JSON.
  case json

  package init(of value: PropertyListValue) {
    switch value.content {
    case .dictionary: self = .dict
    case .array: self = .array
    case .string: self = .string
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .bool
    case .date: self = .date
    case .data: self = .data
    case .uid: self = .uid
    }
  }

  /// Reads a value of this type.
  ///
  /// Arrays and dictionaries are written as JSON in which `{"$data": …}` and its like stand for the types that it
  /// lacks; nothing is an empty one. A date may do without its time.
  ///
  /// - Throws: `plist-argument` where the text is no such value.
  package func value(of text: String) throws(ConfigError) -> PropertyListValue {
    let bytes = Array(text.utf8)
    let content: PropertyListValue.Content?
    switch self {
    case .string: return .string(text)
    case .integer: content = bytes.withUnsafeBufferPointer { PropertyListNumber.integer($0) }.map { .integer($0) }
    case .real: content = bytes.withUnsafeBufferPointer { PropertyListNumber.real($0) }.map { .real($0) }
    case .uid: content = UInt64(text).map { .uid($0) }
    case .data: content = Base64.decode(loose: bytes).map { .data($0) }
    case .date: content = (PropertyListDate(text) ?? PropertyListDate(text + "T00:00:00Z")).map { .date($0) }
    case .bool:
      switch text.lowercased() {
      case "true", "yes", "1": content = .boolean(true)
      case "false", "no", "0": content = .boolean(false)
      default: content = nil
      }
    case .array, .dict, .json:
      if text.isEmpty, self != .json { return self == .array ? .array([]) : .dictionary([]) }
      let value = try PropertyListJSONReader.read(bytes, file: text, isTagged: true)
      let type = PropertyListType(of: value)
      guard self == .json || self == type else { throw refusal(of: text) }
      return value
    }
    guard let content else { throw refusal(of: text) }
    return PropertyListValue(content)
  }

  private func refusal(of text: String) -> ConfigError {
    ConfigError(.plistArgument, ["text": String(text.prefix(80)), "type": rawValue])
  }
}

extension PropertyListValue {
  /// A leaf in words: a string as it is, data as base64; nil for arrays and dictionaries.
  package var plainText: String? {
    switch content {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): PropertyListNumber.text(number)
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes): Base64.encode(bytes)
    case .uid(let number): "\(number)"
    case .array, .dictionary: nil
    }
  }

  /// The value as JSON; on one line, or laid out.
  ///
  /// - Throws: `plist-inexpressible` for numbers that JSON has not.
  package func json(isTagged: Bool, isPretty: Bool, file: String) throws(ConfigError) -> String {
    let value = expressed(in: .json, isTyped: isTagged)
    let writer = PropertyListJSONWriter(file: file, isTagged: isTagged, unit: isPretty ? "  " : nil)
    return String(decoding: try writer.text(value), as: UTF8.self)
  }
}
