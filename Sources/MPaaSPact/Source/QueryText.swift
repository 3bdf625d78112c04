import MPaaSSupport

/// Names and values as queries and forms have them.
package enum QueryText {
  /// The most fields that are read.
  package static let mostFields = 10_000

  /// Reads `a=1&b=2`; fields without a name are left out, those of one name come together.
  package static func fields(_ text: String) -> [PactField] {
    var fields: [PactField] = []
    var indexes: [String: Int] = [:]
    for part in text.split(separator: "&").prefix(mostFields) {
      let equal = part.firstIndex(of: "=") ?? part.endIndex
      let name = decoded(part[..<equal])
      let value = equal == part.endIndex ? "" : decoded(part[part.index(after: equal)...])
      if let index = indexes[name] {
        fields[index].values.append(value)
      } else {
        indexes[name] = fields.count
        fields.append(PactField(name, [value]))
      }
    }
    return fields
  }

  /// Writes fields; what is not unreserved is escaped.
  package static func text(_ fields: [PactField]) -> String {
    fields.flatMap { field in
      field.values.map { "\(PercentEncoding.encode(field.name))=\(PercentEncoding.encode($0))" }
    }.joined(separator: "&")
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}
