import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Keeps the fields that follow a body until its request asks for them: the framework hands on bodies alone.
///
/// A request that announces them by `Trailer` gets a number in a field of its own, by which they are found; requests of
/// one connection may be read ahead of those that are being answered.
final class RequestTrailers: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private struct State {
    var count = 0
    var isAnnounced = false
    var kept: [(number: Int, fields: HTTPFields)] = []
  }

  /// The most requests whose fields are kept: some never ask for them.
  private static let most = 16
  private static let number = HTTPField.Name("Mpaas-Trailer-Number")

  private let state = Mutex(State())

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(var head) where head.headerFields[.trailer] != nil:
      let number = state.withLock { state in
        state.count += 1
        state.isAnnounced = true
        return state.count
      }
      if let name = Self.number { head.headerFields[name] = String(number) }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .head:
      state.withLock { $0.isAnnounced = false }
      context.fireChannelRead(data)
    case .end(let fields?):
      state.withLock { state in
        guard state.isAnnounced else { return }
        if state.kept.count == Self.most { state.kept.removeFirst() }
        state.kept.append((state.count, fields))
      }
      context.fireChannelRead(data)
    default: context.fireChannelRead(data)
    }
  }

  /// Tells whether a request says that a field comes behind its body.
  static func announce(_ name: HTTPField.Name, _ request: Request) -> Bool {
    guard let names = request.headers[.trailer] else { return false }
    return names.split(separator: ",").contains { $0.filter { $0 != " " }.lowercased() == name.canonicalName }
  }

  /// The field that came behind a body which was read to its end; nil where there is none.
  static func field(_ name: HTTPField.Name, of request: Request, _ context: ServerContext) async throws -> String? {
    guard let field = Self.number, let number = request.headers[field].flatMap({ Int($0) }) else { return nil }
    let trailers = try await context.channel.pipeline.handler(type: RequestTrailers.self).get()
    return trailers.state.withLock { $0.kept.first { $0.number == number }?.fields[name] }
  }
}
