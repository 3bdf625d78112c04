import NIOCore

/// The first request of an HTTP client to its proxy: CONNECT, or a request with the whole URL.
///
/// A plain request goes on in the form that servers take, with `Connection: close`: the reply ends the connection, so
/// that a client does not send a request for another server along it.
///
/// Source: RFC 9110, section 9.3.6; RFC 9112, section 3.2.
enum HTTPOpening {
  private static let limit = 1 << 16
  private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

  static func read(_ bytes: inout ByteBuffer) -> OpeningStep {
    let view = bytes.readableBytesView
    guard let end = headEnd(view) else {
      guard view.count > limit else { return .more }
      return .refuse(answer("431 Request Header Fields Too Large"), reason: "head too long")
    }
    let text = String(decoding: view[..<end], as: UTF8.self)
    bytes.moveReaderIndex(forwardBy: end - view.startIndex)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
    let words = lines.popFirst()?.split(separator: " ") ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return malformed("request line") }
    return words[0] == "CONNECT" ? connect(words[1]) : request(words, lines)
  }

  private static func connect(_ authority: Substring) -> OpeningStep {
    guard let address = try? NetworkAddress(String(authority)), !address.host.isEmpty else {
      return malformed("address \(authority)")
    }
    var target = OpeningTarget(address)
    target.success = established
    (target.refused, target.failed) = (answer("502 Bad Gateway"), answer("502 Bad Gateway"))
    return .lead(target)
  }

  private static func request(_ words: [Substring], _ lines: ArraySlice<Substring>) -> OpeningStep {
    let scheme = "http://"
    guard words[1].lowercased().hasPrefix(scheme) else { return malformed("request without a whole URL") }
    let rest = words[1].dropFirst(scheme.count)
    let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<slash].split(separator: "@").last.map(String.init) ?? ""
    let path = rest[slash...]
    let written = authority.last == "]" || !authority.contains(":") ? authority + ":80" : authority
    guard let address = try? NetworkAddress(written), !address.host.isEmpty else { return malformed("URL \(words[1])") }
    var head = "\(words[0]) \(path.hasPrefix("/") ? "" : "/")\(path) \(words[2])\r\n"
    let upgrades = lines.contains { name(of: $0) == "upgrade" }
    let hops: Set<String> = ["proxy-connection", "proxy-authorization", "keep-alive"]
    for line in lines where !hops.contains(name(of: line)) && (upgrades || name(of: line) != "connection") {
      head += line + "\r\n"
    }
    head += upgrades ? "\r\n" : "Connection: close\r\n\r\n"
    var target = OpeningTarget(address)
    target.first = Array(head.utf8)
    (target.refused, target.failed) = (answer("502 Bad Gateway"), answer("502 Bad Gateway"))
    return .lead(target)
  }

  private static func name(of line: Substring) -> String { line.prefix { $0 != ":" }.lowercased() }

  private static func malformed(_ what: String) -> OpeningStep {
    .refuse(answer("400 Bad Request"), reason: "HTTP: malformed \(what)")
  }

  private static func answer(_ status: String) -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
  }

  /// The beginning of the body.
  private static func headEnd(_ view: ByteBufferView) -> Int? {
    var index = view.startIndex
    while index + 4 <= view.endIndex {
      guard let found = view[index...].firstIndex(of: 13), found + 4 <= view.endIndex else { return nil }
      if view[found + 1] == 10, view[found + 2] == 13, view[found + 3] == 10 { return found + 4 }
      index = found + 1
    }
    return nil
  }
}
