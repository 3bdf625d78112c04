import MPaaSDatabase
import Synchronization

/// Quotas that several servers count: the database has what all of them have used, and what they have leased to use soon.
///
/// A server leases a small part of what is left, so all of them together never take more than the quota; what it does not
/// use it gives back a few seconds later. Of a server that is killed what it had leased counts as used.
extension QuotaMeter {
  /// The part of a quota that a server may use without asking again.
  struct Lease: Sendable {
    /// The beginning of the period that it is for.
    var start: Int64
    /// The amounts that the other servers have used or leased, as the database had them.
    var others: Used
    /// The amounts that the database has of this server, and those up to which it may count: never more than these.
    var booked: Used
    var granted: Used
    /// The amounts that were used when it was leased.
    var before: Used
    /// Seconds since 1970 when the database was asked.
    var asked = -Double.infinity

    init(start: Int64, others: Used? = nil) {
      self.start = start
      self.others = others ?? Used(start: start)
      (booked, granted, before) = (Used(start: start), Used(start: start), Used(start: start))
    }
  }

  /// The seconds for which a refusal is told again without asking the others.
  private static let freshness = 1.0
  /// Tries of an event whose lease others used up meanwhile.
  private static let mostTries = 20

  private enum Outcome {
    case taken
    case refused(Refusal)
    case wanting
  }

  /// Counts an event out of what is leased, and leases more where that is used up.
  func take(
    _ subjects: [String], bytes: Int64, at moment: Double, in store: ServerStore, of servers: Int
  ) async throws {
    for _ in 0..<Self.mostTries {
      switch outcome(subjects, bytes, moment) {
      case .taken: return
      case .refused(let refusal): throw refusal
      case .wanting: break
      }
      let taken = try await turns { () -> Bool in
        // Another one may have leased enough meanwhile.
        switch outcome(subjects, bytes, moment) {
        case .taken: return true
        case .refused(let refusal): throw refusal
        case .wanting:
          try await ask(subjects, bytes: bytes, at: moment, in: store, of: servers)
          return false
        }
      }
      if taken { return }
    }
    throw Refusal(.busy)
  }

  private func outcome(_ subjects: [String], _ bytes: Int64, _ moment: Double) -> Outcome {
    state.withLock { state in
      let keys = Self.limited(state, subjects)
      if let refusal = Self.refusal(state, subjects, bytes, moment) {
        let isFresh = keys.allSatisfy { moment - (state.leases[$0]?.asked ?? -.infinity) < Self.freshness }
        return isFresh ? .refused(refusal) : .wanting
      }
      guard keys.allSatisfy({ Self.isLeased(state, $0, bytes, moment) }) else { return .wanting }
      Self.count(&state, subjects, bytes, moment)
      return .taken
    }
  }

  /// The quotas that limit subjects.
  private static func limited(_ state: State, _ subjects: [String]) -> [Key] {
    subjects.flatMap { subject in
      QuotaPeriod.allCases.filter { state.limits[subject]?[$0] != nil }.map { Key(subject: subject, period: $0) }
    }
  }

  private static func isLeased(_ state: State, _ key: Key, _ bytes: Int64, _ moment: Double) -> Bool {
    let used = used(state, key, moment)
    guard let limit = state.limits[key.subject]?[key.period] else { return true }
    guard let lease = state.leases[key], lease.start == used.start else { return false }
    return (limit.events == nil || used.events < lease.granted.events)
      && (limit.bytes == nil || used.bytes + bytes <= lease.granted.bytes)
  }

  // MARK: - Leasing

  /// A quota of a period as it is asked for.
  private struct Wish: Sendable {
    let key: Key
    let used: Used
    let booked: Used
    let limit: QuotaAmount?
    /// The amounts that are wanted beyond those used.
    var events: Int64
    var bytes: Int64
    /// Those without which an event cannot be taken.
    let leastEvents: Int64
    let leastBytes: Int64
  }

  /// Brings what was used to the database, leases what an event of subjects needs, and gives back what was not used.
  ///
  /// - Throws: `SQLError`; then this server counts less than it may.
  func lease(
    _ subjects: [String], bytes: Int64, at moment: Double, in store: ServerStore, of servers: Int, isLast: Bool = false
  ) async throws {
    try await turns {
      try await ask(subjects, bytes: bytes, at: moment, in: store, of: servers, isLast: isLast)
    }
  }

