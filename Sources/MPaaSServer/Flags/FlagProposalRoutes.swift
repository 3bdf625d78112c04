import Hummingbird
import MPaaSProtocol

/// The routes of staged changes.
struct FlagProposalRoutes: Sendable {
  private static let mostListed = 1000

  private let book: FlagBook

  init(_ book: FlagBook) { self.book = book }

  func add(to readers: RouterGroup<ServerContext>, _ writers: RouterGroup<ServerContext>) {
    let path = FlagPaths.proposals
    readers.get(RouterPath(path)) { try await list($0, $1) }
    readers.get("\(path)/:id") { request, context in
      Response.json(try await book.proposal(Self.id(context), in: try book.place(request, context)))
    }
    writers.post(RouterPath(path)) { request, context in
      guard let grant = context.grant else { throw PermissionMiddleware.missing }
      let place = try book.place(request, context)
      let change = try await book.change(of: request, context)
      return Response.json(try await book.propose(change, in: place, by: grant), status: .created)
    }
    writers.post("\(path)/:id/approve") { request, context in
      guard let grant = context.grant else { throw PermissionMiddleware.missing }
      return Response.json(try await book.approve(Self.id(context), in: try book.place(request, context), by: grant))
    }
    writers.post("\(path)/:id/publish") { try await publish($0, $1) }
    writers.post("\(path)/:id/withdraw") { request, context in
      Response.json(try await book.withdraw(Self.id(context), in: try book.place(request, context)))
    }
  }

  private static func id(_ context: ServerContext) -> String { context.parameters.get("id") ?? "" }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, query) = (try book.place(request, context), FlagQuery(request))
    let limit = min(max(query["limit"].flatMap { Int($0) } ?? 50, 1), Self.mostListed)
    var state: FlagProposal.State?
    if let word = query["state"] {
      guard let known = FlagProposal.State(rawValue: word) else { throw Refusal(.badRequest, ["reason": "state"]) }
      state = known
    }
    let proposals = try await book.proposals(in: place, state: state, limit: limit)
    return Response.json(FlagProposalPage(proposals: proposals))
  }

  private func publish(_ request: Request, _ context: ServerContext) async throws -> Response {
    let place = try book.place(request, context)
    let limits = book.services.limits
    let body = try await RequestBodyReader.all(of: request, context, limit: limits.report, limits: limits)
    let wish: FlagPublication = body.isEmpty ? FlagPublication() : try Wire.value(body)
    guard wish.at.map({ $0.isFinite && $0 >= 0 }) ?? true else { throw Refusal(.badRequest, ["reason": "at"]) }
    return Response.json(try await book.publish(Self.id(context), in: place, at: wish.at))
  }
}
