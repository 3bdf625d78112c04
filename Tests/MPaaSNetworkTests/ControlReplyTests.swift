import Testing

@testable import MPaaSNetworkConditions

@Suite("The answers that the client of the control API reads") struct ControlReplyTests {
  typealias Failure = ControlExchange.Failure

  /// Reads an answer whose bytes come in pieces of a size.
  private func read(_ text: String, by size: Int) throws(Failure) -> ControlReply {
    var reader = ControlReplyReader()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      if let reply = try reader.take(piece) { return reply }
    }
    return try reader.end()
  }

  @Test("are whole by their length, by their chunks, or by the end of the connection", arguments: [1, 7, 1000])
  func whole(size: Int) throws {
    let answers = [
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
      ("HTTP/1.1 404 Not Found\r\ncontent-length:2\r\nA: b\r\n\r\nno", 404, "no"),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: x\r\n\r\n", 200,
        "hello"
      ),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", 201, ""),
      ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""), ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
    ]
    for (text, status, body) in answers {
      #expect(try read(text, by: size) == ControlReply(status: status, body: Array(body.utf8)), "\(text)")
    }
  }

  @Test("are refused where they are none, or end too early", arguments: [1, 1000])
  func refused(size: Int) {
    for text in [
      "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/2 200\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Le",
    ] {
      #expect { try read(text, by: size) } throws: { error in
        guard case .foreign = error as? Failure else { return false }
        return true
      }
    }
    #expect { try read("", by: 1) } throws: { error in
      guard case .unreachable = error as? Failure else { return false }
      return true
    }
  }
}
