package import MPaaSLogs
import MPaaSSupport

extension LogFields {
  /// Calls `body` with each field: the kind's number, the name and the value as text; stops where it is malformed.
  package static func forEach(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (_ kind: UInt8, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    var cursor = ByteCursor(bytes)
    while !cursor.isAtEnd {
      guard let kind = try? cursor.u8(), let nameSize = try? cursor.uleb(), let valueSize = try? cursor.uleb(),
        let nameSize = Int(exactly: nameSize), let valueSize = Int(exactly: valueSize),
        let name = try? cursor.bytes(nameSize), (try? cursor.skip(1)) != nil, let value = try? cursor.bytes(valueSize)
      else { return }
      body(kind, name, value)
    }
  }

  /// The fields as values.
  package static func values(_ bytes: UnsafeRawBufferPointer) -> [LogField] {
    guard !bytes.isEmpty else { return [] }
    var fields: [LogField] = []
    forEach(bytes) { kind, name, value in
      let text = String(utf8: value)
      let value: LogValue =
        switch Kind(rawValue: kind) {
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .real: Double(text).map { .real($0) } ?? .text(text)
        case .flag: .flag(text == "true")
        default: .text(text)
        }
      fields.append(LogField(String(utf8: name), value))
    }
    return fields
  }
}
