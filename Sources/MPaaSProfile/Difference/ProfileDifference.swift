import MPaaSSupport

/// The changes from one profile to another, function by function.
///
/// Functions are the same where their names and those of their images are. What is told as sure is so for all functions
/// together: the intervals leave the truth out for any of them at one time in twenty at most.
package struct ProfileDifference: Sendable {
  package struct Side: Sendable, Equatable {
    /// The weight before.
    package let before: Int64
    /// The weight after, as it would be with as much in the whole where shares are compared.
    package let after: Int64
    /// The weight by which it grew, at least and at most.
    package let interval: CountInterval

    package var change: Int64 { after.subtractingReportingOverflow(before).partialValue }
    /// Tells whether the interval leaves out that nothing changed.
    package var isSure: Bool { interval.low > 0 || interval.high < 0 }
    /// Per cent, nil where there was nothing before.
    package var growth: Double? { before > 0 ? (Double(after) / Double(before) - 1) * 100 : nil }
  }

  package struct Entry: Sendable {
    package let name: String
    package let image: String
    package let own: Side
    package let total: Side
  }

  package let type: SampleType
  /// The weights of all samples; `after` is as it was, also where shares are compared.
  package let whole: Side
  /// The numbers of samples.
  package let samples: (before: Int64, after: Int64)
  /// Those of greatest change of their own first.
  package let entries: [Entry]
  package let comparesShares: Bool

  /// Compares the types that both profiles show.
  ///
  /// - Parameters:
  ///   - comparesShares: Shares of the whole instead of weights, for profiles of different length.
  ///   - confidence: From 0 to 1.
  /// - Throws: `profile-types-differ` where they count different things.
  package init(
    from before: Profile, to after: Profile, comparesShares: Bool = false, confidence: Double = 0.95
  ) throws(ProfileError) {
    guard before.type.unit == after.type.unit else {
      throw ProfileError(
        .typesDiffer,
        [
          "before": "\(before.type.name) (\(before.type.unit.name))",
          "after": "\(after.type.name) (\(after.type.unit.name))",
        ])
    }
    type = before.type
    self.comparesShares = comparesShares
    var keys = FunctionKeys()
    let one = Sums(before, &keys), other = Sums(after, &keys)
    let compared = keys.names.indices.filter { one.hasSamples(of: $0) || other.hasSamples(of: $0) }
    let deviations = CountInterval.deviations(confidence: confidence, tests: compared.count)
    let scale = comparesShares && other.total > 0 ? Double(one.total) / Double(other.total) : 1
    let names = keys.names
    entries = compared.map { key in
      Entry(
        name: names[key].name, image: names[key].image,
        own: Self.side(one, other, { $0.own(key) }, scale, deviations, comparesShares),
        total: Self.side(one, other, { $0.total(key) }, scale, deviations, comparesShares))
    }.sorted { left, right in
      if left.own.change.magnitude != right.own.change.magnitude {
        return left.own.change.magnitude > right.own.change.magnitude
      }
      return (left.total.change.magnitude, right.name) > (right.total.change.magnitude, left.name)
    }
    // One test of the whole.
    whole = Self.side(
      one, other, { ($0.total, $0.count) }, 1, CountInterval.deviations(confidence: confidence, tests: 1), false)
    samples = (one.count, other.count)
  }

  private static func side(
    _ one: Sums, _ other: Sums, _ part: (Sums) -> (weight: Int64, count: Int64), _ scale: Double,
    _ deviations: Double, _ comparesShares: Bool
  ) -> Side {
    let (before, after) = (part(one), part(other))
    // A sample weighs as much as those of the function do on average; those of the whole where it has none.
    func each(_ part: (weight: Int64, count: Int64), _ sums: Sums) -> Double {
      part.count > 0 ? Double(part.weight) / Double(part.count) : sums.each
    }
    func scaled(_ interval: CountInterval, _ factor: Double) -> CountInterval {
      CountInterval(low: interval.low * factor, high: interval.high * factor)
    }
    func interval(_ part: (weight: Int64, count: Int64), _ sums: Sums) -> CountInterval {
      guard comparesShares else { return scaled(.poisson(Double(part.count), deviations), each(part, sums)) }
      let share = CountInterval.proportion(Double(part.count), of: Double(sums.count), deviations)
      return scaled(share, Double(sums.count) * each(part, sums))
    }
    let weight = Double(after.weight) * scale
    return Side(
      before: before.weight, after: Int64(clampedTo: weight),
      interval: .difference(
        Double(before.weight), interval(before, one), weight, scaled(interval(after, other), scale)))
  }
}

extension Int64 {
  /// The nearest whole number that there is.
  fileprivate init(clampedTo value: Double) {
    self = Int64(exactly: value.rounded()) ?? (value > 0 ? .max : .min)
  }
}

/// Functions of several profiles that are the same, by numbers from 0 up.
private struct FunctionKeys {
  private var numbers: [String: Int] = [:]
  private(set) var names: [(name: String, image: String)] = []

  mutating func number(_ name: String, _ image: String) -> Int {
    let key = "\(image)\u{0}\(name)"
    if let number = numbers[key] { return number }
    numbers[key] = names.count
    names.append((name, image))
    return names.count - 1
  }
}

/// The weights of a profile's functions, and the samples that they are of.
private struct Sums {
  let total: Int64
  let count: Int64
  private let weights: FunctionTotals
  private let counts: FunctionTotals

  /// The weight of a sample.
  var each: Double { count > 0 ? Double(total) / Double(count) : 1 }

  init(_ profile: Profile, _ keys: inout FunctionKeys) {
    let groups = (0..<profile.functions.count).map {
      keys.number(profile.name(ofFunction: $0), profile.image(ofFunction: $0)?.name ?? "")
    }
    let tree = CallTree(profile)
    total = tree.total
    weights = FunctionTotals(tree, groups: groups)
    let counted = CallTree(profile.counted)
    count = counted.total
    counts = FunctionTotals(counted, groups: groups)
  }

  func own(_ key: Int) -> (Int64, Int64) {
    key < weights.entries.count ? (weights.entries[key].own, counts.entries[key].own) : (0, 0)
  }

  func total(_ key: Int) -> (Int64, Int64) {
    key < weights.entries.count ? (weights.entries[key].total, counts.entries[key].total) : (0, 0)
  }

  func hasSamples(of key: Int) -> Bool { total(key).1 > 0 || total(key).0 != 0 }
}

extension Profile {
  /// The same stacks, weighing as many samples as they are of.
  ///
  /// Told by a type that counts samples; else what is shown is such a count, or a whole number of periods; else each
  /// sample is one.
  package var counted: Profile {
    var profile = self
    if let counts = types.firstIndex(where: { $0 == .samples }) {
      profile.shown = counts
      return profile
    }
    if type.unit == .count { return profile }
    profile.types = [.samples]
    profile.shown = 0
    profile.threads = threads.map { thread in
      var counted = ProfileThread(name: thread.name, id: thread.id, process: thread.process)
      for sample in 0..<thread.count {
        let weight = thread.weights[sample * types.count + shown]
        counted.append(stack: Int(thread.stacks[sample]), weight: period > 0 ? max(1, weight / period) : 1)
      }
      return counted
    }
    return profile
  }
}
