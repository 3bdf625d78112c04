import MPaaSFlags
import MPaaSSupport

extension FlagState {
  /// The names of the flags that may be evaluated otherwise than by an older state, in their order.
  ///
  /// Such a flag is new, gone or defined otherwise, or a segment or a flag that it depends on is.
  func changes(from old: FlagState) -> [String] {
    let (mine, former) = (byName, old.byName)
    let segments = changedSegments(from: old)
    var changed = ExactMap<Bool>()
    for flag in flags where former[flag.name] != flag || flag.uses(segments) { changed[flag.name] = true }
    for flag in old.flags where mine[flag.name] == nil { changed[flag.name] = true }
    for flag in flags where flag.dependencies.contains(where: { changed[$0.flag] != nil }) { changed[flag.name] = true }
    return changed.sortedByName.map(\.key)
  }

  /// The flags by their names.
  var byName: ExactMap<FlagDefinition> { ExactMap(flags.map { ($0.name, $0) }) { $1 } }

  private func changedSegments(from old: FlagState) -> Set<Int> {
    let mine = Dictionary(segments.map { ($0.id, $0) }) { $1 }
    let former = Dictionary(old.segments.map { ($0.id, $0) }) { $1 }
    return Set(mine.keys).union(former.keys).filter { mine[$0] != former[$0] }
  }
}

extension FlagDefinition {
  fileprivate func uses(_ segments: Set<Int>) -> Bool {
    !segments.isEmpty && strategies.contains { $0.segments.contains(where: segments.contains) }
  }
}
