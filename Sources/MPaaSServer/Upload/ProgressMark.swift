import Synchronization

/// How far somebody was told of last.
final class ProgressMark: Sendable {
  private let told = Atomic<Int64>(0)

  /// Whether it is a step further than what was told last; then that is told.
  func passes(_ offset: Int64, step: Int64) -> Bool {
    let last = told.load(ordering: .relaxed)
    guard offset - last >= step else { return false }
    told.store(offset, ordering: .relaxed)
    return true
  }
}
