import Hummingbird
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
    percentDecoded(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }

  /// The text whose bytes stand with some of them as `%XX` (RFC 3986, 2.1); what is no such triplet stays as it is.
  static func percentDecoded(_ bytes: [UInt8]) -> String {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x37
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    var plain: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == 0x25, place + 2 < bytes.count, let high = digit(bytes[place + 1]),
        let low = digit(bytes[place + 2])
      {
        plain.append(high << 4 | low)
        place += 3
      } else {
        plain.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
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
