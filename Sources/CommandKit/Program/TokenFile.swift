import MPaaSSupport

/// A file that holds a token for a server, so that no argument shows it.
package enum TokenFile {
  /// Reads the first line that is not empty, without blanks; empty text where the file has none.
  ///
  /// - Throws: An error of reading where the file cannot be read or is larger than 4 KiB.
  package static func read(_ path: String) throws -> String {
    let bytes = try Bytes.reading(path, limit: 4096)
    let line = String(decoding: bytes.array, as: UTF8.self).split(whereSeparator: \.isNewline).first
    return line.map { $0.filter { $0 != " " } } ?? ""
  }
}
