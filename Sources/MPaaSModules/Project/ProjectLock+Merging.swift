extension ProjectLock {
  /// Reads a lock, and where a merge left its marks in it what is preferred then, if that will do.
  ///
  /// - Throws: As reading it otherwise does.
  init(reading text: String, file: String, settlingConflicts: Bool) throws(ModuleError) {
    if settlingConflicts, Self.conflictLine(text) != nil {
      try self.init(mergingConflictsIn: text, file: file)
    } else {
      try self.init(reading: text, file: file)
    }
  }

  /// Reads a lock in which a merge left its marks: what both sides have, and of a module that each has in another
  /// version the newer one.
  ///
  /// It is what a new lock prefers, not a lock to follow.
  ///
  /// - Throws: `ModuleError` where one of the sides is no lock.
  package init(mergingConflictsIn text: String, file: String) throws(ModuleError) {
    let sides = Self.sides(text)
    let ours = try ProjectLock(reading: sides.ours, file: file)
    let theirs = try ProjectLock(reading: sides.theirs, file: file)
    var modules = ours.modules
    for module in theirs.modules where !modules.contains(module) { modules.append(module) }
    self.init(modules: modules, targets: ours.targets)
  }

  /// The line of the first mark of a conflict, from 1; nil where there is none.
  static func conflictLine(_ text: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { line in ["<<<<<<<", ">>>>>>>"].contains { line.hasPrefix($0) } }.map { $0 + 1 }
  }

  /// The text as each side of the merge had it; the base of a three-way mark belongs to neither.
  private static func sides(_ text: String) -> (ours: String, theirs: String) {
    enum Part { case both, ours, base, theirs }
    var part = Part.both
    var (ours, theirs) = ("", "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("<<<<<<<") {
        part = .ours
      } else if part != .both, line.hasPrefix("|||||||") {
        part = .base
      } else if part != .both, line.hasPrefix("=======") {
        part = .theirs
      } else if line.hasPrefix(">>>>>>>") {
        part = .both
      } else {
        if part == .both || part == .ours { ours += line + "\n" }
        if part == .both || part == .theirs { theirs += line + "\n" }
      }
    }
    return (ours, theirs)
  }
}
