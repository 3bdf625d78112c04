import MPaaSSupport
import SwiftASN1

/// The name of a certificate's holder or issuer.
package struct DistinguishedName: Sendable, Equatable, CustomStringConvertible {
  /// The name in DER, by which names are compared.
  let encoded: [UInt8]
  /// The parts in their order: a short word such as `CN`, and the value.
  package let parts: [(type: String, value: String)]

  private static let words = [
    "2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU",
    "2.5.4.41": "name", "0.9.2342.19200300.100.1.1": "UID", "0.9.2342.19200300.100.1.25": "DC",
    "1.2.840.113549.1.9.1": "emailAddress",
  ]

  init(_ node: ASN1Node) throws(CodeSignatureError) {
    encoded = Array(node.encodedBytes)
    var parts: [(String, String)] = []
    for set in try ASN1Members(of: node).rest {
      for pair in set.members {
        var members = try ASN1Members(of: pair)
        let type = try members.identifier()
        parts.append((Self.words[type] ?? type, try members.any().string ?? ""))
      }
    }
    self.parts = parts
  }

  /// The first value of a type; nil where there is none.
  package subscript(_ type: String) -> String? { parts.first { $0.type == type }?.value }

  /// The name by which people know it: the common name, else that of the unit or the organization.
  package var short: String { self["CN"] ?? self["OU"] ?? self["O"] ?? description }

  package var description: String { parts.map { "\($0.type) = \($0.value)" }.joined(separator: ", ") }

  package static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }
}
