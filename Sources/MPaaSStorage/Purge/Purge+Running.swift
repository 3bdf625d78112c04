import MPaaSSupport

extension Purge {
  /// Carries a plan out.
  ///
  /// - Parameters:
  ///   - plan: The plan, as `plan(_:)` made it.
  ///   - progress: Takes each step; it is called by this thread.
  /// - Throws: `StorageError` where the root is gone.
  @discardableResult
  public func run(
    _ plan: PurgePlan, progress: (PurgeProgress) -> Void = { _ in }
  ) throws(StorageError) -> PurgeResult {
    var result = PurgeResult()
    func tell(_ phase: PurgePhase, _ fraction: Double, _ freed: UInt64) {
      progress(PurgeProgress(phase: phase, fraction: fraction, freed: freed))
    }
    tell(.preCalculating, 0, 0)
    result.before = purgeableSize
    tell(.preCalculating, 1, 0)
    try clean(plan, &result) { done, freed in tell(.cleaning, done, freed) }
    tell(.postCalculating, 0, result.freed)
    result.after = purgeableSize
    tell(.postCalculating, 1, result.freed)
    tell(.done, 1, result.freed)
    return result
  }

  /// Removes everything of all rules.
  @discardableResult
  public func resetAll(progress: (PurgeProgress) -> Void = { _ in }) throws(StorageError) -> PurgeResult {
    try run(plan(.everything), progress: progress)
  }

  private func clean(
    _ plan: PurgePlan, _ result: inout PurgeResult, _ tell: (Double, UInt64) -> Void
  ) throws(StorageError) {
    let removal: PurgeRemoval
    do throws(FileError) { removal = try PurgeRemoval(root) } catch { throw StorageError(error) }
    tell(0, 0)
    for (number, item) in plan.items.enumerated() {
      if removal.remove(item) {
        result.removed += 1
        result.freed += item.size
      } else {
        result.kept.append(item.path)
      }
      tell(Double(number + 1) / Double(plan.items.count), result.freed)
    }
    for folder in plan.folders { removal.removeIfEmpty(folder) }
  }
}
