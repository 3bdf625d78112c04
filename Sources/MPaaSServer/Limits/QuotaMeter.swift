import HTTPTypes
import MPaaSDatabase
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Counts what apps and tokens send, and refuses what is beyond their quotas.
///
/// What is counted of hours and months is in the database every few seconds; of a server that was killed the last of
/// them are not counted. Several servers lease of each quota what they are about to count (`QuotaMeter+Leases`).
final class QuotaMeter: Sendable {
  struct Key: Hashable, Sendable {
    let subject: String
    let period: QuotaPeriod
  }

  struct Used: Sendable {
    var start: Int64
    var events: Int64 = 0
    var bytes: Int64 = 0
  }

  struct State {
    var limits: [String: QuotaLimits] = [:]
    var used: [Key: Used] = [:]
    /// Those that have grown since they were kept.
    var changed: Set<Key> = []
    var leases: [Key: Lease] = [:]
  }

  /// Seconds for which the use of hours is kept.
  static let memory: Int64 = 7 * 86_400
  let state = Mutex(State())
  /// The turns of those who lease.
  let turns = Turns(1)
  /// The servers of the console; nil where there is one.
  let session: ServerSession?

  init(_ session: ServerSession? = nil) { self.session = session }

  static func subject(app: String) -> String { "app " + app }
  static func subject(token: String) -> String { "token " + token }

  /// The app and the token whose quotas count what a caller sends; the key of an app is no token.
  static func subjects(app: String?, caller: String) -> [String] {
    (app.map { [subject(app: $0)] } ?? []) + (caller == app ? [] : [subject(token: caller)])
  }

  /// Reads quotas, and what was used of the periods that a moment is in.
  func begin(from store: ServerStore, at moment: Double) async throws {
    try await readLimits(from: store)
    for period in [QuotaPeriod.hour, .month] {
      let start = period.bounds(at: moment).start
      let used = try await store.read { database in
        try database.rows(
          "SELECT subject, events, bytes FROM quota_usage WHERE period = ? AND start = ?",
          [.text(period.rawValue), .integer(start)]
        ) { (subject: $0.text(0), used: Used(start: start, events: $0.integer(1), bytes: $0.integer(2))) }
      }
      state.withLock { state in
        for (subject, used) in used {
          let key = Key(subject: subject, period: period)
          if session == nil {
            state.used[key] = used
          } else {
            state.leases[key] = Lease(start: start, others: used)
          }
        }
      }
    }
  }

  /// Reads the quotas.
  func readLimits(from store: ServerStore) async throws {
    let limits = try await store.read { database in
      try database.rows("SELECT subject, limits FROM quotas") { ($0.text(0), $0.text(1)) }
    }
    for (subject, json) in limits {
      guard let limits = try? JSONDecoder().decode(QuotaLimits.self, from: Data(json.utf8)) else { continue }
      state.withLock { $0.limits[subject] = limits }
    }
  }

  /// The reason why no more events of some subjects are taken now; nil where they are.
  ///
  /// - Parameter bytes: Of the event; 0 where they are not known yet.
  func refusal(_ subjects: [String], bytes: Int64 = 0, at moment: Double) -> Refusal? {
    state.withLock { Self.refusal($0, subjects, bytes, moment) }
  }

  /// Counts an event.
  ///
  /// - Throws: `Refusal` `server-quota` where it is beyond a quota; then it counts nowhere. `SQLError` where several
  ///   servers count, and the database is away.
  func take(_ subjects: [String], bytes: Int64, at moment: Double, in store: ServerStore) async throws {
    if let session { return try await take(subjects, bytes: bytes, at: moment, in: store, of: session.count) }
    let refusal = state.withLock { state -> Refusal? in
      if let refusal = Self.refusal(state, subjects, bytes, moment) { return refusal }
      Self.count(&state, subjects, bytes, moment)
      return nil
    }
    if let refusal { throw refusal }
  }

  /// Counts an event that was taken already.
  func count(_ subjects: [String], bytes: Int64, at moment: Double) {
    state.withLock { Self.count(&$0, subjects, bytes, moment) }
  }

  static func count(_ state: inout State, _ subjects: [String], _ bytes: Int64, _ moment: Double) {
    for subject in subjects {
      for period in QuotaPeriod.allCases {
        let key = Key(subject: subject, period: period)
        var used = used(state, key, moment)
        used.events += 1
        used.bytes += bytes
        state.used[key] = used
        if period != .minute || state.leases[key] != nil { state.changed.insert(key) }
      }
    }
  }

  static func used(_ state: State, _ key: Key, _ moment: Double) -> Used {
    let start = key.period.bounds(at: moment).start
    guard let used = state.used[key], used.start == start else { return Used(start: start) }
    return used
  }

