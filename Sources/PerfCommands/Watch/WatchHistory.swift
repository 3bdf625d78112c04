import MPaaSCrash
import MPaaSSampling

/// The figures of a process that is watched, oldest first.
struct WatchHistory: Sendable {
  private(set) var figures: [ProcessFigures] = []
  /// More are thinned out: a report needs no more.
  private static let most = 20_000

  mutating func take(_ new: ProcessFigures) {
    figures.append(new)
    guard figures.count >= Self.most else { return }
    // The first and the newest stay.
    figures = figures.enumerated().filter { $0.offset % 2 == 0 || $0.offset == figures.count - 1 }.map(\.element)
  }

  var report: GrowthReport? { GrowthReport(figures) }

  /// Seconds from the first to the newest.
  var seconds: Double { seconds(of: figures.count - 1) }

  func seconds(of index: Int) -> Double {
    guard let first = figures.first, figures.indices.contains(index) else { return 0 }
    return Double(figures[index].moment - first.moment) / 1e9
  }

  /// The share of one processor, from 0, between a look and the one before; nil of the first.
  func processor(of index: Int) -> Double? {
    guard index > 0, figures.indices.contains(index) else { return nil }
    let (before, after) = (figures[index - 1], figures[index])
    guard after.moment > before.moment, after.processorTime >= before.processorTime else { return nil }
    return Double(after.processorTime - before.processorTime) / Double(after.moment - before.moment)
  }

  /// The threads of the newest look with their shares of one processor since the one before, the busiest first.
  var busiest: [(thread: ProcessFigures.Thread, share: Double)] {
    guard let after = figures.last else { return [] }
    let before = figures.dropLast().last
    let known = Dictionary((before?.threads ?? []).map { ($0.id, $0.time ?? 0) }, uniquingKeysWith: { $1 })
    let elapsed = before.map { Double(max(after.moment - $0.moment, 1)) } ?? 1
    let all = after.threads.map { thread in
      let time = Double(thread.time ?? 0) - Double(known[thread.id] ?? thread.time ?? 0)
      return (thread: thread, share: before == nil ? 0 : max(time, 0) / elapsed)
    }
    return all.sorted { ($1.share, $0.thread.id) < ($0.share, $1.thread.id) }
  }
}
