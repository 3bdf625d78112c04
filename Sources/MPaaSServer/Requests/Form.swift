import Hummingbird
import MPaaSSupport

/// The fields of a form that a page sent (application/x-www-form-urlencoded).
struct Form: Sendable {
  private let fields: [String: [String]]
  private static let largest: Int64 = 64 << 10

  init(_ request: Request, _ context: ServerContext, _ services: ServerServices) async throws {
    let body = try await RequestBodyReader.all(of: request, context, limit: Self.largest, limits: services.limits)
    self.init(String(decoding: body, as: UTF8.self))
  }

  init(_ text: String) {
    var fields: [String: [String]] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[Self.plain(parts[0]), default: []].append(parts.count == 2 ? Self.plain(parts[1]) : "")
    }
    self.fields = fields
  }

  /// The field without white space around it; empty where it is missing.
  subscript(name: String) -> String {
    let text = whole(name)
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// The field as it was sent; the last one of several.
  func whole(_ name: String) -> String { fields[name]?.last ?? "" }

  func has(_ name: String) -> Bool { fields[name] != nil }

  /// All fields of a name.
  func all(_ name: String) -> [String] { fields[name] ?? [] }

  private static func plain(_ text: Substring) -> String {
    PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}
