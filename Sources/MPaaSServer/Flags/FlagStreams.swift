import HTTPTypes
import Hummingbird
import NIOCore

/// Streams of server-sent events.
extension FlagBook {
  /// A stream, which ends with the connection, or when the token of its client expires.
  ///
  /// - Parameters:
  ///   - expires: The time when the client's token does.
  ///   - first: The messages that it begins with.
  /// - Throws: `Refusal` `server-crowded` where streams have as many connections as they may have.
  func stream(
    _ place: FlagPlace, _ kind: FlagAudience.Kind, _ context: ServerContext, until expires: Double,
    first: @escaping @Sendable (FlagEdition) async throws -> [ByteBuffer]
  ) throws -> Response {
    try checkRoom()
    let closed = context.channel.closeFuture
    let body = ResponseBody { writer in
      let listener = place.audience.join(kind, until: expires)
      defer { place.audience.leave(listener) }
      closed.whenComplete { _ in listener.end() }
      for message in try await first(place.edition) { try await writer.write(message) }
      for await message in listener.messages { try await writer.write(message) }
      try await writer.finish(nil)
    }
    var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-cache"]
    // Proxies of nginx's kind would hold events back.
    if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
    return Response(status: .ok, headers: headers, body: body)
  }

  /// Keeps an eighth of the connections for what is no stream: the key of an app, which everybody has, opens streams.
  private func checkRoom() throws {
    let usual = services.connections.usual
    let streams = all.reduce(0) { $0 + $1.audience.count }
    guard streams < usual - usual / 8 else { throw Refusal(.crowded) }
  }
}
