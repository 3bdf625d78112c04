/// The growth of a process while it was watched, and the work of its threads.
package struct GrowthReport: Sendable, Equatable {
  /// The things that are counted.
  package enum Subject: Sendable, Hashable {
    case resident
    case proportional
    case memory(MemoryKind)
    case descriptors
    case threads
  }

  package struct Line: Sendable, Equatable {
    package let subject: Subject
    package let first: Double
    package let last: Double
    /// Nil where there were too few figures.
    package let trend: Trend?
  }

  package struct Thread: Sendable, Equatable {
    package let name: String
    /// The numbers of threads of the name at the beginning and at the end.
    package let first: Int
    package let last: Int
    /// The share of one processor that they used together, from 0; nil where the kernel does not tell.
    package let processor: Double?
  }

  /// Seconds.
  package let duration: Double
  package let count: Int
  package let lines: [Line]
  /// Those that use most first.
  package let threads: [Thread]

  /// - Parameter figures: In the order of their times; nil for fewer than two.
  package init?(_ figures: [ProcessFigures]) {
    guard let first = figures.first, let last = figures.last, last.moment > first.moment else { return nil }
    count = figures.count
    duration = Double(last.moment - first.moment) / 1e9
    lines = Self.subjects(figures).compactMap { subject, values in
      guard values.count == figures.count, let start = values.first, let end = values.last else { return nil }
      let points = zip(figures, values).map { (time: Double($0.moment - first.moment) / 1e9, value: $1) }
      return Line(subject: subject, first: start, last: end, trend: Trend(points))
    }
    threads = Self.threads(figures, seconds: duration)
  }

  /// The lines of what grows beyond doubt.
  package var growing: [Line] { lines.filter { $0.trend?.grows == true } }

  private static func subjects(_ figures: [ProcessFigures]) -> [(Subject, [Double])] {
    var all: [(Subject, [Double])] = [
      (.resident, figures.map { Double($0.memory.all.resident) }),
      (.proportional, figures.map { Double($0.memory.all.proportional) }),
    ]
    for kind in MemoryKind.allCases where figures.contains(where: { $0.memory.byKind[kind] != nil }) {
      all.append((.memory(kind), figures.map { Double($0.memory.byKind[kind]?.proportional ?? 0) }))
    }
    all.append((.descriptors, figures.compactMap { $0.descriptors.map(Double.init) }))
    all.append((.threads, figures.map { Double($0.threads.count) }))
    return all
  }

  private static func threads(_ figures: [ProcessFigures], seconds: Double) -> [Thread] {
    var names: [String: (first: Int, last: Int, time: Double)] = [:]
    for thread in figures.first?.threads ?? [] { names[thread.name, default: (0, 0, 0)].first += 1 }
    for thread in figures.last?.threads ?? [] { names[thread.name, default: (0, 0, 0)].last += 1 }
    // What a thread used while it was seen: that of threads that came and went between two looks is missing.
    var isTold = false
    for (before, after) in zip(figures, figures.dropFirst()) {
      let known = Dictionary(before.threads.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      for thread in after.threads {
        guard let time = thread.time else { continue }
        isTold = true
        let earlier = known[thread.id]?.time ?? 0
        if time > earlier { names[thread.name, default: (0, 0, 0)].time += Double(time - earlier) }
      }
    }
    return names.map { name, sums in
      Thread(
        name: name, first: sums.first, last: sums.last, processor: isTold ? sums.time / 1e9 / seconds : nil)
    }.sorted { ($1.processor ?? 0, $0.name) < ($0.processor ?? 0, $1.name) }
  }
}
