import MPaaSJSON

extension AdminAPI {
  func requests(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    switch call.rest.first {
    case nil:
      if call.isDelete {
        journal.removeAll()
        return Self.json(.members([]))
      }
      return call.isGet ? Self.json(events(call)) : Self.empty(405)
    case "reset" where call.isPost:
      journal.removeAll()
      return Self.json(.members([]))
    case "count" where call.isPost:
      let pattern = try RequestPattern(call.body())
      let count = journal.entries.count { pattern.matches($0.request, now: $0.time) }
      return Self.json(.members([("count", .whole(count)), ("requestJournalDisabled", .flag(false))]))
    case "find" where call.isPost:
      let pattern = try RequestPattern(call.body())
      return Self.json(list(journal.entries.filter { pattern.matches($0.request, now: $0.time) }))
    case "remove" where call.isPost:
      let pattern = try RequestPattern(call.body())
      return Self.json(removed(journal.remove { pattern.matches($0.request, now: $0.time) }))
    case "remove-by-metadata" where call.isPost:
      let pattern = try ContentPattern(call.body())
      let chosen = Set(library.stubs(whereMetadata: pattern).map(\.id))
      return Self.json(removed(journal.remove { chosen.contains($0.origin?.id ?? "") }))
    case "unmatched" where call.isGet:
      let entries = journal.entries.filter { $0.origin == nil }
      guard call.rest.dropFirst().first == "near-misses" else { return Self.json(list(entries)) }
      let misses = entries.flatMap { nearMisses(of: $0.request, $0.time, id: journal.id(of: $0)) }
      return Self.json(.members([("nearMisses", .list(misses))]))
    case let id?:
      guard let entry = journal.entry(id) else { return Self.empty(404) }
      if call.isGet { return Self.json(event(entry)) }
      guard call.isDelete else { return Self.empty(405) }
      journal.remove { $0.number == entry.number }
      return Self.json(.members([]))
    }
  }

  private func list(_ entries: [RequestJournal.Entry]) -> JSONNode {
    .members([
      ("requests", .list(entries.map { $0.request.document(id: journal.id(of: $0), at: $0.time) })),
      ("requestJournalDisabled", .flag(false)),
    ])
  }

  private func removed(_ entries: [RequestJournal.Entry]) -> JSONNode {
    .members([("serveEvents", .list(entries.map { event($0) }))])
  }

  private func events(_ call: AdminCall) -> JSONNode {
    var entries = journal.entries
    let total = entries.count
    if let since = call.query("since").flatMap({ MockTime($0) }) {
      entries = entries.filter { $0.time > since.seconds }
    }
    if call.query("unmatched") == "true" { entries = entries.filter { $0.origin == nil } }
    if let id = call.query("matchingStub") { entries = entries.filter { $0.origin?.id == id } }
    if let limit = call.query("limit").flatMap({ Int($0) }) { entries = Array(entries.prefix(max(0, limit))) }
    return .members([
      ("requests", .list(entries.map { event($0) })), ("meta", .members([("total", .whole(total))])),
      ("requestJournalDisabled", .flag(false)),
    ])
  }

  private func event(_ entry: RequestJournal.Entry) -> JSONNode {
    let id = journal.id(of: entry)
    let stub = entry.origin.flatMap { $0.source == StubSource.word ? library.stub($0.id) : nil }
    let definition =
      stub.map { $0.response.document }
      ?? .members([("status", .whole(entry.answer.status)), ("fromConfiguredStub", .flag(entry.origin != nil))])
    return .members([
      ("id", .text(id)), ("request", entry.request.document(id: nil, at: entry.time)),
      ("responseDefinition", definition), ("response", Self.document(entry.answer)),
      ("wasMatched", .flag(entry.origin != nil)), ("stubMapping", stub?.document),
      (
        "mpaas",
        entry.origin.map {
          .members([("source", .text($0.source)), ("id", .text($0.id)), ("name", $0.name.map { .text($0) })])
        }
      ),
    ])
  }

  private static func document(_ answer: MockAnswer) -> JSONNode {
    .members([
      ("status", .whole(answer.status)), ("headers", .members(answer.headers.map { ($0.name, .text($0.value)) })),
      ("fault", answer.fault.map { .text($0.rawValue) }), ("body", .text(String(decoding: answer.body, as: UTF8.self))),
    ])
  }

  // MARK: Near misses

  func nearMisses(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    guard call.isPost else { return nil }
    switch call.rest.first {
    case "request":
      let request = try MockRequest(call.body())
      let misses = nearMisses(of: request, library.world.now(), id: nil)
      return Self.json(.members([("nearMisses", .list(misses))]))
    case "request-pattern":
      let pattern = try RequestPattern(call.body())
      var measured: [(RequestJournal.Entry, Double)] = []
      for entry in journal.entries.prefix(1000) {
        measured.append((entry, pattern.distance(entry.request, now: entry.time)))
      }
      measured.sort { $0.1 < $1.1 }
      let misses = measured.prefix(3).map { entry, distance in
        JSONNode.members([
          ("request", entry.request.document(id: journal.id(of: entry), at: entry.time)),
          ("requestPattern", pattern.document), ("matchResult", .members([("distance", .number(distance))])),
        ])
      }
      return Self.json(.members([("nearMisses", .list(misses))]))
    default: return nil
    }
  }

  private func nearMisses(of request: MockRequest, _ time: Double, id: String?) -> [JSONNode] {
    library.nearest(RequestFacts(request, now: time), most: 3).map { stub, distance in
      .members([
        ("request", request.document(id: id, at: time)), ("stubMapping", stub.document),
        ("requestPattern", stub.request.document), ("matchResult", .members([("distance", .number(distance))])),
      ])
    }
  }
}
