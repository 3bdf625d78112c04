/// The wishes of a request to the mock: by `Prefer` (RFC 7240), or in the query as `__code`, `__example`, `__dynamic`.
package struct MockPreference: Sendable, Equatable {
  package var code: Int?
  package var example: String?
  package var isDynamic: Bool?

  package init(_ request: OpenAPIRequest) {
    let fields = FormFields(request.query ?? "")
    for name in ["code", "example", "dynamic"] {
      if let value = fields.values(of: "__" + name).first { set(name, FormFields.decoded(value)) }
    }
    for part in (request.headers["prefer"] ?? "").split(whereSeparator: { $0 == "," || $0 == ";" }) {
      guard let equals = part.firstIndex(of: "=") else { continue }
      var value = MediaTypeName.trimmed(part[equals...].dropFirst())
      if value.first == "\"", value.last == "\"", value.count > 1 { value = String(value.dropFirst().dropLast()) }
      set(MediaTypeName.trimmed(part[..<equals]).lowercased(), value)
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    switch name {
    case "code": code = Int(value).flatMap { (100...599).contains($0) ? $0 : nil }
    case "example": example = value
    case "dynamic": isDynamic = value == "true"
    default: break
    }
  }
}
