import MPaaSSupport

/// The parts of an absolute URL that recordings need.
package struct HARAddress: Sendable, Equatable {
  /// `http` or `https` in lower case; empty where the text is no absolute URL.
  package let scheme: String
  /// The host with its port where one stands, in lower case, without a user.
  package let authority: String
  /// The path as it stands, at least `/`.
  package let path: String
  /// The text behind the `?`, as it stands; nil where there is none.
  package let query: String?

  package init(_ url: String) {
    var rest = url.prefix { $0 != "#" }
    if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://"), !rest[..<colon].contains("/") {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(colon, offsetBy: 3)...]
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      let host = rest[..<end]
      authority = (host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host).lowercased()
      rest = rest[end...]
    } else {
      scheme = ""
      authority = ""
    }
    let path = rest.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : path.hasPrefix("/") ? String(path) : "/\(path)"
    query = path.endIndex < rest.endIndex ? String(rest[rest.index(after: path.endIndex)...]) : nil
  }

  /// The path with the query.
  package var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The parameters of the query in their order, decoded.
  package var parameters: [HARField] { query.map { Self.fields($0) } ?? [] }

  /// The fields of text as forms and queries have it.
  package static func fields(_ text: some StringProtocol) -> [HARField] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { field in
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      return HARField(decoded(name), decoded(field.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: some Sequence<UInt8>) -> String {
    PercentEncoding.decodeLeniently(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}
