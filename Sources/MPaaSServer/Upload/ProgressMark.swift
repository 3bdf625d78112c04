import Synchronization

/// The progress that was told last.
final class ProgressMark: Sendable {
  private let told = Atomic<Int64>(0)

  /// Tells whether it is a step further than what was told last; then that is told.
  func passes(_ offset: Int64, step: Int64) -> Bool {
    let last = told.load(ordering: .relaxed)
    guard offset - last >= step else { return false }
    told.store(offset, ordering: .relaxed)
    return true
  }
}
