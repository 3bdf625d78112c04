/// A place to listen at or to lead to: `host:port`, `[v6]:port`, or `:port`.
package struct ControlAddress: Sendable, Hashable {
  /// Without the brackets of an IPv6 address; empty for all addresses of this machine.
  package let host: String
  package let port: Int

  /// - Throws: `net-api-address`.
  package init(_ text: String) throws(NetworkError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw NetworkError(.apiAddress, ["address": text])
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(where: { $0 == ":" || $0 == "[" || $0 == "]" || $0 == "/" || $0 == " " }) {
      throw NetworkError(.apiAddress, ["address": text])
    }
    self.host = String(host)
    self.port = Int(port)
  }
}
