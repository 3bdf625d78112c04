import MPaaSRandom

extension Timeline {
  /// The profiles that a random timeline walks between unless it is told others, the best first.
  public static let walked = ["wifi", "lte", "3g-good", "3g", "edge", "2g-urban", "very-bad", "airplane"]

  /// A walk between the profiles of `walked`.
  public static func random(
    seed: UInt64, length: Duration = .seconds(300), profiles: ProfileCatalogue = .builtIn
  ) -> Timeline {
    let timeline = try? random(seed: seed, length: length, names: walked, profiles: profiles)
    return timeline ?? Timeline(name: "random-\(seed)", steps: [], length: length)
  }

  /// A walk between profiles by chance: the same seed gives the same timeline, on every machine.
  ///
  /// After a stay of `stay` on average (half a second at least, in steps of half a second) the network goes to another
  /// profile: to one that is `n` places away in the list with a weight of 1/n², so that it mostly gets a little better or a
  /// little worse.
  ///
  /// - Parameters:
  ///   - names: Profiles of `profiles`, the best first.
  /// - Throws: `NetworkError` where a name is no profile's, or the profile changes by itself.
  public static func random(
    seed: UInt64, length: Duration = .seconds(300), stay: Duration = .seconds(20), names: [String],
    profiles: ProfileCatalogue = .builtIn
  ) throws(NetworkError) -> Timeline {
    var chosen: [NetworkProfile] = []
    for name in names {
      let profile = try profiles.named(name)
      guard profile.timeline == nil else { throw NetworkError(.timelineNested, ["profile": profile.name]) }
      chosen.append(profile)
    }
    var timeline = Timeline(name: "random-\(seed)", steps: [], length: length)
    guard !chosen.isEmpty, length > .zero else { return timeline }
    var numbers = WalkNumbers(seed: seed)
    let tick = Duration.milliseconds(500)
    // Whole numbers only: a logarithm may differ between machines.
    let meanTicks = UInt64(max(1, min(stay / tick, 1e6)))
    var place = Int(numbers.next(below: UInt64(chosen.count)))
    var time = Duration.zero
    while time < length, timeline.steps.count < TimelineReader.limit {
      var ticks = 1
      while numbers.next(below: meanTicks) != 0, ticks < 1_000_000 { ticks += 1 }
      let end = min(time + tick * ticks, length)
      let profile = chosen[place]
      timeline.steps.append(
        Step(at: time, for: end - time, profile.toxics, label: "profile \(ConditionPhrase.word(profile.name))"))
      time = end
      place = numbers.neighbour(of: place, count: chosen.count)
    }
    return timeline
  }
}

/// Random numbers that stay the same for ever, for timelines that are told by their seed alone.
private struct WalkNumbers {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed) }

  mutating func next(below bound: UInt64) -> UInt64 { numbers.next().multipliedFullWidth(by: bound).high }

  mutating func neighbour(of place: Int, count: Int) -> Int {
    guard count > 1 else { return place }
    let others = (0..<count).filter { $0 != place }
    let weights = others.map { 1_000_000 / UInt64(($0 - place) * ($0 - place)) }
    var drawn = next(below: weights.reduce(0, +))
    for (other, weight) in zip(others, weights) {
      if drawn < weight { return other }
      drawn -= weight
    }
    return place
  }
}
