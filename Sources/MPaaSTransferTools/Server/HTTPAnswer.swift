/// The answer of a server.
package struct HTTPAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file; the kernel sends it.
    case file(path: String, offset: UInt64, size: UInt64)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A line of text.
  package init(_ status: Int, text: String) {
    self.init(status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8)))
  }
}
