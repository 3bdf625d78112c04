/// A request that a server of ours got; valid while its handler runs.
package struct ServedRequest {
  /// The content that a request brings beside its first line, as the server has it.
  package protocol Content {
    /// The value of a header; nil where there is none.
    func header(_ name: String) -> String?
    /// The arguments of the query in their order, escapes taken out; an argument without `=` has an empty value.
    var arguments: [(name: String, value: [UInt8])] { get }
    /// The body; nil where it is larger than the server takes.
    var body: [UInt8]? { get }
  }

  /// `GET`, `POST`, as the client wrote it.
  package let method: String
  /// The path, percent escapes taken out, without the query.
  package let path: String
  private let content: any Content

  package init(method: String, path: String, content: any Content) {
    self.method = method
    self.path = path
    self.content = content
  }

  package func header(_ name: String) -> String? { content.header(name) }
  package var arguments: [(name: String, value: [UInt8])] { content.arguments }
  package var body: [UInt8]? { content.body }
}
