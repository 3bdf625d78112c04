package import NIOCore

/// The server that the greeting of a TLS client wants.
///
/// Source: RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3.
package enum ServerName: Equatable {
  /// The greeting is not whole yet.
  case partial
  /// It is no TLS greeting.
  case foreign
  /// The greeting is whole; nil where it names no server.
  case named(String?)

  /// The most that a greeting may take.
  private static let limit = 1 << 16

  /// Reads the records that `bytes` begins with, and takes nothing.
  package init(_ bytes: ByteBuffer) {
    var rest = bytes
    var message = ByteBuffer()
    while true {
      guard let head = rest.readBytes(length: min(5, rest.readableBytes)), let kind = head.first else { break }
      guard kind == 22, head.count < 2 || head[1] == 3 else {
        self = .foreign
        return
      }
      guard head.count == 5 else { break }
      let length = Int(head[3]) << 8 | Int(head[4])
      guard (1...(1 << 14) + 256).contains(length), message.readableBytes < Self.limit else {
        self = .foreign
        return
      }
      guard var record = rest.readSlice(length: min(length, rest.readableBytes)) else { break }
      message.writeBuffer(&record)
      if let first = message.getInteger(at: message.readerIndex, as: UInt8.self), first != 1 {
        self = .foreign
        return
      }
      if message.readableBytes >= 4, message.readableBytes >= 4 + Self.length(of: message) {
        self = Self.name(in: message).map { .named($0) } ?? .foreign
        return
      }
    }
    self = .partial
  }

  private static func length(of message: ByteBuffer) -> Int {
    Int(message.getInteger(at: message.readerIndex, as: UInt32.self) ?? 0) & 0xff_ffff
  }

  /// The name in a whole greeting: nil where it is malformed, `.some(nil)` where there is none.
  private static func name(in message: ByteBuffer) -> String?? {
    var body = message
    body.moveReaderIndex(forwardBy: 4)
    guard var body = body.readSlice(length: length(of: message)), body.readSlice(length: 34) != nil,
      body.readLengthPrefixedSlice(as: UInt8.self) != nil, body.readLengthPrefixedSlice(as: UInt16.self) != nil,
      body.readLengthPrefixedSlice(as: UInt8.self) != nil
    else { return nil }
    guard body.readableBytes > 0 else { return .some(nil) }
    guard var extensions = body.readLengthPrefixedSlice(as: UInt16.self) else { return nil }
    while extensions.readableBytes > 0 {
      guard let kind = extensions.readInteger(as: UInt16.self),
        var content = extensions.readLengthPrefixedSlice(as: UInt16.self)
      else { return nil }
      guard kind == 0 else { continue }
      guard var list = content.readLengthPrefixedSlice(as: UInt16.self), list.readInteger(as: UInt8.self) == 0,
        let name = list.readLengthPrefixedSlice(as: UInt16.self)
      else { return nil }
      return .some(String(buffer: name).lowercased())
    }
    return .some(nil)
  }
}

/// Leads TLS streams by the name in their greeting.
struct ServerNameOpening: StreamOpening {
  /// By server name, or `*.domain` for all names below it.
  let routes: [String: NetworkAddress]
  /// The destination of names without a route.
  let otherwise: NetworkAddress?

  init(_ definition: ProxyDefinition) throws(NetworkError) {
    var routes: [String: NetworkAddress] = [:]
    for (name, address) in definition.routes { routes[name.lowercased()] = try NetworkAddress(address) }
    self.routes = routes
    otherwise = definition.upstream.isEmpty ? nil : try NetworkAddress(definition.upstream)
  }

  func read(_ bytes: inout ByteBuffer) -> OpeningStep {
    switch ServerName(bytes) {
    case .partial: return .more
    case .foreign: return .refuse([], reason: "no TLS greeting")
    case .named(let name):
      guard let address = route(name) else {
        // A fatal alert: unrecognized_name.
        return .refuse([21, 3, 3, 0, 2, 2, 112], reason: "no route for \(name ?? "a greeting without a name")")
      }
      return .lead(OpeningTarget(address))
    }
  }

  func route(_ name: String?) -> NetworkAddress? {
    guard let name else { return otherwise }
    if let exact = routes[name] { return exact }
    var rest = name[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if let below = routes["*.\(rest)"] { return below }
    }
    return otherwise
  }
}
