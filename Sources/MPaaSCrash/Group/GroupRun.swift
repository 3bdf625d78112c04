package import MPaaSCrashReport
import MPaaSSupport
package import MPaaSSymbols
import MPaaSToolSupport
import Synchronization

/// Groups the reports of a collection on all cores.
package struct GroupRun: Sendable {
  package var rules = GroupingRules()
  /// Seconds since 1970; reports from outside are left out.
  package var period: Range<Int64> = .min ..< .max
  /// The test of reports that count, by what they say of themselves.
  package var isWanted: (@Sendable (CrashReport) -> Bool)?
  /// Gives reports symbols before they are compared; nil takes them as they are, and then only what grouping needs of
  /// them is read.
  package var symbolicator: ReportSymbolicator?
  /// Finds the unwind information that the stacks of dumps are walked by, where reports get symbols.
  package var search: DebugFileSearch?
  /// So many tasks at once.
  package var width: Int

  package init(width: Int) {
    self.width = max(1, width)
  }

  /// - Parameter progress: Is told of each file that is done.
  package func tally(
    _ collection: ReportCollection, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> GroupTally {
    let files = collection.files
    return try await withThrowingTaskGroup(of: GroupTally.self) { tasks in
      let cursor = Cursor(count: files.count, step: max(1, min(64, files.count / (width * 4))))
      for _ in 0..<width {
        tasks.addTask { try part(of: collection, cursor, progress) }
      }
      var tally = GroupTally()
      for try await part in tasks { tally.merge(part) }
      return tally
    }
  }

  private func part(
    of collection: ReportCollection, _ cursor: Cursor, _ progress: (Int) -> Void
  ) throws -> GroupTally {
    var tally = GroupTally()
    var classifier = FrameClassifier(rules: rules)
    var buffer = FileBuffer()
    while let range = cursor.next() {
      try Task.checkCancellation()
      for index in range {
        let file = collection.files[index]
        let outcome = try collection.reports(in: file, buffer: &buffer, glance: glance, search: search) { name, read in
          let own = read.report
          guard period.contains(own.captured.seconds), isWanted?(own) ?? true else { return tally.leaveOut() }
          let report = symbolicator?.symbolicate(own).report ?? own
          tally.add(Fingerprint(report, &classifier), report, name: name)
        }
        tally.add(outcome)
      }
      progress(range.count)
    }
    return tally
  }

  /// Symbols are for whole reports.
  private func glance(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    symbolicator == nil ? IPSGlance.read(bytes) : nil
  }

  /// Gives out stretches of the files to whoever asks next.
  private final class Cursor: Sendable {
    private let place = Atomic<Int>(0)
    private let count: Int
    private let step: Int

    init(count: Int, step: Int) {
      self.count = count
      self.step = step
    }

    func next() -> Range<Int>? {
      let start = place.add(step, ordering: .relaxed).oldValue
      return start < count ? start..<min(start + step, count) : nil
    }
  }
}
