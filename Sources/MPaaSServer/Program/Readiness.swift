import HTTPTypes
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import Synchronization

/// Tells whether the server takes what is sent: its database, its blobs, its disk and its tables.
final class Readiness: Sendable {
  /// The outcome of one look.
  struct Checks: Sendable, Equatable, Encodable {
    var status = "ok"
    var checks: [String: String] = [:]
    /// The reason why nothing is taken; nil where it is.
    fileprivate(set) var refusal: Refusal?

    private enum CodingKeys: String, CodingKey { case status, checks }

    static func == (one: Self, other: Self) -> Bool { one.checks == other.checks }

    fileprivate mutating func note(_ name: String, _ problem: ServerError.Code?) {
      checks[name] = problem?.id.name ?? "ok"
      guard let problem, refusal == nil else { return }
      status = "unready"
      refusal = Refusal(problem, ["reason": name], status: .serviceUnavailable)
    }
  }

  /// Seconds for which a look is told again: anybody may ask.
  private static let lifetime = 1.0
  private let services: ServerServices
  private let known = Mutex<(at: Double, checks: Checks)?>(nil)

  init(_ services: ServerServices) { self.services = services }

  func look() async -> Checks {
    let now = services.now()
    if let known = known.withLock({ $0 }), abs(now - known.at) < Self.lifetime, known.checks.refusal == nil,
      services.reserve.hasRoom, (try? await services.store.checkServer()) != nil
    {
      return known.checks
    }
    var checks = Checks()
    checks.note("disk", services.reserve.hasRoom ? nil : .full)
    checks.note("database", services.store.backlog < services.limits.waiting ? nil : .busy)
    if checks.refusal == nil { await lookAtTables(&checks) }
    if checks.refusal == nil { await lookAtBlobs(&checks) }
    known.withLock { $0 = (now, checks) }
    return checks
  }

  private func lookAtTables(_ checks: inout Checks) async {
    let version = try? await services.store.read { try $0.version() }
    checks.note("database", version == nil ? .fault : nil)
    guard let version else { return }
    // Another server of the same database may be newer; what it added is no reason to end.
    checks.note("schema", version >= Schema.steps.count ? nil : .fault)
  }

  private func lookAtBlobs(_ checks: inout Checks) async {
    do {
      try await services.blobs.check()
      checks.note("blobs", nil)
    } catch {
      checks.note("blobs", (error as? ServerError)?.code == .blobsAway ? .blobsAway : .fault)
    }
  }
}
