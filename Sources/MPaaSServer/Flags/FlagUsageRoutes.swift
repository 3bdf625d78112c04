import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Takes what clients tell of themselves: that they begin, and how often flags were on.
struct FlagUsageRoutes: Sendable {
  /// The time that counts are kept, in seconds.
  private static let memory = 30.0 * 86_400
  private static let hour = 3600.0

  private let book: FlagBook

  init(_ book: FlagBook) { self.book = book }

  func register(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try await FlagClient(request, context, book)
    guard try await members(request, context)["appName"]?.string != nil else {
      throw Refusal(.badRequest, ["reason": "appName"])
    }
    book.services.counts.accepted("flag-client")
    return Response(status: .accepted)
  }

  /// Adds counts by flag and hour; of flags that there are not, and of impact metrics, nothing is kept.
  func metrics(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let members = try await members(request, context)
    guard members["appName"]?.string != nil else { throw Refusal(.badRequest, ["reason": "appName"]) }
    var counts: [(flag: String, yes: Int64, no: Int64)] = []
    let edition = client.place.edition
    for (flag, value) in members["bucket"]?.object?["toggles"]?.object ?? [:] {
      guard edition.flag(ExactName(flag)) != nil, let count = value.object else { continue }
      counts.append((flag, Self.count(count["yes"]), Self.count(count["no"])))
    }
    if !counts.isEmpty { try await keep(counts, client.place.key) }
    book.services.counts.accepted("flag-metrics")
    return Response(status: .accepted)
  }

  /// A count that no sum of many overflows.
  private static func count(_ value: JSONValue?) -> Int64 { Int64(value?.integer(UInt32.self) ?? 0) }

  private func keep(_ counts: [(flag: String, yes: Int64, no: Int64)], _ key: FlagPlace.Key) async throws {
    let hour = Int64(book.services.now() / Self.hour)
    try await book.services.store.write { database in
      for count in counts {
        try database.run(
          """
          INSERT INTO flag_usage VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (app, environment, flag, hour)
          DO UPDATE SET yes = flag_usage.yes + excluded.yes, no = flag_usage.no + excluded.no
          """, FlagStore.place(key) + [.text(count.flag), .integer(hour), .integer(count.yes), .integer(count.no)])
      }
    }
  }

  private func members(_ request: Request, _ context: ServerContext) async throws -> JSONValue.Object {
    let body = try await RequestBodyReader.small(
      of: request, context, limit: FlagClient.largestCounts, limits: book.services.limits)
    guard let members = try? body.withUnsafeBytes({ try JSONValue(reading: $0) }).object else {
      throw Refusal(.badRequest, ["reason": "JSON"])
    }
    return members
  }

  /// The counts of an environment by flag.
  func usage(of key: FlagPlace.Key) async throws -> FlagUsagePage {
    let since = Int64((book.services.now() - Self.memory) / Self.hour)
    let usage = try await book.services.store.read { database in
      try database.rows(
        """
        SELECT flag, sum(yes), sum(no), max(hour) FROM flag_usage WHERE app = ? AND environment = ? AND hour >= ?
        GROUP BY flag ORDER BY flag
        """, FlagStore.place(key) + [.integer(since)]
      ) { row in
        FlagUsage(
          flag: row.text(0), yes: row.integer(1), no: row.integer(2), last: Double(row.integer(3)) * Self.hour)
      }
    }
    return FlagUsagePage(usage: usage)
  }

  /// Forgets counts that are too old.
  func tidy() async {
    let since = Int64((book.services.now() - Self.memory) / Self.hour)
    _ = try? await book.services.store.write { try $0.run("DELETE FROM flag_usage WHERE hour < ?", [.integer(since)]) }
  }
}
