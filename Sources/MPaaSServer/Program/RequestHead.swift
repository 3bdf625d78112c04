import HTTPTypes

extension HTTPRequest {
  private static let host = HTTPField.Name("Host")

  /// Tells whether the head names one host (RFC 9112, 3.2).
  ///
  /// The first of them is the authority, and stands among the headers no more.
  var namesOneHost: Bool {
    authority != nil && Self.host.map { headerFields[values: $0].isEmpty } ?? true
  }

  /// Tells whether the head announces a body.
  var hasBody: Bool {
    if let length = headerFields[.contentLength] { return length != "0" }
    return headerFields[.transferEncoding] != nil
  }
}
