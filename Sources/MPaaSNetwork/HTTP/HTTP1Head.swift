/// The statements of the head of an HTTP/1.1 message about the way the message goes on.
///
/// The bytes themselves are led on as they came: order, case and spaces of the fields stay.
package struct HTTP1Head: Sendable, Equatable {
  /// The end of a message.
  package enum Framing: Sendable, Equatable {
    case none
    case length(Int64)
    case chunked
    /// At the end of the connection; replies only.
    case close
  }

  /// The most that a head may have.
  package static let longest = 65_536

  /// The method of a request; empty in a reply.
  package var method = ""
  package var target = ""
  /// The status of a reply; 0 in a request.
  package var status = 0
  package var minorVersion = 1
  package var framing = Framing.none
  /// Tells whether a field says that the connection ends (or, in HTTP/1.0, none says that it stays).
  package var closes = false
  package var expectsContinue = false
  /// The protocols of the Upgrade field, in small letters; nil where `Connection` does not name it.
  package var upgrade: String?

  /// Tells whether the connection may be another protocol's after the reply.
  package var asksForTunnel: Bool { method == "CONNECT" || upgrade != nil }
}

extension HTTP1Head {
  /// The length of the head at the start of `bytes`, its empty line included.
  ///
  /// - Parameter seen: How many of the bytes were looked at before.
  /// - Returns: nil where the end has not come yet.
  package static func length(_ bytes: UnsafeRawBufferPointer, seen: Int = 0) -> Int? {
    var at = max(seen - 3, 0)
    while at + 3 < bytes.count {
      // The fourth byte of an end is a line feed: most bytes are passed over four at a time.
      switch bytes[at + 3] {
      case HTTP1Bytes.lineFeed:
        if bytes[at] == 13 && bytes[at + 1] == 10 && bytes[at + 2] == 13 { return at + 4 }
        at += 2
      case HTTP1Bytes.carriageReturn: at += 1
      default: at += 4
      }
    }
    return nil
  }

  /// Reads the head of a request, from its first letter to its empty line.
  package init(request bytes: UnsafeRawBufferPointer) throws(HTTPRefusal) {
    guard let end = bytes.firstIndex(of: HTTP1Bytes.carriageReturn), end + 1 < bytes.count, bytes[end + 1] == 10 else {
      throw HTTPRefusal(400, "The request line does not end with CR LF.")
    }
    let line = bytes[..<end]
    guard let space = line.firstIndex(of: 0x20), space > 0, line[..<space].allSatisfy(HTTP1Bytes.isToken) else {
      throw HTTPRefusal(400, "The request line does not begin with a method and a space.")
    }
    guard let last = line.lastIndex(of: 0x20), last > space + 1 else {
      throw HTTPRefusal(400, "The request line has no target or no version.")
    }
    let target = line[(space + 1)..<last]
    guard target.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw HTTPRefusal(400, "The request target has a space or a control character.")
    }
    minorVersion = try Self.version(line[(last + 1)...])
    method = String(decoding: line[..<space], as: UTF8.self)
    self.target = String(decoding: target, as: UTF8.self)
    var fields = Fields()
    try fields.read(bytes[(end + 2)...])
    try take(fields)
    guard fields.hosts == 1 || (fields.hosts == 0 && minorVersion == 0) else {
      throw HTTPRefusal(400, fields.hosts == 0 ? "The request has no Host field." : "The request has two Host fields.")
    }
    switch try fields.transfer() {
    case .none: framing = fields.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
    case .chunked where minorVersion == 0:
      throw HTTPRefusal(400, "An HTTP/1.0 request has a Transfer-Encoding.")
    case .chunked: framing = .chunked
    case .other: throw HTTPRefusal(400, "The last Transfer-Encoding of the request is not chunked.")
    }
  }

  /// Reads the head of a reply, from its version to its empty line.
  ///
  /// - Parameter method: Of the request that it answers.
  package init(reply bytes: UnsafeRawBufferPointer, to method: String) throws(HTTPRefusal) {
    guard let end = bytes.firstIndex(of: HTTP1Bytes.carriageReturn), end + 1 < bytes.count, bytes[end + 1] == 10 else {
      throw HTTPRefusal(502, "The status line of the upstream does not end with CR LF.")
    }
    let line = bytes[..<end]
    guard line.count >= 12, line[8] == 0x20, let minor = try? Self.version(line[..<8]),
      let status = Self.status(line[9..<12]), line.count == 12 || line[12] == 0x20
    else { throw HTTPRefusal(502, "The upstream did not answer with an HTTP/1 status line.") }
    minorVersion = minor
    self.status = status
    var fields = Fields()
    do { try fields.read(bytes[(end + 2)...]) } catch {
      throw HTTPRefusal(502, "Reply of the upstream: \(error.reason)")
    }
    do { try take(fields) } catch { throw HTTPRefusal(502, "Reply of the upstream: \(error.reason)") }
    let isTunnel = status == 101 || (method == "CONNECT" && (200..<300).contains(status))
    if method == "HEAD" || status < 200 || status == 204 || status == 304 || isTunnel { return }
    let transfer: Fields.Transfer
    do { transfer = try fields.transfer() } catch {
      throw HTTPRefusal(502, "Reply of the upstream: \(error.reason)")
    }
    switch transfer {
    case .none: framing = fields.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .close
    case .chunked: framing = .chunked
    case .other: framing = .close
    }
  }

  private mutating func take(_ fields: Fields) throws(HTTPRefusal) {
    if let refusal = fields.lengthRefusal { throw refusal }
    closes = fields.connection.contains("close") || (minorVersion == 0 && !fields.connection.contains("keep-alive"))
    upgrade = fields.connection.contains("upgrade") ? fields.upgrade : nil
    expectsContinue = fields.expectsContinue && minorVersion == 1
  }

  private static func version(_ text: Slice<UnsafeRawBufferPointer>) throws(HTTPRefusal) -> Int {
    guard text.count == 8, text.prefix(5).elementsEqual("HTTP/".utf8), text[text.startIndex + 6] == 0x2e else {
      throw HTTPRefusal(400, "The request line does not end with an HTTP version.")
    }
    switch (text[text.startIndex + 5], text[text.startIndex + 7]) {
    case (0x31, 0x30): return 0
    case (0x31, 0x31): return 1
    default: throw HTTPRefusal(505, "Of HTTP only the versions 1.0, 1.1 and 2 are spoken here.")
    }
  }

  private static func status(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let status = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return status >= 100 ? status : nil
  }
}
