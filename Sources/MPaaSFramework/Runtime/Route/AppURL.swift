/// A URL as routes see it: `shop://item/42?from=cart`, its parts with percent signs resolved.
///
/// RFC 3986, section 3; in queries `+` is a space as well, as forms write it.
public struct AppURL: Sendable, Hashable, CustomStringConvertible {
  /// As it was given.
  public let text: String
  /// In lower case.
  public let scheme: String
  /// In lower case, with the port as written; nil where there is no `//`.
  public let host: String?
  /// The parts of the path, without empty ones.
  public let path: [String]
  /// Names and values in their order; a name without `=` has an empty value.
  public let query: [QueryItem]
  /// The part after `#`; nil where there is none.
  public let fragment: String?

  /// A name and a value in a URL's query.
  public struct QueryItem: Sendable, Hashable {
    /// The name before `=`.
    public let name: String
    /// The value after `=`; empty where there is none.
    public let value: String
  }

  /// The longest URL that is read, in UTF-8 code units.
  static let longest = 1 << 16

  /// Reads a URL.
  ///
  /// - Throws: `route-url-malformed` with the part that is wrong.
  public init(_ text: String) throws(FrameworkError) {
    self.text = text
    guard text.utf8.count <= Self.longest else { throw Self.malformed(String(text.prefix(64)), "length") }
    guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else {
      throw Self.malformed(text, "scheme")
    }
    scheme = text[..<colon].lowercased()
    var rest = text[text.index(after: colon)...]
    if let part = Self.cut(&rest, at: "#") { fragment = try Self.decoded(part, of: text) } else { fragment = nil }
    query = try Self.items(Self.cut(&rest, at: "?") ?? "", of: text)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      host = try Self.decoded(rest[..<end], of: text).lowercased()
      rest = rest[end...]
    } else {
      host = nil
    }
    var path: [String] = []
    for part in rest.split(separator: "/") { path.append(try Self.decoded(part, of: text)) }
    self.path = path
  }

  /// The URL as it was given.
  public var description: String { text }

  /// The first value of that name in the query.
  public subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  /// The query as parameters; what stands there several times is a list of texts.
  public var parameters: Parameters {
    var lists: [String: [String]] = [:]
    for item in query { lists[item.name, default: []].append(item.value) }
    return Parameters(lists.mapValues { $0.count == 1 ? $0[0] as any Sendable : $0 })
  }
}

extension AppURL {
  private static func malformed(_ text: String, _ part: String) -> FrameworkError {
    FrameworkError(.routeURLMalformed, .route(text), values: ["part": part])
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  private static func cut(_ rest: inout Substring, at mark: Character) -> Substring? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return rest[rest.index(after: index)...]
  }

  private static func items(_ query: Substring, of text: String) throws(FrameworkError) -> [QueryItem] {
    var items: [QueryItem] = []
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1] : ""
      items.append(
        QueryItem(
          name: try decoded(parts[0], of: text, plusIsSpace: true),
          value: try decoded(value, of: text, plusIsSpace: true)))
    }
    return items
  }

  /// Resolves percent signs; the result must be UTF-8.
  private static func decoded(
    _ part: Substring, of text: String, plusIsSpace: Bool = false
  ) throws(FrameworkError) -> String {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(part) }
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw malformed(text, "%")
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    let result = String(decoding: bytes, as: UTF8.self)
    // Bytes that are no UTF-8 were repaired, and so differ.
    guard result.utf8.elementsEqual(bytes) else { throw malformed(text, "UTF-8") }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
