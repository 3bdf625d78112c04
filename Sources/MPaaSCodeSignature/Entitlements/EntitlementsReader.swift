package import MPaaSConfig
import MPaaSSupport
import SwiftASN1

/// Reads the entitlements of a signature, which stand there as a property list and in DER.
package enum EntitlementsReader {
  private static let deepest = 32
  private static let mostBytes = 1 << 20

  /// The entitlements of a property list in XML.
  static func xml(_ blob: SignatureBlob) throws(CodeSignatureError) -> PropertyListValue {
    let content = blob.content
    guard content.count <= mostBytes else {
      throw CodeSignatureError(.tooMany, offset: blob.offset, value: UInt64(content.count))
    }
    do throws(ConfigError) {
      let root = try PropertyListFile(content.array, file: "entitlements").root
      guard root.members != nil else { throw ConfigError(.plistFormat) }
      return root
    } catch {
      throw CodeSignatureError(.badEntitlements, offset: blob.offset &+ 8)
    }
  }

  /// The entitlements in DER.
  ///
  /// A dictionary is tagged [16] of the context, its members are pairs; the first ones were a set. The outermost one is
  /// tagged [16] of the application, behind a version.
  static func der(_ blob: SignatureBlob) throws(CodeSignatureError) -> PropertyListValue {
    guard blob.content.count <= mostBytes else {
      throw CodeSignatureError(.tooMany, offset: blob.offset, value: UInt64(blob.content.count))
    }
    do throws(CodeSignatureError) {
      let root = try ASN1Members.root(of: blob.content)
      let isVersioned = root.identifier == ASN1Identifier(tagWithNumber: 16, tagClass: .application)
      guard let node = isVersioned ? root.members.last : root else {
        throw CodeSignatureError(.badEntitlements, offset: 0)
      }
      let entitlements = try value(node, depth: 0)
      guard entitlements.members != nil else { throw CodeSignatureError(.badEntitlements, offset: 0) }
      return entitlements
    } catch {
      throw CodeSignatureError(.badEntitlements, offset: blob.offset &+ 8)
    }
  }

  private static func value(_ node: ASN1Node, depth: Int) throws(CodeSignatureError) -> PropertyListValue {
    guard depth < deepest else { throw CodeSignatureError(.tooMany, offset: 0) }
    switch node.identifier {
    case .boolean: return .boolean(node.primitive?.first ?? 0 != 0)
    case .utf8String: return .string(node.string ?? "")
    case .octetString: return .data(node.octets ?? [])
    case .integer:
      guard let bytes = node.primitive, let first = bytes.first, bytes.count <= 8 else { break }
      let start: Int64 = first & 0x80 == 0 ? 0 : -1
      return .integer(Int(bytes.reduce(start) { $0 << 8 | Int64($1) }))
    case .sequence:
      var values: [PropertyListValue] = []
      for member in node.members { values.append(try value(member, depth: depth + 1)) }
      return .array(values)
    case .set, ASN1Identifier(tagWithNumber: 16, tagClass: .contextSpecific):
      var members: [(String, PropertyListValue)] = []
      for pair in node.members {
        let parts = pair.members
        guard parts.count == 2, parts[0].identifier == .utf8String, let key = parts[0].string else {
          throw CodeSignatureError(.badEntitlements, offset: 0)
        }
        members.append((key, try value(parts[1], depth: depth + 1)))
      }
      return .dictionary(members)
    default: break
    }
    throw CodeSignatureError(.badEntitlements, offset: 0)
  }
}

extension PropertyListValue {
  /// Tells whether both say the same, whatever the order of keys.
  package func isSame(as other: PropertyListValue) -> Bool {
    if let members, let others = other.members {
      guard members.count == others.count else { return false }
      return members.allSatisfy { member in other[member.key].map { member.value.isSame(as: $0) } ?? false }
    }
    if let values, let others = other.values {
      return values.count == others.count && zip(values, others).allSatisfy { $0.isSame(as: $1) }
    }
    return self == other
  }
}
