/// A thing that was done to the machine, and its end.
package struct ShapingRemoval: Sendable, Equatable {
  package enum Fate: String, Sendable {
    case undone
    /// It would be undone.
    case planned
    case kept
    /// It is in a network namespace that is gone or cannot be reached; only its record goes.
    case forgotten
  }

  package let record: ShapingRecord
  package let standing: ShapingLedger.Standing
  package let fate: Fate
  /// The commands that failed.
  package let failed: [SystemCommand]
}

extension ShapingLedger {
  /// Takes back what was done to interfaces, except for what a process that lives holds.
  ///
  /// - Parameters:
  ///   - interface: The only one; nil for all.
  ///   - isTrial: Only says what would be done.
  ///   - force: Forgets what is in other network namespaces, too.
  package func takeBack(interface: String?, isTrial: Bool, force: Bool) -> [ShapingRemoval] {
    let records = all().records.filter { interface == nil || $0.interface == interface }
    return records.map { takeBack($0, isTrial: isTrial, force: force) }
  }

  private func takeBack(_ record: ShapingRecord, isTrial: Bool, force: Bool) -> ShapingRemoval {
    let standing = standing(of: record)
    func removal(_ fate: ShapingRemoval.Fate, failed: [SystemCommand] = []) -> ShapingRemoval {
      ShapingRemoval(record: record, standing: standing, fate: fate, failed: failed)
    }
    switch standing {
    case .live: return removal(.kept)
    case .elsewhere:
      guard force else { return removal(.kept) }
      // The rules went with their namespace, or only who is in it can undo them.
      if !isTrial { remove(record) }
      return removal(.forgotten)
    case .applied, .stale, .gone:
      return isTrial ? removal(.planned) : removal(.undone, failed: undo(record))
    }
  }
}
