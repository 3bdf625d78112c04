import MPaaSSupport

/// A request as patterns ask for it; what has to be read for an answer is read once.
final class RequestFacts {
  let request: MockRequest
  let now: Double
  let path: Substring
  private(set) lazy var query = FormText.pairs(request.query ?? "")
  private(set) lazy var body = MatchedText(request.body)
  private(set) lazy var form: [(name: String, value: String)] =
    (request.header("Content-Type") ?? "").lowercased().hasPrefix("application/x-www-form-urlencoded")
    ? FormText.pairs(Substring(String(decoding: request.body, as: UTF8.self))) : []
  private(set) lazy var cookies: [(name: String, value: String)] = request.headerValues("Cookie").flatMap { header in
    header.split(separator: ";").compactMap { pair in
      let sides = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      return (name: String(sides[0]), value: String(sides[1]))
    }
  }
  private(set) lazy var parts = MultipartBody.parts(of: request)

  init(_ request: MockRequest, now: Double) {
    self.request = request
    self.now = now
    path = request.path
  }

  func values(_ name: String, of pairs: [(name: String, value: String)]) -> [MatchedText] {
    pairs.compactMap { $0.name == name ? MatchedText($0.value) : nil }
  }
}

/// Names and values as in queries and forms.
package enum FormText {
  package static func pairs(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: decoded(sides[0]), value: sides.count > 1 ? decoded(sides[1]) : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    return PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}

/// The parts of a body of `multipart/form-data`.
package enum MultipartBody {
  package struct Part: Sendable {
    package var headers: [(name: String, value: String)] = []
    package var name: String?
    package var fileName: String?
    package var body: [UInt8] = []
  }

  private static let mostParts = 1000

  package static func parts(of request: MockRequest) -> [Part] {
    guard let type = request.header("Content-Type"), type.lowercased().hasPrefix("multipart/"),
      let boundary = parameter("boundary", of: type)
    else { return [] }
    let mark = Array("--\(boundary)".utf8)
    return split(request.body, by: mark).prefix(mostParts).compactMap { part($0) }
  }

  /// The parts between two marks at the beginning of lines.
  private static func split(_ body: [UInt8], by mark: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start: Int?
    var place = 0
    while place + mark.count <= body.count {
      let isLineStart = place == 0 || body[place - 1] == 10
      guard isLineStart, body[place...].starts(with: mark) else {
        place = body[(place + 1)...].firstIndex(of: 10).map { $0 + 1 } ?? body.count
        continue
      }
      if let start, place > start { pieces.append(trimmed(body[start..<place])) }
      let isLast = body[(place + mark.count)...].starts(with: "--".utf8)
      place = body[place...].firstIndex(of: 10).map { $0 + 1 } ?? body.count
      start = place
      if isLast { break }
    }
    return pieces
  }

  private static func trimmed(_ piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var piece = piece
    if piece.last == 10 { piece.removeLast() }
    if piece.last == 13 { piece.removeLast() }
    return piece
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    var part = Part()
    var rest = bytes
    while let end = rest.firstIndex(of: 10) {
      let line = String(decoding: trimmed(rest[..<(end + 1)]), as: UTF8.self)
      rest = rest[(end + 1)...]
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: ":"), part.headers.count < 100 else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      part.headers.append((name: String(line[..<colon]), value: String(value)))
    }
    part.body = Array(rest)
    let disposition = part.headers.first { MockRequest.isSame($0.name, "Content-Disposition") }?.value ?? ""
    part.name = parameter("name", of: disposition)
    part.fileName = parameter("filename", of: disposition)
    return part
  }

  /// A parameter of a header: `form-data; name="file"`.
  static func parameter(_ name: String, of header: String) -> String? {
    for piece in header.split(separator: ";").dropFirst() {
      let sides = piece.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, MockRequest.isSame(String(sides[0]), name) else { continue }
      let value = sides[1]
      return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
    }
    return nil
  }
}
