/// The URLs that a route is for: `shop://item/{id}`, or `/item/{id}` for any scheme and host.
///
/// `{name}` stands for one part of the path, `{name*}` at the end for all the rest. `*` as scheme or host fits any.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
  enum Part: Sendable, Hashable {
    case literal(String)
    case one(String)
    case rest(String)

    init(_ word: Substring) {
      guard word.hasPrefix("{"), word.hasSuffix("}") else {
        self = .literal(String(word))
        return
      }
      let name = word.dropFirst().dropLast()
      self = name.hasSuffix("*") ? .rest(String(name.dropLast())) : .one(String(name))
    }

    var name: String? {
      switch self {
      case .literal: nil
      case .one(let name), .rest(let name): name
      }
    }
  }

  /// The pattern as it was given.
  public let text: String
  let scheme: String?
  let host: String?
  let parts: [Part]

  /// Reads a pattern.
  ///
  /// - Throws: `route-pattern-malformed` with the part that cannot be.
  public init(_ text: String) throws(FrameworkError) {
    self.text = text
    var path = text[...]
    if let mark = text.indices.first(where: { text[$0...].hasPrefix("://") }) {
      let start = text.index(mark, offsetBy: 3)
      let end = text[start...].firstIndex(of: "/") ?? text.endIndex
      scheme = Self.unlessAny(text[..<mark])
      host = Self.unlessAny(text[start..<end])
      path = text[end...]
    } else {
      (scheme, host) = (nil, nil)
      guard text.hasPrefix("/") else { throw Self.malformed(text, text) }
    }
    parts = try Self.parts(path, of: text)
  }

  private static func parts(_ path: Substring, of text: String) throws(FrameworkError) -> [Part] {
    var parts: [Part] = []
    var names = Set<String>()
    for word in path.split(separator: "/") {
      if case .rest = parts.last { throw malformed(text, String(word)) }
      let part = Part(word)
      if let name = part.name, name.isEmpty || !names.insert(name).inserted { throw malformed(text, String(word)) }
      parts.append(part)
    }
    return parts
  }

  private static func malformed(_ text: String, _ part: String) -> FrameworkError {
    FrameworkError(.routePatternMalformed, .route(text), values: ["part": part])
  }

  private static func unlessAny(_ text: Substring) -> String? { text == "*" ? nil : text.lowercased() }

  /// The pattern as it was given.
  public var description: String { text }

  /// The values of the pattern's names in a URL; nil where it does not fit.
  public func match(_ url: AppURL) -> [String: String]? {
    if let scheme, scheme != url.scheme { return nil }
    if let host, host != url.host ?? "" { return nil }
    var values: [String: String] = [:]
    var words = url.path[...]
    for part in parts {
      switch part {
      case .rest(let name):
        values[name] = words.joined(separator: "/")
        return values
      case .literal(let text): guard words.popFirst() == text else { return nil }
      case .one(let name):
        guard let word = words.popFirst() else { return nil }
        values[name] = word
      }
    }
    return words.isEmpty ? values : nil
  }
}
