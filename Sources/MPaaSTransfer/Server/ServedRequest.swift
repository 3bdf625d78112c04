import CMicroHTTP

/// A request that a server of ours got; valid while its handler runs.
package struct ServedRequest {
  /// `GET`, `POST`, as the client wrote it.
  package let method: String
  /// The path, percent escapes taken out, without the query.
  package let path: String
  private let exchange: OpaquePointer

  init(method: String, path: String, exchange: OpaquePointer) {
    self.method = method
    self.path = path
    self.exchange = exchange
  }

  /// The value of a header; nil where there is none.
  package func header(_ name: String) -> String? {
    mp_http_request_header(exchange, name).map { String(cString: $0) }
  }

  /// The arguments of the query in their order, escapes taken out; an argument without `=` has an empty value.
  package var arguments: [(name: String, value: [UInt8])] {
    var found: [(name: String, value: [UInt8])] = []
    withUnsafeMutablePointer(to: &found) { found in
      mp_http_request_arguments(
        exchange,
        { context, name, nameSize, value, valueSize in
          let list = context?.assumingMemoryBound(to: [(name: String, value: [UInt8])].self)
          let name = UnsafeRawBufferPointer(start: name, count: nameSize)
          let value = UnsafeRawBufferPointer(start: value, count: valueSize)
          list?.pointee.append((String(decoding: name, as: UTF8.self), Array(value)))
        }, found)
    }
    return found
  }

  /// The body; nil where it is larger than the server takes.
  package var body: [UInt8]? {
    var size = 0
    return mp_http_request_body(exchange, &size).map { Array(UnsafeRawBufferPointer(start: $0, count: size)) }
  }
}
