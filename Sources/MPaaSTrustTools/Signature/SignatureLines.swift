import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The few lines of a file of minisign or signify: comments, and base64 of a fixed size.
struct SignatureLines {
  static let untrusted = "untrusted comment: "
  static let trusted = "trusted comment: "
  /// No file of these programs is larger.
  private static let largestSize = 1 << 14

  private let tool: String
  private var lines: ArraySlice<ArraySlice<UInt8>>
  private var number = 0

  /// - Parameter tool: Whose file it is, for errors.
  /// - Throws: `TrustError` `signature-file-malformed`.
  init(_ text: some Collection<UInt8>, tool: String) throws(TrustError) {
    self.tool = tool
    lines = []
    guard text.count <= Self.largestSize else { throw error }
    lines = Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    // Nothing behind the last line feed is a line.
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  var error: TrustError {
    TrustError(.signatureFileMalformed, ["tool": tool, "line": String(number)])
  }

  private mutating func next() throws(TrustError) -> ArraySlice<UInt8> {
    number += 1
    guard let line = lines.popFirst() else { throw error }
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The comment behind `prefix`: UTF-8 without control characters but tabs, so that it can be shown.
  mutating func comment(_ prefix: String) throws(TrustError) -> String {
    let line = try next()
    guard line.starts(with: prefix.utf8), !line.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7f }),
      let comment = String(validUTF8: line.dropFirst(prefix.utf8.count))
    else { throw error }
    return comment
  }

  /// So many bytes of base64, of which the first ones are fixed.
  mutating func bytes(_ count: Int, _ start: String = "") throws(TrustError) -> ArraySlice<UInt8> {
    guard let bytes = Base64.decode(try next()), bytes.count == count, bytes.starts(with: start.utf8) else {
      throw error
    }
    return bytes[start.utf8.count...]
  }

  /// Checks that nothing follows what was read.
  mutating func end() throws(TrustError) {
    number += 1
    guard lines.isEmpty else { throw error }
  }

  /// A comment and base64, as all these files begin.
  static func text(_ comment: String, _ bytes: some Collection<UInt8>) -> String {
    untrusted + comment + "\n" + Base64.encode(bytes) + "\n"
  }
}

extension TrustError.Code {
  package static let signatureFileMalformed = malformed("signature-file-malformed")
}
