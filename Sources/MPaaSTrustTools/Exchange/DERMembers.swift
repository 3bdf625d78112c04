import MPaaSSupport
import MPaaSTrust
import SwiftASN1

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The members of a sequence in DER (ITU-T X.690), taken one after another; what is left over is not looked at.
struct DERMembers {
  private var nodes: ASN1NodeCollection.Iterator

  init(of der: Data) throws { try self.init(of: DER.parse(Array(der))) }

  private init(of node: ASN1Node?) throws {
    guard let node, node.identifier == .sequence, case .constructed(let nodes) = node.content else {
      throw ASN1Error.unexpectedFieldType(node?.identifier ?? .null)
    }
    self.nodes = nodes.makeIterator()
  }

  mutating func sequence() throws -> DERMembers { try DERMembers(of: nodes.next()) }
  mutating func octets() throws -> Data { Data(try ASN1OctetString(derEncoded: &nodes).bytes) }
  /// A number from 0 up that fits into 32 bits.
  mutating func integer() throws -> Int { Int(try UInt32(derEncoded: &nodes)) }

  /// An object identifier as its bytes in hex.
  mutating func identifier() throws -> String {
    guard let node = nodes.next(), node.identifier == .objectIdentifier, case .primitive(let bytes) = node.content
    else {
      throw ASN1Error.invalidASN1Object(reason: "no object identifier")
    }
    return Data(bytes).hexadecimal
  }

  /// Tells whether the next member is of a kind.
  func isNext(_ kind: ASN1Identifier) -> Bool {
    var copy = nodes
    return copy.next()?.identifier == kind
  }
}

extension DER.Serializer {
  /// Writes an object identifier that is given as its bytes in hex.
  mutating func append(identifier hex: String) {
    appendPrimitiveNode(identifier: .objectIdentifier) { $0 += Data(hexadecimal: hex) ?? Data() }
  }

  mutating func append(octets: Data) {
    appendPrimitiveNode(identifier: .octetString) { $0 += octets }
  }

  mutating func sequence(_ members: (inout DER.Serializer) throws -> Void) rethrows {
    try appendConstructedNode(identifier: .sequence, members)
  }
}
