import HTTPTypes
import Hummingbird
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of flags: the list, one flag with a form, history, and proposals.
///
/// Changes by a form go the way of the API: with the version that it was made from, and by approvals.
struct FlagPageRoutes: Sendable {
  private static let perPage = 100
  private static let versionsOfFlag = 10

  let book: FlagBook

  private var services: ServerServices { book.services }

  init(_ book: FlagBook) { self.book = book }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/flags") { try await list($0, $1) }
    pages.post("/flags") { try await create($0, $1) }
    pages.get("/flags/flag") { try await flag($0, $1) }
    pages.post("/flags/flag") { try await edit($0, $1) }
    pages.get("/flags/history") { try await history($0, $1) }
    pages.get("/flags/history/:version") { try await version($0, $1) }
    pages.post("/flags/history/:version") { try await rollBack($0, $1) }
    pages.get("/flags/proposals") { try await proposals($0, $1) }
    pages.get("/flags/proposals/:id") { try await proposal($0, $1) }
    pages.post("/flags/proposals/:id/:action") { try await act($0, $1) }
  }

  private func pages(_ request: Request, _ context: ServerContext, _ place: FlagPlace) throws -> FlagPages {
    let app = context.grant?.app == nil ? FlagQuery(request)["app"] : nil
    return FlagPages(
      frame: PageFrame(request, services), environments: try book.environments(app: place.key.app),
      place: FlagPages.Address(app: app, environment: place.key.environment),
      mayChange: context.grant?.permits(.flags) ?? false, approvals: book.approvals)
  }

  private static func word(_ query: FlagQuery, _ name: String) -> String? {
    query[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Flags

  private func list(
    _ request: Request, _ context: ServerContext, _ draft: FlagPages.Draft = FlagPages.Draft()
  ) async throws -> Response {
    let (place, query) = (try book.place(request, context), FlagQuery(request))
    let (text, after) = (Self.word(query, "text"), query["after"].map { ExactName($0) })
    var flags = place.edition.flags(of: .all)
    if let after { flags.removeAll { !(after < ExactName($0.name)) } }
    if let text { flags.removeAll { !$0.name.contains(text) && $0.summary?.contains(text) != true } }
    let page = try pages(request, context, place).list(
      Array(flags.prefix(Self.perPage)), text: text, draft, hasMore: flags.count > Self.perPage)
    return PageRoutes.answer(page, status: draft.status)
  }

  private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, grant) = try place(ofChange: request, context)
    let form = try await Form(request, context, services)
    var draft = FlagPages.Draft(form)
    do {
      guard !draft.name.isEmpty else { throw Refusal(.badRequest, ["reason": "name"]) }
      guard place.edition.flag(ExactName(draft.name)) == nil else { throw FlagError(.exists, ["flag": draft.name]) }
      var amendment = draft.amendment(of: nil)
      amendment.type = FlagPages.types.first { $0 == form["type"] }
      let event = try amendment.event(of: draft.name, from: nil)
      return try await send(event, draft, request, context, place, grant)
    } catch {
      try note(error, in: &draft, request)
      return try await list(request, context, draft)
    }
  }

  private func flag(
    _ request: Request, _ context: ServerContext, _ draft: FlagPages.Draft? = nil
  ) async throws -> Response {
    let place = try book.place(request, context)
    let name = FlagQuery(request)["name"] ?? ""
    guard let flag = place.edition.flag(ExactName(name)) else { throw Refusal(.notFound, ["reason": "flag"]) }
    let versions = try await book.versions(in: place, before: nil, flag: name, limit: Self.versionsOfFlag)
    let page = try pages(request, context, place).flag(
      flag, draft ?? FlagPages.Draft(flag, version: place.edition.version), versions)
    return PageRoutes.answer(page, status: draft?.status ?? .ok)
  }

  private func edit(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, grant) = try place(ofChange: request, context)
    var draft = FlagPages.Draft(try await Form(request, context, services))
    draft.name = FlagQuery(request)["name"] ?? ""
    do {
      let edition = place.edition
      guard let flag = edition.flag(ExactName(draft.name)), let source = edition.sources[.flag(ExactName(draft.name))]
      else { throw Refusal(.notFound, ["reason": "flag"]) }
      let amendment = draft.amendment(of: flag)
      guard !amendment.isEmpty else {
        return PageRoutes.redirect(Self.address(request, context, place).flag(draft.name))
      }
      let known = try Array(source.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
      let event = try amendment.event(of: draft.name, from: known.object)
      return try await send(event, draft, request, context, place, grant)
    } catch {
      try note(error, in: &draft, request)
      // The form is of the version that the page shows now.
      draft.base = place.edition.version
      return try await self.flag(request, context, draft)
    }
  }

  /// The place of a change, and who makes it.
  private func place(
    ofChange request: Request, _ context: ServerContext
  ) throws -> (place: FlagPlace, grant: Grant) {
    guard let grant = context.grant, grant.permits(.flags) else {
      throw Refusal(.scope, ["scope": Scope.flags.rawValue])
    }
    return (try book.place(request, context), grant)
  }

  private static func address(
    _ request: Request, _ context: ServerContext, _ place: FlagPlace
  ) -> FlagPages.Address {
    FlagPages.Address(
      app: context.grant?.app == nil ? FlagQuery(request)["app"] : nil, environment: place.key.environment)
  }

  /// Makes a change, or proposes it, and shows what came of it.
  private func send(
    _ event: JSONValue, _ draft: FlagPages.Draft, _ request: Request, _ context: ServerContext, _ place: FlagPlace,
    _ grant: Grant
  ) async throws -> Response {
    let change = FlagChangeRequest(
      .events(JSONValue.array([event]).line), comment: draft.comment, base: draft.base)
    let address = Self.address(request, context, place)
    if draft.isProposal {
      return PageRoutes.redirect(address.proposal(try await book.propose(change, in: place, by: grant).id))
    }
    _ = try await book.change(change, in: place, by: grant)
    return PageRoutes.redirect(address.flag(draft.name))
  }

  /// Notes why a form was not taken; what is no refusal goes on.
  private func note(_ error: any Error, in draft: inout FlagPages.Draft, _ request: Request) throws {
    guard let refusal = Refusal(any: error), refusal.status.code < 500, refusal.status != .notFound else { throw error }
    services.counts.refused(refusal.error.code.id.name)
    let frame = PageFrame(request, services)
    draft.problem = frame.catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
    draft.status = refusal.status
  }

  // MARK: - History

  private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, query) = (try book.place(request, context), FlagQuery(request))
    let flag = Self.word(query, "flag")
    let versions = try await book.versions(
      in: place, before: query["before"].flatMap { Int($0) }, flag: flag, limit: Self.perPage + 1)
    let page = try pages(request, context, place).history(
      Array(versions.prefix(Self.perPage)), flag: flag, hasMore: versions.count > Self.perPage)
    return PageRoutes.answer(page)
  }

  private func version(
    _ request: Request, _ context: ServerContext, _ draft: FlagPages.Draft = FlagPages.Draft()
  ) async throws -> Response {
    let place = try book.place(request, context)
    let version = try await book.version(context.parameters.get("version") ?? "", in: place)
    let page = try pages(request, context, place).version(version, newest: place.edition.version, draft)
    return PageRoutes.answer(page, status: draft.status)
  }

  private func rollBack(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, grant) = try place(ofChange: request, context)
    var draft = FlagPages.Draft(try await Form(request, context, services))
    do {
      let version = try await book.head(ofVersion: context.parameters.get("version") ?? "", in: place)
      let change = FlagChangeRequest(.rollback(version.version), comment: draft.comment, base: draft.base)
      let address = Self.address(request, context, place)
      if draft.isProposal {
        return PageRoutes.redirect(address.proposal(try await book.propose(change, in: place, by: grant).id))
      }
      _ = try await book.change(change, in: place, by: grant)
      return PageRoutes.redirect(address.path("/flags/history"))
    } catch {
      try note(error, in: &draft, request)
      return try await self.version(request, context, draft)
    }
  }

  // MARK: - Proposals

  private func proposals(_ request: Request, _ context: ServerContext) async throws -> Response {
    let place = try book.place(request, context)
    let state = FlagQuery(request)["state"].flatMap { FlagProposal.State(rawValue: $0) }
    let found = try await book.proposals(in: place, state: state, limit: Self.perPage)
    return PageRoutes.answer(try pages(request, context, place).proposals(found, state: state))
  }

  private func proposal(
    _ request: Request, _ context: ServerContext, problem: String? = nil, _ status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let place = try book.place(request, context)
    let proposal = try await book.proposal(context.parameters.get("id") ?? "", in: place)
    let page = try pages(request, context, place).proposal(proposal, problem: problem)
    return PageRoutes.answer(page, status: status)
  }

  private func act(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, grant) = try place(ofChange: request, context)
    let id = context.parameters.get("id") ?? ""
    do {
      switch context.parameters.get("action") {
      case "approve": _ = try await book.approve(id, in: place, by: grant)
      case "publish": _ = try await book.publish(id, in: place, at: nil)
      case "withdraw": _ = try await book.withdraw(id, in: place)
      default: throw Refusal(.notFound, ["reason": "action"])
      }
      return PageRoutes.redirect(Self.address(request, context, place).proposal(id))
    } catch {
      var draft = FlagPages.Draft()
      try note(error, in: &draft, request)
      return try await proposal(request, context, problem: draft.problem, draft.status)
    }
  }
}
