import Hummingbird
import MPaaSSupport
import MPaaSTerminal

/// The fields of a form that a page sent (application/x-www-form-urlencoded).
struct Form: Sendable {
  private let fields: [String: String]
  private static let largest: Int64 = 64 << 10

  init(_ request: Request, _ context: ServerContext, _ services: ServerServices) async throws {
    let body = try await RequestBodyReader.all(of: request, context, limit: Self.largest, limits: services.limits)
    self.init(String(decoding: body, as: UTF8.self))
  }

  init(_ text: String) {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[Self.plain(parts[0])] = parts.count == 2 ? Self.plain(parts[1]) : ""
    }
    self.fields = fields
  }

  /// The field without white space around it; empty where it is missing.
  subscript(name: String) -> String {
    let text = fields[name] ?? ""
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }

  private static func plain(_ text: Substring) -> String {
    PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}

/// The language that a browser asks for (RFC 9110, 12.5.4).
enum AcceptLanguage {
  /// The best of those that we speak; nil where it asks for none of them.
  static func best(of header: String) -> Language? {
    var best: (language: Language, weight: Double)?
    for range in header.split(separator: ",").prefix(50) {
      let parts = range.split(separator: ";")
      guard let tag = parts.first, let language = Language(tag: tag.filter { $0 != " " }) else { continue }
      let quality = parts.dropFirst().first { $0.drop { $0 == " " }.hasPrefix("q=") }
      let weight = quality.map { Double($0.drop { $0 != "=" }.dropFirst().filter { $0 != " " }) ?? 0 } ?? 1
      if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
    }
    return best?.language
  }
}
