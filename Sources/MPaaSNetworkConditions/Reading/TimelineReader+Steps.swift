import MPaaSSupport

extension TimelineReader {
  /// A profile from a time on; the one that began last holds.
  private struct Reign {
    let start: Duration
    let end: Duration?
    /// nil for none.
    let profile: NetworkProfile?
  }

  /// Writes statements out into steps.
  func add(_ statements: [Statement], to timeline: inout Timeline) throws(NetworkError) {
    var reigns: [Reign] = []
    var steps: [Timeline.Step] = []
    let end = timeline.length ?? Self.end(of: statements)
    for statement in statements {
      for (start, duration) in try occurrences(of: statement, until: end) {
        switch statement.what {
        case .toxics(let toxics):
          steps.append(Timeline.Step(at: start, for: duration, toxics, label: ConditionPhrase.text(of: toxics)))
        case .profile(let profile):
          reigns.append(Reign(start: start, end: duration.map { start + $0 }, profile: profile))
        case .normal:
          reigns.append(Reign(start: start, end: duration.map { start + $0 }, profile: nil))
        }
        guard steps.count + reigns.count <= Self.limit else {
          throw NetworkError(.timelineLarge, ["limit": "\(Self.limit)"], at: statement.place)
        }
      }
    }
    steps += Self.steps(of: reigns)
    timeline.steps += steps.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }

  /// The last time that statements without `every` name; nil where there is none.
  private static func end(of statements: [Statement]) -> Duration? {
    statements.compactMap { statement in
      switch statement.span {
      case .at(let start): start + (statement.duration ?? .zero)
      case .from(_, let end): end
      case .every(_, _, let until): until
      }
    }.max()
  }

  private func occurrences(
    of statement: Statement, until end: Duration?
  ) throws(NetworkError) -> [(Duration, Duration?)] {
    switch statement.span {
    case .at(let start): return [(start, statement.duration)]
    case .from(let start, let end): return [(start, end - start)]
    case .every(let period, let from, let until):
      let first = from ?? period
      guard let last = until ?? end, last > first || until != nil else {
        throw NetworkError(.timelineEndless, ["period": Quantity.text(period)], at: statement.place)
      }
      var occurrences: [(Duration, Duration?)] = []
      var start = first
      while start < last {
        // Without a time of its own it is in force until it comes again, which is to say on and on.
        occurrences.append((start, statement.duration ?? period))
        guard occurrences.count <= Self.limit else {
          throw NetworkError(.timelineLarge, ["limit": "\(Self.limit)"], at: statement.place)
        }
        start += period
      }
      return occurrences
    }
  }

  /// The steps of profiles: one at a time, the one that began last, and after its end the one before again.
  private static func steps(of reigns: [Reign]) -> [Timeline.Step] {
    // A profile without an end gives way to the next one without an end for good.
    var times: Set<Duration> = []
    for reign in reigns {
      times.insert(reign.start)
      if let end = reign.end { times.insert(end) }
    }
    let order = reigns.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    var active: [Reign] = []
    var rest = order[...]
    var steps: [Timeline.Step] = []
    var current: (start: Duration, profile: NetworkProfile)?
    for time in times.sorted() {
      while let next = rest.first, next.start <= time { active.append(rest.removeFirst()); _ = next }
      while let last = active.last, let end = last.end, end <= time { active.removeLast() }
      let profile = active.last { $0.end.map { $0 > time } ?? true }?.profile
      guard profile != current?.profile else { continue }
      if let current { steps.append(step(current.profile, current.start, time - current.start)) }
      current = profile.map { (time, $0) }
    }
    if let current { steps.append(step(current.profile, current.start, nil)) }
    return steps
  }

  private static func step(_ profile: NetworkProfile, _ start: Duration, _ duration: Duration?) -> Timeline.Step {
    Timeline.Step(at: start, for: duration, profile.toxics, label: "profile \(ConditionPhrase.word(profile.name))")
  }
}
