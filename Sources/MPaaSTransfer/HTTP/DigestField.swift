import MPaaSDigests
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The digests that `Repr-Digest` or `Content-Digest` states; other algorithms than SHA-256 and SHA-512 are passed over.
///
/// - Source: RFC 9530, 2, 3 and 5; RFC 8941, 3.2 (dictionaries) and 3.3.5 (byte sequences).
struct DigestField: Equatable, Sendable {
  private(set) var sha256: [UInt8]?
  private(set) var sha512: [UInt8]?

  init() {}

  /// - Parameter field: The value of the header; what is malformed in it states nothing.
  init(_ field: String) {
    for member in field.split(separator: ",") {
      guard let sign = member.firstIndex(of: "=") else { continue }
      let name = member[..<sign].trimmed
      // Parameters follow a semicolon.
      let value = (member[member.index(after: sign)...].split(separator: ";").first ?? "").trimmed
      guard value.count >= 2, value.hasPrefix(":"), value.hasSuffix(":"),
        let bytes = Data(base64Encoded: String(value.dropFirst().dropLast()))
      else { continue }
      switch name {
      case "sha-256": sha256 = Array(bytes)
      case "sha-512": sha512 = Array(bytes)
      default: continue
      }
    }
  }

  var isEmpty: Bool { sha256 == nil && sha512 == nil }
}

/// The digests that a server stated of a file, or of a part of it.
struct FileClaim: Sendable {
  /// The header that stated it.
  let name: String
  /// The part's first byte.
  let start: UInt64
  /// The byte behind the part; nil where it goes to the file's end.
  var end: UInt64?
  let digests: DigestField

  /// Tells whether the file has all of the digests.
  func holds(of path: String) throws(FileError) -> Bool {
    if let wanted = digests.sha256, try digest(.sha256, of: path) != wanted { return false }
    if let wanted = digests.sha512, try digest(.sha512, of: path) != wanted { return false }
    return true
  }

  private func digest(_ algorithm: DigestAlgorithm, of path: String) throws(FileError) -> [UInt8] {
    let bytes = try Bytes.mapping(path)
    let size = UInt64(bytes.count)
    let (first, last) = (min(start, size), min(end ?? size, size))
    guard first <= last else { return [] }
    return algorithm.digest(of: bytes[checked: first..<last] ?? .empty)
  }
}
