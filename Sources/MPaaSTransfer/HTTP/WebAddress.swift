import MPaaSSupport

/// Addresses and dates as HTTP's headers bear them.
enum WebAddress {
  /// Scheme, host and port of a URL.
  static func origin(_ url: String) -> Substring {
    let host = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    return url[..<(url[host...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex)]
  }

  /// The absolute address that a reference means on a page (RFC 3986, 5.3, without dots to remove).
  static func resolve(_ reference: String, on base: String) -> String {
    if reference.firstRange(of: "://") != nil, let colon = reference.firstIndex(of: ":"),
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

  /// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); nil for anything else.
  static func date(_ text: String) -> Double? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count >= 5, let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3]), (1...31).contains(day), (1900...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else {
      return nil
    }
    let days = CivilDate.days(year: year, month: month + 1, day: day)
    return Double(days * 86400 + time[0] * 3600 + time[1] * 60 + time[2])
  }
}
