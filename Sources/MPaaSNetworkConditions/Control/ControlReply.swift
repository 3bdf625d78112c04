/// An answer of a server, whole.
struct ControlReply: Sendable, Equatable {
  let status: Int
  let body: [UInt8]
}

/// Takes an answer of HTTP/1.1 together, as its bytes come.
///
/// - Source: RFC 9112, sections 4, 6.3 and 7.1.
struct ControlReplyReader {
  typealias Failure = ControlExchange.Failure

  /// The most bytes of a head, and of an answer.
  private static let headLimit = 64 << 10
  private static let limit = 64 << 20

  /// How long the body is.
  private enum Length {
    case bytes(Int)
    case chunked
    case untilEnd
  }

  private var bytes: [UInt8] = []
  private var head: (status: Int, length: Length, end: Int)?

  /// Takes what came; the answer where it is whole.
  mutating func take(_ piece: ArraySlice<UInt8>) throws(Failure) -> ControlReply? {
    bytes += piece
    guard bytes.count <= Self.limit else { throw .foreign("more than \(Self.limit) bytes") }
    while head == nil {
      guard let end = try endOfHead() else { return nil }
      let read = try Self.read(String(decoding: bytes[..<end], as: UTF8.self), end: end)
      // What goes before the answer (100 Continue) is not one.
      if (100..<200).contains(read.status) { bytes.removeFirst(end) } else { head = read }
    }
    guard let head else { return nil }
    let rest = bytes[head.end...]
    switch head.length {
    case .bytes(let count):
      return rest.count < count ? nil : ControlReply(status: head.status, body: Array(rest.prefix(count)))
    // The last chunk ends with a line.
    case .chunked where bytes.last != UInt8(ascii: "\n"): return nil
    case .chunked: return try Self.unchunked(rest).map { ControlReply(status: head.status, body: $0) }
    case .untilEnd: return nil
    }
  }

  /// The connection is over: the answer, where that is what ends it.
  func end() throws(Failure) -> ControlReply {
    guard !bytes.isEmpty else { throw .unreachable("the connection ended without an answer") }
    guard let head, case .untilEnd = head.length else { throw .foreign("the connection ended within the answer") }
    return ControlReply(status: head.status, body: Array(bytes[head.end...]))
  }

  // MARK: - The head

  private static let start = Array("HTTP/1.".utf8)
  private static let blankLine = Array("\r\n\r\n".utf8)

  /// Where the body begins; nil where the head is not whole.
  private func endOfHead() throws(Failure) -> Int? {
    guard bytes.prefix(Self.start.count).elementsEqual(Self.start.prefix(bytes.count)) else {
      throw .foreign("no HTTP/1.1")
    }
    if let range = bytes.prefix(Self.headLimit).firstRange(of: Self.blankLine) { return range.upperBound }
    guard bytes.count < Self.headLimit else { throw .foreign("a head of more than \(Self.headLimit) bytes") }
    return nil
  }

  private static func read(_ text: String, end: Int) throws(Failure) -> (status: Int, length: Length, end: Int) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let words = lines.first?.split(separator: " "), words.count > 1, words[1].count == 3,
      let status = Int(words[1]), status >= 100
    else { throw .foreign(String(lines.first ?? "")) }
    var length = Length.untilEnd
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
      switch line[..<colon].lowercased() {
      case "transfer-encoding" where value.lowercased().hasSuffix("chunked"): length = .chunked
      case "content-length":
        if case .chunked = length { continue }
        guard let count = Int(value), count >= 0 else { throw .foreign(String(line)) }
        length = .bytes(count)
      default: continue
      }
    }
    return (status, status == 204 || status == 304 ? .bytes(0) : length, end)
  }

  // MARK: - The body

  /// The body without its chunks' lengths; nil where it is not whole.
  private static func unchunked(_ bytes: ArraySlice<UInt8>) throws(Failure) -> [UInt8]? {
    var rest = bytes
    var body: [UInt8] = []
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let digits = rest[..<line].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0, size <= limit else {
        throw .foreign("a chunk without a length")
      }
      rest = rest[(line + 1)...]
      if size == 0 { return body }
      guard rest.count >= size + 2 else { return nil }
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return nil
  }
}
