import MPaaSSupport

/// The address of an issuer or of one of its endpoints: `https`, or `http` on this machine.
struct OpenIDAddress: Sendable, Equatable {
  let url: String
  /// Tells whether it is spoken to without TLS, which this machine's own addresses alone are.
  let isPlain: Bool

  init?(_ text: String) {
    guard !text.contains("#"), let address = try? WebhookAddress(text, allowsPrivate: true) else { return nil }
    url = address.url
    isPlain = !url.lowercased().hasPrefix("https://")
    guard isPlain else { return }
    let isLocal = address.host == "localhost" || InternetAddress(address.host).map(Self.isLoopback) ?? false
    guard isLocal else { return nil }
  }

  /// Tells whether an address is one of this machine's own.
  static func isLoopback(_ address: InternetAddress) -> Bool {
    let bytes = address.bytes
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// The address with further parameters of its query.
  func asking(_ parameters: [(name: String, value: String)]) -> String {
    let query = Self.form(parameters)
    return url + (url.contains("?") ? "&" : "?") + query
  }

  /// Parameters as forms and queries have them.
  static func form(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }
}
