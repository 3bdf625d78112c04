/// A version of the OpenAPI Specification that is read.
package enum OpenAPIVersion: String, Sendable, Comparable, CaseIterable {
  case v3_0 = "3.0"
  case v3_1 = "3.1"
  case v3_2 = "3.2"

  /// Reads the text of the field `openapi`; nil where it is of another version.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    self.init(rawValue: "\(parts[0]).\(parts[1])")
  }

  package static func < (left: OpenAPIVersion, right: OpenAPIVersion) -> Bool { left.rawValue < right.rawValue }
}