  /// The amounts that all servers have used or leased.
  private static func usedOfAll(_ state: State, _ key: Key, _ moment: Double) -> Used {
    var used = used(state, key, moment)
    guard let lease = state.leases[key], lease.start == used.start else { return used }
    used.events += lease.others.events
    used.bytes += lease.others.bytes
    return used
  }

  /// The refusal that lasts longest, of all quotas that are used up.
  static func refusal(_ state: State, _ subjects: [String], _ bytes: Int64, _ moment: Double) -> Refusal? {
    for period in QuotaPeriod.allCases.reversed() {
      for subject in subjects {
        guard let limit = state.limits[subject]?[period] else { continue }
        let used = usedOfAll(state, Key(subject: subject, period: period), moment)
        let isOver =
          limit.events.map { used.events >= $0 } ?? false
          || limit.bytes.map { used.bytes >= $0 || used.bytes + bytes > $0 } ?? false
        guard isOver else { continue }
        let wait = max(Double(period.bounds(at: moment).end) - moment, 1)
        return Refusal(
          .quota, ["period": period.rawValue, "of": String(subject.prefix { $0 != " " })],
          headers: [.retryAfter: String(Int(wait.rounded(.up)))])
      }
    }
    return nil
  }

  // MARK: - Operators

  /// A quota, and what is used of it now.
  struct Report: Encodable, Equatable {
    struct Use: Encodable, Equatable {
      var events: Int64
      var bytes: Int64
      /// Seconds since 1970 at which it begins anew.
      var until: Int64
    }

    var limits: QuotaLimits
    var used: [String: Use] = [:]
  }

  func report(of subject: String, at moment: Double) -> Report {
    state.withLock { state in
      var report = Report(limits: state.limits[subject] ?? QuotaLimits())
      for period in QuotaPeriod.allCases {
        let used = Self.usedOfAll(state, Key(subject: subject, period: period), moment)
        report.used[period.rawValue] = Report.Use(
          events: used.events, bytes: used.bytes, until: period.bounds(at: moment).end)
      }
      return report
    }
  }

  /// The used shares of the quotas of a subject: of events or of bytes, whichever is nearer to its end.
  ///
  /// A quota of nothing is used whole.
  func shares(of subject: String, at moment: Double) -> [(period: QuotaPeriod, share: Double)] {
    state.withLock { state in
      QuotaPeriod.allCases.compactMap { period in
        guard let limit = state.limits[subject]?[period] else { return nil }
        let used = Self.usedOfAll(state, Key(subject: subject, period: period), moment)
        let shares = [(used.events, limit.events), (used.bytes, limit.bytes)].compactMap { used, most in
          most.map { $0 > 0 ? Double(used) / Double($0) : 1 }
        }
        return shares.max().map { (period, $0) }
      }
    }
  }

  /// Keeps the quotas of a subject.
  func set(_ limits: QuotaLimits, of subject: String, in store: ServerStore) async throws {
    let json = String(decoding: try JSONEncoder().encode(limits), as: UTF8.self)
    try await store.write { database in
      try database.run(
        "INSERT INTO quotas (subject, limits) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET limits = excluded.limits",
        [.text(subject), .text(json)])
      try SharedEdition.quotas.grow(in: database)
    }
    state.withLock { $0.limits[subject] = limits }
  }

  /// Brings what was used to the database; what cannot be written now waits for the next time.
  ///
  /// - Parameter isLast: Tells whether nothing is counted after it.
  func keep(in store: ServerStore, at moment: Double, isLast: Bool = false) async {
    if let session {
      try? await lease([], bytes: 0, at: moment, in: store, of: session.count, isLast: isLast)
      return
    }
    let fresh = state.withLock { state in
      defer { state.changed = [] }
      return state.changed.compactMap { key in state.used[key].map { (key, $0) } }
    }
    if fresh.isEmpty { return }
    do {
      try await store.write { database in
        for (key, used) in fresh {
          try database.run(
            """
            INSERT INTO quota_usage (subject, period, start, events, bytes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (subject, period, start) DO UPDATE SET events = excluded.events, bytes = excluded.bytes
            """,
            [
              .text(key.subject), .text(key.period.rawValue), .integer(used.start), .integer(used.events),
              .integer(used.bytes),
            ])
        }
        try database.run(
          "DELETE FROM quota_usage WHERE period <> 'month' AND start < ?",
          [.integer(Int64(moment) - Self.memory)])
      }
    } catch {
      state.withLock { $0.changed.formUnion(fresh.map(\.0)) }
    }
  }
}
