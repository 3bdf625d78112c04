extension Timeline {
  /// The length of one round; nil where a step without an end keeps it from ending.
  public var span: Duration? {
    if let length { return length }
    var end = Duration.zero
    for step in steps {
      guard let duration = step.duration else { return nil }
      end = max(end, step.start + duration)
    }
    return end
  }

  /// The steps that hold at a time of a round, by their numbers.
  public func active(at time: Duration) -> [Int] {
    steps.indices.filter { index in
      let step = steps[index]
      guard step.start <= time else { return false }
      return step.duration.map { time < step.start + $0 } ?? true
    }
  }

  /// The toxics that hold at a time of a round; where two steps have one of a name, the later is called
  /// `<name>_<number>`.
  public func toxics(at time: Duration) -> [Toxic] {
    Toxic.distinctlyNamed(active(at: time).flatMap { steps[$0].toxics })
  }

  /// The times of a round when something begins or ends, in order, each once; the first is the start.
  public var moments: [Duration] {
    var times: Set<Duration> = [.zero]
    for step in steps {
      times.insert(step.start)
      if let duration = step.duration { times.insert(step.start + duration) }
    }
    if let span {
      times = times.filter { $0 < span }
      times.insert(.zero)
      times.insert(span)
    }
    return times.sorted()
  }
}

extension Toxic {
  /// The toxics, each with a name of its own: a second `latency_downstream` is called `latency_downstream_2`.
  static func distinctlyNamed(_ toxics: [Toxic]) -> [Toxic] {
    var taken: Set<String> = []
    return toxics.map { toxic in
      var toxic = toxic
      let name = toxic.name
      var number = 2
      while !taken.insert(toxic.name).inserted {
        toxic.name = "\(name)_\(number)"
        number += 1
      }
      return toxic
    }
  }
}

extension NetworkProfile {
  /// The profile as a timeline: its conditions all the time, and what changes on top of them.
  public var played: Timeline {
    var played = timeline ?? Timeline(name: name, steps: [])
    if !toxics.isEmpty {
      played.steps.insert(
        Timeline.Step(at: .zero, toxics, label: "profile \(ConditionPhrase.word(name))"), at: 0)
    }
    return played
  }
}
