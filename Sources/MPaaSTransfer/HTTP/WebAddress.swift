import MPaaSSupport

/// Addresses as HTTP's headers bear them.
enum WebAddress {
  /// Scheme, host and port of a URL.
  static func origin(_ url: String) -> Substring {
    let host = url.firstPlace(of: "://")?.upperBound ?? url.startIndex
    return url[..<(url[host...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex)]
  }

  /// The absolute address that a reference means on a page (RFC 3986, 5.3, without dots to remove).
  static func resolve(_ reference: String, on base: String) -> String {
    if reference.firstPlace(of: "://") != nil, let colon = reference.firstIndex(of: ":"),
      reference[..<colon].allSatisfy({ $0.isLetter || $0.isNumber })
    {
      return reference
    }
    let origin = Self.origin(base)
    if reference.hasPrefix("//") { return origin.prefix { $0 != ":" } + ":" + reference }
    if reference.hasPrefix("/") { return origin + reference }
    let path = base.prefix { $0 != "?" && $0 != "#" }
    if reference.hasPrefix("?") { return path + reference }
    guard path.count > origin.count, let slash = path.lastIndex(of: "/") else { return origin + "/" + reference }
    return path[...slash] + reference
  }

  /// Text as it may stand in a query.
  static func escaped(_ text: String) -> String { PercentEncoding.encode(text) }
}
