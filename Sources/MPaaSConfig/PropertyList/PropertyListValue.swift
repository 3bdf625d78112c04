/// A value of a property list: with the place it was read from, or made to be written.
package struct PropertyListValue: Sendable {
  package enum Content: Sendable {
    /// In the order of the file; a key that stands there twice is there twice.
    case dictionary([PropertyListMember])
    case array([PropertyListValue])
    case string(String)
    /// An integer of the range that the formats hold: -2^63 to 2^64 - 1.
    case integer(PropertyListInteger)
    case real(Double)
    case boolean(Bool)
    case date(PropertyListDate)
    case data([UInt8])
    /// A reference into a keyed archive; formats without such write a dictionary of `CF$UID`.
    case uid(UInt64)
  }

  package let content: Content
  /// The place of its element in the document's text, in bytes of UTF-8; empty for a value that was not read.
  let span: Range<Int>
  /// The range between its tags; nil for an element without any (`<array/>`).
  let inside: Range<Int>?

  package init(_ content: Content) {
    self.init(content, span: 0..<0, inside: nil)
  }

  init(_ content: Content, span: Range<Int>, inside: Range<Int>?) {
    self.content = content
    self.span = span
    self.inside = inside
  }
}

/// A key of a dictionary and its value.
package struct PropertyListMember: Sendable, Equatable {
  package let key: String
  package let value: PropertyListValue
  /// The range of the `<key>` element.
  let keySpan: Range<Int>

  package init(_ key: String, _ value: PropertyListValue) {
    self.init(key, value, keySpan: 0..<0)
  }

  init(_ key: String, _ value: PropertyListValue, keySpan: Range<Int>) {
    self.key = key
    self.value = value
    self.keySpan = keySpan
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.key.isExactly(right.key) && left.value == right.value
  }
}

extension PropertyListValue: Equatable {
  /// Tells whether both say the same, wherever they stand.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left.content, right.content) {
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right || (left.isNaN && right.isNaN)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    default: false
    }
  }
}

extension PropertyListValue {
  package static func string(_ text: String) -> Self { Self(.string(text)) }
  package static func integer(_ number: Int) -> Self { Self(.integer(PropertyListInteger(number))) }
  package static func real(_ number: Double) -> Self { Self(.real(number)) }
  package static func boolean(_ value: Bool) -> Self { Self(.boolean(value)) }
  package static func data(_ bytes: [UInt8]) -> Self { Self(.data(bytes)) }
  package static func array(_ values: [PropertyListValue]) -> Self { Self(.array(values)) }
  package static func dictionary(_ members: [(String, PropertyListValue)]) -> Self {
    Self(.dictionary(members.map { PropertyListMember($0.0, $0.1) }))
  }

  package var members: [PropertyListMember]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  package var values: [PropertyListValue]? {
    if case .array(let values) = content { values } else { nil }
  }

  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  package var integer: Int? {
    if case .integer(let number) = content { Int(exactly: number) } else { nil }
  }

  /// The member of a dictionary; of several with this key the last, as other readers have it.
  package func member(_ key: String) -> PropertyListMember? {
    members?.last { $0.key.isExactly(key) }
  }

  package subscript(key: String) -> PropertyListValue? { member(key)?.value }

  /// The name of its element: `dict`, `string`, `true`.
  package var element: String {
    switch content {
    case .dictionary: "dict"
    case .array: "array"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .boolean(let value): value ? "true" : "false"
    case .date: "date"
    case .data: "data"
    case .uid: "uid"
    }
  }
}
