import MPaaSDigests

/// Numbers of rows that follow from names, so that no sequence is asked for them.
enum RowNumber {
  /// The first 63 bits of a SHA-256 over the names, with a NUL between two.
  static func of(_ names: String...) -> Int64 {
    let digest = Array(names.joined(separator: "\u{0}").utf8).sha256
    return Int64(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1)
  }
}
