import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The parts of a form with files, as a request's body.
///
/// - Source: RFC 7578 (multipart/form-data), RFC 2046, section 5.1.
struct MultipartForm {
  struct Part: Equatable {
    let name: String
    /// nil for a plain field.
    let filename: String?
    let type: String?
    /// In the body's bytes.
    let content: Range<Int>
  }

  let parts: [Part]
  private static let mostParts = 1000
  /// The most bytes of one part's headers.
  private static let longestHead = 16 << 10

  /// - Throws: `ServerError` `multipart-malformed`, `multipart-cut` with the offset.
  init(_ bytes: UnsafeRawBufferPointer, boundary: String) throws(ServerError) {
    let mark = Array("--\(boundary)".utf8)
    guard (1...200).contains(boundary.utf8.count), var delimiter = Self.delimiter(mark, in: bytes, from: 0) else {
      throw ServerError(.multipartMalformed, ["offset": "0"])
    }
    var parts: [Part] = []
    while !delimiter.isLast {
      let start = delimiter.end
      guard parts.count < Self.mostParts, let head = Self.head(bytes, from: start) else {
        throw ServerError(.multipartMalformed, ["offset": String(start)])
      }
      guard let next = Self.delimiter(mark, in: bytes, from: head.end) else {
        throw ServerError(.multipartCut, ["offset": String(head.end)])
      }
      // The line end before a delimiter is the delimiter's.
      let end = max(head.end, next.start - 2)
      parts.append(
        Part(name: head.name, filename: head.filename, type: head.type, content: head.end..<end))
      delimiter = next
    }
    self.parts = parts
  }

  /// `boundary` of a `Content-Type: multipart/form-data`; nil for any other.
  static func boundary(of contentType: String?) -> String? {
    guard let contentType, contentType.prefix(20).lowercased().hasPrefix("multipart/form-data") else { return nil }
    return parameters(contentType)["boundary"]
  }

  private struct Delimiter {
    let start: Int
    /// Behind its line.
    let end: Int
    let isLast: Bool
  }

  /// The next line that begins with the mark and has nothing else on it but blanks, or two hyphens.
  private static func delimiter(_ mark: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int) -> Delimiter? {
    guard let base = bytes.baseAddress else { return nil }
    var place = start
    while bytes.count - place >= mark.count + 2 {
      let isMark = mark.withUnsafeBytes { mark in
        mark.baseAddress.map { memcmp(base + place, $0, mark.count) == 0 } ?? false
      }
      let isLine = place == start || (place >= start + 2 && bytes[place - 2] == 0x0d)
      if isMark, isLine {
        var end = place + mark.count
        if bytes[end] == 0x2d, bytes[end + 1] == 0x2d { return Delimiter(start: place, end: end + 2, isLast: true) }
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if end + 1 < bytes.count, bytes[end] == 0x0d, bytes[end + 1] == 0x0a {
          return Delimiter(start: place, end: end + 2, isLast: false)
        }
      }
      guard let found = memchr(base + place, 0x0a, bytes.count - place) else { return nil }
      place = base.distance(to: UnsafeRawPointer(found)) + 1
    }
    return nil
  }

  private struct Head {
    var name = ""
    var filename: String?
    var type: String?
    var end = 0
  }

  /// The headers of a part; nil where they have no name or no end.
  private static func head(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Head? {
    var head = Head()
    var isNamed = false
    var line = start
    let limit = min(bytes.count, start + longestHead)
    while let end = bytes[line..<limit].firstIndex(of: 0x0a) {
      let text = String(decoding: bytes[line..<end].prefix { $0 != 0x0d }, as: UTF8.self)
      line = end + 1
      if text.isEmpty {
        head.end = line
        return isNamed ? head : nil
      }
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      switch text[..<colon].lowercased() {
      case "content-disposition":
        let parameters = parameters(String(value))
        guard let name = parameters["name"] else { return nil }
        head.name = name
        head.filename = parameters["filename"]
        isNamed = true
      case "content-type": head.type = String(value)
      default: break
      }
    }
    return nil
  }

  /// `; name="value"` behind a header's first word, names in lower case.
  private static func parameters(_ text: String) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text.utf8.drop { $0 != UInt8(ascii: ";") }
    while rest.popFirst() != nil {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      let name = String(rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }) ?? ""
      rest = rest.dropFirst(name.utf8.count)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst()
      var value: [UInt8] = []
      if rest.first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
          value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
      } else {
        value = Array(rest.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
      }
      rest = rest.drop { $0 != UInt8(ascii: ";") }
      found[name.lowercased()] = String(decoding: value, as: UTF8.self)
    }
    return found
  }
}
