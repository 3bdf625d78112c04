import MPaaSSupport

/// The address of a place in a bucket: `s3://BUCKET/PREFIX?endpoint=URL&region=REGION`, all but the bucket optional.
package struct S3Address: Sendable, Equatable {
  package let bucket: String
  /// The beginning of the names of all objects, with a slash at its end; empty for none.
  package let prefix: String
  /// `http://HOST:PORT` or `https://HOST` of a store; nil for Amazon's.
  package let endpoint: String?
  /// nil where the address does not say it.
  package let region: String?

  private static let scheme = "s3://"

  /// - Returns: nil where the text is no such address: a key in it is refused, too, since others may read it.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    guard let bucket = names.first, Self.isBucket(bucket) else { return nil }
    names.removeFirst()
    if names.last == "" { names.removeLast() }
    guard names.allSatisfy(Self.isName) else { return nil }
    var (endpoint, region): (String?, String?)
    for pair in parts.count > 1 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : [] {
      let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2, let value = PercentEncoding.decode(words[1]) else { return nil }
      switch words[0] {
      case "endpoint" where endpoint == nil:
        guard let found = Self.endpoint(value) else { return nil }
        endpoint = found
      case "region" where region == nil && Self.isRegion(value): region = value
      default: return nil
      }
    }
    self.bucket = String(bucket)
    prefix = names.map { $0 + "/" }.joined()
    (self.endpoint, self.region) = (endpoint, region)
  }

  /// The URL of a store without a slash at its end; nil where a text is more or less than a scheme, a host and perhaps
  /// a port.
  package static func endpoint(_ text: String) -> String? {
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
    let endpoint = text.hasSuffix("/") ? text.dropLast() : text[...]
    let host = endpoint.dropFirst(scheme.count)
    let isHost = host.utf8.allSatisfy {
      PercentEncoding.isUnreserved($0) || [UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]")].contains($0)
    }
    return isHost && !host.isEmpty ? String(endpoint) : nil
  }

  private static func isRegion(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isBucket(_ text: Substring) -> Bool {
    (3...63).contains(text.utf8.count) && text.first != "." && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
  }

  /// Tells whether a part of the prefix leads nowhere else, and can be written without control characters.
  private static func isName(_ text: Substring) -> Bool {
    !["", ".", ".."].contains(text) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// The address without its query; for messages.
  package var shown: String { "\(Self.scheme)\(bucket)/\(prefix)" }
}

/// The store of a bucket as requests reach it.
package struct S3Place: Sendable, Equatable {
  /// `https://HOST`, without a path.
  package let origin: String
  /// The path of the bucket with the prefix behind it, escaped, with slashes at both ends.
  package let path: String
  package let region: String

  /// The host of the URL, and its port where it is not the scheme's own: what a request names in `Host`.
  package let host: String

  /// - Parameter region: Used where the address says none.
  package init(_ address: S3Address, endpoint: String?, region: String) {
    let region = address.region ?? region
    let prefix = PercentEncoding.encode(address.prefix, keeping: "/")
    if let endpoint = address.endpoint ?? endpoint {
      (origin, path) = (endpoint, "/\(address.bucket)/\(prefix)")
    } else {
      let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
      // A certificate with a wildcard is for one label alone.
      let isHost = !address.bucket.utf8.contains(UInt8(ascii: "."))
      origin = isHost ? "https://\(address.bucket).s3.\(region).\(domain)" : "https://s3.\(region).\(domain)"
      path = isHost ? "/\(prefix)" : "/\(address.bucket)/\(prefix)"
    }
    self.region = region
    let isSecure = origin.hasPrefix("https://")
    let authority = String(origin.dropFirst(isSecure ? 8 : 7))
    let port = isSecure ? ":443" : ":80"
    host = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }

  /// Tells whether the store is on this machine, where no proxy leads.
  var isLoopback: Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return name == "localhost" || name == "[::1]" || name.hasPrefix("127.")
  }
}
