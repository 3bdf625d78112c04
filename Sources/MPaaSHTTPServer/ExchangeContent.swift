import CMicroHTTP
import MPaaSTransferTools

/// A request as libmicrohttpd brings it; valid while its handler runs.
struct ExchangeContent: ServedRequest.Content {
  let exchange: OpaquePointer

  func header(_ name: String) -> String? {
    mp_http_request_header(exchange, name).map { String(cString: $0) }
  }

  var arguments: [(name: String, value: [UInt8])] {
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

  var body: [UInt8]? {
    var size = 0
    return mp_http_request_body(exchange, &size).map { Array(UnsafeRawBufferPointer(start: $0, count: size)) }
  }
}
