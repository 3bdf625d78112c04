import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Takes batches of records of monitor points, each once.
struct RecordRoutes: ServerRoutes {
  private let services: ServerServices
  private let packer = ReportPacker()

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.post("/api/v1/records") { try await take($0, $1) }
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/records") { try await list($0, $1) }
  }

  private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    if let refusal = services.quotas.refusal(sender.quota, at: services.now()) { throw refusal }
    let batch: RecordBatch = try await Wire.read(request, context, services)
    guard !batch.id.isEmpty, batch.id.utf8.count <= 200, !batch.type.isEmpty, batch.type.utf8.count <= 100,
      batch.lines.allSatisfy({ !$0.utf8.contains(0x0a) })
    else { throw Refusal(.badRequest, ["reason": "id, type, lines"]) }
    var body: [UInt8] = []
    let scrubber = services.scrubbing.scrubber(of: sender.app)
    for line in batch.lines {
      body += scrubber.text(line).utf8
      body.append(0x0a)
    }
    guard let packed = body.withUnsafeBytes({ packer.pack($0, keys: []) }) else {
      throw Refusal(.badRequest, ["reason": "lines"])
    }
    let (size, moment) = (Int64(body.count), services.now())
    try await services.quotas.take(sender.quota, bytes: size, at: moment, in: services.store)
    let stored = try await services.store.write { database in
      // A device that got no answer sends it again, and gets the answer of the first time.
      let known = try database.row(
        "SELECT size FROM record_batches WHERE app = ? AND id = ?", [.text(sender.app), .text(batch.id)]
      ) { $0.integer(0) }
      if let known { return Receipt(id: batch.id, duplicate: true, size: known) }
      try database.run(
        "INSERT INTO record_batches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(sender.app), .text(batch.id), .text(batch.device), .optional(batch.user), .text(batch.type),
          .real(moment), .integer(batch.lines.count), .integer(size), .blob(packed.bytes),
        ])
      return Receipt(id: batch.id, size: size)
    }
    if stored.duplicate {
      services.counts.duplicate("records")
    } else {
      services.counts.accepted("records", bytes: size)
      services.counts.add("accepted.record-lines", Int64(batch.lines.count))
    }
    return Response.json(stored, status: stored.duplicate ? .ok : .created)
  }

  /// Batches of a type, a user, or all, the newest first.
  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context)
    let type = request.uri.queryParameters["type"].map(String.init)
    let user = request.uri.queryParameters["user"].map(String.init)
    let batches = try await services.store.read { database in
      try database.rows(
        """
        SELECT id, app, device, user, type, body, size FROM record_batches
        WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR user = ?3)
        AND (?4 IS NULL OR received < ?4) ORDER BY received DESC, id LIMIT ?5
        """,
        [
          .optional(query.app), .optional(type), .optional(user), query.beforeTime.map { .real($0) } ?? .null,
          .integer(query.limit),
        ], ListedBatch.init(row:))
    }
    let damaged = batches.count { $0.damaged != nil }
    if damaged > 0 { services.counts.add("damaged.records", Int64(damaged)) }
    return Response.json(["batches": batches])
  }
}
