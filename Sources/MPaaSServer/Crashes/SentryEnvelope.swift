import MPaaSSupport

/// A request of Sentry's SDKs: a line of headers, and items of a line of headers and a payload each.
///
/// - Source: "Envelopes", develop.sentry.dev/sdk/data-model/envelopes.
struct SentryEnvelope {
  struct Item: Equatable {
    let type: String
    /// In the envelope's bytes.
    let payload: Range<Int>
    /// The kind of an attachment: `event.minidump`, `event.applecrashreport` ….
    let attachmentType: String?
    let filename: String?
    let contentType: String?
  }

  /// 32 hexadecimal digits; nil where the envelope is about no event.
  let eventID: String?
  /// The key of `dsn`, where SDKs send it here.
  let key: String?
  /// The time by the sender's clock, as it has it.
  let sentAt: String?
  let items: [Item]
  private static let mostItems = 1000
  /// The most bytes of one line of headers.
  private static let longestLine = 64 << 10

  /// - Throws: `ServerError` with the offset of what cannot be there.
  init(_ bytes: UnsafeRawBufferPointer) throws(ServerError) {
    var place = 0
    guard let header = Self.line(bytes, &place) else { throw ServerError(.envelopeHeader, ["offset": "0"]) }
    eventID = header["event_id"]?.string.flatMap(Self.eventID)
    key = header["dsn"]?.string.flatMap(Self.key(ofDSN:))
    sentAt = header["sent_at"]?.string
    var items: [Item] = []
    while true {
      // SDKs end envelopes with none, one or several line ends.
      while place < bytes.count, bytes[place] == 0x0a || bytes[place] == 0x0d { place += 1 }
      guard place < bytes.count else { break }
      guard items.count < Self.mostItems else {
        throw ServerError(.envelopeItems, ["offset": String(place), "limit": String(Self.mostItems)])
      }
      let start = place
      guard let header = Self.line(bytes, &place), let type = header["type"]?.string, !type.isEmpty else {
        throw ServerError(.envelopeItem, ["offset": String(start)])
      }
      let payload: Range<Int>
      switch header["length"] {
      case nil, .null?:
        let end = bytes[place...].firstIndex(of: 0x0a) ?? bytes.count
        payload = place..<end
      case let length?:
        guard let length: Int = length.integer(), length >= 0 else {
          throw ServerError(.envelopeItem, ["offset": String(start)])
        }
        guard length <= bytes.count - place else {
          throw ServerError(
            .envelopeCut, ["offset": String(place), "length": String(length), "left": String(bytes.count - place)])
        }
        payload = place..<place + length
      }
      place = payload.upperBound
      guard place == bytes.count || bytes[place] == 0x0a || bytes[place] == 0x0d else {
        throw ServerError(.envelopeItem, ["offset": String(place)])
      }
      items.append(
        Item(
          type: type, payload: payload, attachmentType: header["attachment_type"]?.string,
          filename: header["filename"]?.string, contentType: header["content_type"]?.string))
    }
    self.items = items
  }

  /// The key that the line of headers names; nil where it names none, or is no such line.
  static func key(ofFirstLine line: [UInt8]) -> String? {
    let header = line.withUnsafeBytes { try? JSONValue(reading: $0).object }
    return header?["dsn"]?.string.flatMap(Self.key(ofDSN:))
  }

  /// The object that the line at `place` is, and the place behind its end.
  private static func line(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> JSONValue.Object? {
    let rest = bytes[place...].prefix(longestLine)
    let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
    guard end == bytes.count || end < rest.endIndex else { return nil }
    let object = try? JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[place..<end])).object
    place = min(end + 1, bytes.count)
    return object
  }

  /// An event's name in one spelling: 32 lower-case hexadecimal digits; nil where it is none.
  static func eventID(_ text: String) -> String? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 32, digits.allSatisfy({ $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }) else { return nil }
    return String(decoding: digits.map { $0 >= 0x41 && $0 <= 0x46 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// `KEY` of `https://KEY@host/1`, and of `KEY:SECRET@`.
  static func key(ofDSN text: String) -> String? {
    guard let slashes = text.firstRange(of: "://"), let at = text[slashes.upperBound...].firstIndex(of: "@") else {
      return nil
    }
    let name = text[slashes.upperBound..<at].prefix { $0 != ":" }
    return name.isEmpty ? nil : String(name)
  }
}

/// The ways in which a request of Sentry's SDKs says whose it is.
enum SentryAuthentication {
  /// The key by `X-Sentry-Auth: Sentry sentry_key=…`, the same in `Authorization`, or `?sentry_key=` of the address.
  ///
  /// - Source: "Authentication", develop.sentry.dev/sdk/overview.
  static func key(header: String?, authorization: String?, query: String?) -> String? {
    for value in [header, authorization] {
      guard let words = value.flatMap(words) else { continue }
      for part in words.split(separator: UInt8(ascii: ",")) {
        if let key = named(part.drop { $0 == UInt8(ascii: " ") }) { return key }
      }
    }
    return query?.utf8.split(separator: UInt8(ascii: "&")).lazy.compactMap(named).first
  }

  /// The words behind `Sentry `.
  private static func words(of value: String) -> Substring.UTF8View? {
    let scheme = "sentry ".utf8
    let begin = value.utf8.prefix(scheme.count)
    return begin.lazy.map(\.lowercasedASCII).elementsEqual(scheme) ? value.utf8[begin.endIndex...] : nil
  }

  private static func named(_ part: Substring.UTF8View) -> String? {
    let name = "sentry_key=".utf8
    guard part.starts(with: name) else { return nil }
    let key = part.dropFirst(name.count).prefix { $0 != UInt8(ascii: " ") }
    return key.isEmpty ? nil : String(Substring(key))
  }
}
