/// A value in a project: old-style property lists know strings, arrays, dictionaries and (never seen in projects) data.
package enum PBXValue: Sendable, Hashable {
  case string(String)
  case array([PBXValue])
  /// In the order of the file.
  case dictionary([PBXMember])

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var array: [PBXValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var members: [PBXMember]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  /// The strings of an array; those of a string are itself alone, as build settings have it.
  package var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.compactMap(\.string)
    case .dictionary: []
    }
  }

  package static func strings(_ texts: [String]) -> PBXValue { .array(texts.map { .string($0) }) }

  /// The value of a dictionary's member; of several the last. Setting nil removes it; a new key gets its place by the
  /// order of keys, as Xcode sorts them.
  package subscript(key: String) -> PBXValue? {
    get { members?.value(of: key) }
    set {
      guard case .dictionary(var members) = self else { return }
      members.set(key, newValue)
      self = .dictionary(members)
    }
  }
}

extension PBXValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension PBXValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: PBXValue...) { self = .array(elements) }
}

extension PBXValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, PBXValue)...) {
    self = .dictionary(elements.map { PBXMember($0.0, $0.1) })
  }
}

/// A key of a dictionary and its value.
package struct PBXMember: Sendable, Hashable {
  package let key: String
  package var value: PBXValue

  package init(_ key: String, _ value: PBXValue) {
    self.key = key
    self.value = value
  }
}

extension [PBXMember] {
  func value(of key: String) -> PBXValue? { last { $0.key == key }?.value }

  mutating func set(_ key: String, _ value: PBXValue?) {
    guard let value else { return removeAll { $0.key == key } }
    if let index = lastIndex(where: { $0.key == key }) {
      self[index].value = value
    } else {
      // `isa` comes first, and what follows is sorted.
      let index = firstIndex { $0.key != "isa" && key.utf8.lexicographicallyPrecedes($0.key.utf8) } ?? count
      insert(PBXMember(key, value), at: key == "isa" ? 0 : index)
    }
  }
}
