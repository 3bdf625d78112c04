import MPaaSDigests
package import MPaaSSupport

extension PercentEncoding {
  /// A name for a file that no other role or target has, also where a file system does not tell cases apart from
  /// the names of the four top roles.
  package static func fileName(_ name: String) -> String {
    let isDisguised = TopRole(rawValue: name) == nil && TopRole(rawValue: name.lowercased()) != nil
    let disguise = isDisguised ? name.utf8.first { $0 < 0x61 } : nil
    let encoded = encode(name.utf8) { isUnreserved($0) && $0 != disguise }
    // File systems take 255 bytes; behind the name come an ending and what makes an unfinished file's name its own.
    guard encoded.utf8.count > 200 else { return encoded }
    return String(encoded.prefix(120)) + "~" + name.utf8.sha256.hexadecimal
  }
}
