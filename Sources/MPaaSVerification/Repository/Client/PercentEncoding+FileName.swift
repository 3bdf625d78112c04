import MPaaSDigests
package import MPaaSSupport

extension PercentEncoding {
  /// A name for a file that no other role or target has, also where a file system does not tell cases apart from
  /// the names of the four top roles.
  package static func fileName(_ name: String) -> String {
    var encoded = encode(name)
    let isDisguised = TopRole(rawValue: name) == nil && TopRole(rawValue: name.lowercased()) != nil
    if isDisguised, let first = name.utf8.first(where: { $0 < 0x61 }) {
      let letter = Character(UnicodeScalar(first))
      let escape = "%" + String(first, radix: 16, uppercase: true)
      encoded = encoded.replacing(each: letter, with: escape)
    }
    // File systems take 255 bytes; behind the name come an ending and what makes an unfinished file's name its own.
    guard encoded.utf8.count > 200 else { return encoded }
    return String(encoded.prefix(120)) + "~" + name.utf8.sha256.hexadecimal
  }
}
