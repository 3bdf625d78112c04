import MPaaSSupport

extension CloneReport {
  /// Leaves clones that have places below two roots at least.
  ///
  /// - Parameter roots: The root of each path.
  package mutating func keepClones(across roots: [String: Int]) {
    clones.removeAll { found in
      Set(found.spans.compactMap { roots[sources[$0.source].path] }).count < 2
    }
  }

  /// Leaves clones that a baseline does not know.
  ///
  /// - Returns: The number of those that it knows.
  package mutating func keepClones(newTo baseline: CloneBaseline) -> Int {
    let count = clones.count
    clones.removeAll { !baseline.isNew($0) }
    return count - clones.count
  }

  /// Leaves clones that have a changed line.
  package mutating func keepClones(touching changes: [ChangedLines]) {
    var paths: [Int: String] = [:]
    clones.removeAll { found in
      !found.spans.contains { span in
        let path = paths[span.source] ?? FileSystem.resolved(sources[span.source].path) ?? sources[span.source].path
        paths[span.source] = path
        return changes.contains { $0.touches(path, span.start...max(span.start, span.end)) }
      }
    }
  }
}
