package import MPaaSSupport
package import ServingKit

/// A file that holds a token for a server, so that no argument shows it.
package enum TokenFile {
  /// Reads the first line that is not empty, without blanks; of the line that `mpaas serve --json` prints, its `token`.
  ///
  /// - Parameter path: The file; `-` for standard input.
  /// - Returns: The token; empty text where the file has none.
  /// - Throws: An error of reading where the file cannot be read or is larger than 4 KiB.
  package static func read(_ path: String, in context: Context) throws -> String {
    token(in: try path == "-" ? context.data(at: path) : Bytes.reading(path, limit: 4096))
  }

  /// The token that such a file holds; empty text where it has none.
  package static func token(in bytes: Bytes) -> String {
    let line = String(decoding: bytes.array, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    guard let line, line.hasPrefix("{") else { return line.map { $0.filter { $0 != " " } } ?? "" }
    let object = try? Array(line.utf8).withUnsafeBytes { try JSONValue(reading: $0) }.object
    return object?["token"]?.string ?? ""
  }
}
