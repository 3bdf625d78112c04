import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// One block of a PEM file: a label such as `PRIVATE KEY`, and the DER inside.
///
/// Source: RFC 7468.
package struct PEMBlock: Sendable, Equatable {
  package let label: String
  package let der: Data

  package init(label: String, der: Data) {
    self.label = label
    self.der = der
  }

  /// The blocks of `text` in their order; what stands between them says nothing.
  ///
  /// - Throws: `TrustError` `pem-malformed` where a block has no end, is no Base64, or has headers as OpenSSL's old
  ///   encryption writes them.
  package static func blocks(in text: String) throws(TrustError) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var label: String?
    var body = ""
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      if let name = Self.name(in: line, after: "-----BEGIN ") {
        guard label == nil else { throw malformed(index) }
        (label, body) = (name, "")
      } else if let name = Self.name(in: line, after: "-----END ") {
        guard name == label, let der = Data(base64Encoded: body), !der.isEmpty else { throw malformed(index) }
        blocks.append(PEMBlock(label: name, der: der))
        label = nil
      } else if label != nil {
        body += line.filter { $0 != " " && $0 != "\t" }
      }
    }
    guard label == nil else { throw malformed(text.count { $0.isNewline }) }
    return blocks
  }

  private static func malformed(_ line: Int) -> TrustError { TrustError(.pemMalformed, ["line": String(line + 1)]) }

  private static func name(in line: Substring, after prefix: String) -> String? {
    guard line.hasPrefix(prefix), line.hasSuffix("-----"), line.utf8.count > prefix.utf8.count + 5 else { return nil }
    return String(line.dropFirst(prefix.count).dropLast(5))
  }

  /// The block with its lines of 64 characters, and a line's end.
  package var text: String {
    var lines = ["-----BEGIN \(label)-----"]
    var rest = der.base64EncodedString()[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
  }
}

extension TrustError.Code {
  package static let pemMalformed = malformed("pem-malformed")
}
