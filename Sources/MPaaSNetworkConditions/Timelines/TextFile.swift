import MPaaSSupport

/// Texts that people write.
package enum TextFile {
  /// The whole text of a file, without a byte order mark.
  ///
  /// - Throws: A `FileError`, or `NetworkError` where it is no UTF-8.
  package static func reading(_ path: String) throws -> String {
    let bytes = try Bytes.mapping(path)
    guard let text = bytes.buffer.withMemoryRebound(to: UInt8.self, { String(validating: $0, as: UTF8.self) }) else {
      throw NetworkError(.textEncoding, ["file": path], at: .file(path))
    }
    return text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
  }
}

extension JSONValue {
  /// The value that a text is.
  static func reading(_ text: some StringProtocol) throws(JSONError) -> JSONValue {
    let bytes = Bytes(text.utf8)
    defer { withExtendedLifetime(bytes) {} }
    return try JSONValue(reading: bytes.buffer)
  }
}

extension NetworkError.Code {
  /// A text that is no UTF-8.
  package static var textEncoding: Self { malformed("net-text-encoding") }
}