  private func ask(
    _ subjects: [String], bytes: Int64, at moment: Double, in store: ServerStore, of servers: Int, isLast: Bool = false
  ) async throws {
    let wishes = state.withLock { state in
      let needed = Set(Self.limited(state, subjects))
      let keys = needed.union(state.changed).union(state.leases.keys)
      return keys.compactMap { Self.wish(&state, $0, needed.contains($0) ? bytes : nil, moment, isLast: isLast) }
    }
    guard !wishes.isEmpty else { return }
    let outcome = try await store.write { database in
      let outcome = try wishes.map { try Self.book($0, among: max(servers, 1), in: database) }
      try database.run(
        "DELETE FROM quota_usage WHERE period <> 'month' AND start < ?", [.integer(Int64(moment) - Self.memory)])
      return outcome
    }
    state.withLock { state in
      for (wish, (others, booked)) in zip(wishes, outcome) {
        guard var lease = state.leases[wish.key], lease.start == wish.used.start else { continue }
        (lease.others, lease.booked, lease.granted, lease.before) = (others, booked, booked, wish.used)
        lease.asked = moment
        state.leases[wish.key] = lease
        let (now, told) = (state.used[wish.key], wish.used)
        let hasGrown = now.map { $0.start == told.start && ($0.events, $0.bytes) != (told.events, told.bytes) } ?? false
        if !hasGrown { state.changed.remove(wish.key) }
      }
    }
  }

  /// The wish for a key, and a lease for it; until it is answered nothing more is counted than it has used, and what it
  /// wants for an event that waits.
  private static func wish(
    _ state: inout State, _ key: Key, _ needed: Int64?, _ moment: Double, isLast: Bool
  ) -> Wish? {
    let used = used(state, key, moment)
    if let lease = state.leases[key], lease.start != used.start, needed == nil, !state.changed.contains(key) {
      // The period is over; of a killed server's there is nothing to do either.
      state.leases[key] = nil
      return nil
    }
    var lease = state.leases[key].flatMap { $0.start == used.start ? $0 : nil } ?? Lease(start: used.start)
    let recent = (events: max(used.events - lease.before.events, 0), bytes: max(used.bytes - lease.before.bytes, 0))
    lease.granted = used
    state.leases[key] = lease
    let limit = state.limits[key.subject]?[key.period]
    let isIdle = needed == nil && recent.events == 0 && lease.booked.events == used.events
    if isIdle, lease.booked.bytes == used.bytes { return nil }
    return Wish(
      key: key, used: used, booked: lease.booked, limit: limit,
      events: isLast ? 0 : recent.events + (needed == nil ? 0 : max(recent.events, 100)),
      bytes: isLast ? 0 : recent.bytes + (needed == nil ? 0 : max(recent.bytes, 1 << 20)),
      leastEvents: needed == nil ? 0 : 1, leastBytes: needed ?? 0)
  }

  /// Books what was used and what is leased; gives what the others have, and this server.
  private static func book(
    _ wish: Wish, among servers: Int, in database: any SQLDatabase
  ) throws -> (others: Used, booked: Used) {
    let (start, used) = (wish.used.start, wish.used)
    let names: [SQLValue] = [.text(wish.key.subject), .text(wish.key.period.rawValue), .integer(start)]
    let total = try database.row(
      "SELECT events, bytes FROM quota_usage WHERE subject = ? AND period = ? AND start = ?", names
    ) { Used(start: start, events: $0.integer(0), bytes: $0.integer(1)) }
    var others = total ?? Used(start: start)
    others.events = max(others.events - wish.booked.events, 0)
    others.bytes = max(others.bytes - wish.booked.bytes, 0)
    func leased(_ most: Int64?, _ used: Int64, _ others: Int64, _ wanted: Int64, least: Int64) -> Int64 {
      guard let most else { return 0 }
      let free = max(most - used - others, 0)
      return min(free, max(least, min(wanted, free / Int64(2 * servers))))
    }
    var booked = used
    booked.events += leased(wish.limit?.events, used.events, others.events, wish.events, least: wish.leastEvents)
    booked.bytes += leased(wish.limit?.bytes, used.bytes, others.bytes, wish.bytes, least: wish.leastBytes)
    guard booked.events != wish.booked.events || booked.bytes != wish.booked.bytes else { return (others, booked) }
    try database.run(
      """
      INSERT INTO quota_usage (subject, period, start, events, bytes) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject, period, start) DO UPDATE SET events = quota_usage.events + excluded.events,
      bytes = quota_usage.bytes + excluded.bytes
      """,
      names + [.integer(booked.events - wish.booked.events), .integer(booked.bytes - wish.booked.bytes)])
    return (others, booked)
  }
}
