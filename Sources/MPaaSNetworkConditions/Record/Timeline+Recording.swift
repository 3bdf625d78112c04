extension Timeline {
  /// The timeline that comes nearest to what samples tell, a step for each `window`.
  ///
  /// The median round trip of a window is halved to a delay each way; its spread (1.4826 times the median deviation) is
  /// that of two ways, so each has it divided by √2; the share of round trips that were lost is one of both ways. A
  /// window without samples goes on as the one before; one where nothing came back is a blackout, one without a network
  /// flight mode.
  package static func recorded(
    _ samples: [LinkSample], name: String, window: Duration = .seconds(10), profiles: ProfileCatalogue = .builtIn
  ) -> Timeline {
    let samples = samples.sorted { $0.time < $1.time }
    guard let first = samples.first?.time, let last = samples.last?.time else { return Timeline(name: name, steps: []) }
    let width = max(window.inMilliseconds / 1000, 0.1)
    // A window for each that is begun; more than anybody replays are made wider.
    let count = min(Int(min((last - first) / width, 1e6)) + 1, TimelineReader.limit)
    let actual = max(width, (last - first + 1e-6) / Double(count))
    var windows = [[LinkSample]](repeating: [], count: count)
    for sample in samples { windows[min(Int((sample.time - first) / actual), count - 1)].append(sample) }
    let length = Duration(inMilliseconds: (actual * 1000).rounded())
    var steps: [Step] = []
    var network: String?
    for (index, window) in windows.enumerated() {
      let start = length * index
      let what: (toxics: [Toxic], label: String)?
      if window.isEmpty {
        what = steps.last.map { ($0.toxics, $0.label) }
      } else {
        network = window.last { $0.network != nil }?.network ?? network
        what = WindowConditions(window, network: network, profiles: profiles).toxics
      }
      guard let what else { continue }
      // The same again goes on.
      if let before = steps.last, before.toxics == what.toxics, before.label == what.label,
        before.start + (before.duration ?? .zero) == start
      {
        steps[steps.count - 1].duration = start - before.start + length
      } else {
        steps.append(Step(at: start, for: length, what.toxics, label: what.label))
      }
    }
    return Timeline(name: name, steps: steps.filter { !$0.toxics.isEmpty }, length: length * count)
  }
}

/// The conditions that the samples of a window speak of.
private struct WindowConditions {
  let samples: [LinkSample]
  let network: String?
  let profiles: ProfileCatalogue

  init(_ samples: [LinkSample], network: String?, profiles: ProfileCatalogue) {
    self.samples = samples
    self.network = network
    self.profiles = profiles
  }

  var toxics: (toxics: [Toxic], label: String) {
    if let network, Self.offline.contains(network) { return Self.told([Toxic(.flightMode)]) }
    let sent = samples.reduce(0) { $0 + $1.sent }
    let lost = samples.reduce(0) { $0 + min($1.lost, $1.sent) }
    let trips = samples.compactMap { $0.roundTrip?.inMilliseconds }.sorted()
    if sent > 0, lost == sent, trips.isEmpty { return Self.told(Self.both(.blackout)) }
    let rates = (Self.median(samples.compactMap(\.downRate)), Self.median(samples.compactMap(\.upRate)))
    if trips.isEmpty, rates.0 == nil, rates.1 == nil, lost == 0 { return profile }
    var toxics: [Toxic] = []
    if sent > 0, lost > 0 {
      let oneWay = 1 - (1 - Double(lost) / Double(sent)).squareRoot()
      toxics += Self.both(.loss(Loss((oneWay * 1000).rounded() / 1000)))
    }
    for (rate, direction) in [(rates.0, Direction.downstream), (rates.1, .upstream)] {
      guard let rate, rate >= 1 else { continue }
      toxics.append(
        Toxic(.bandwidth(Bandwidth(bitsPerSecond: Self.rounded(rate), isShared: true)), direction: direction))
    }
    if let trip = Self.median(trips) {
      let deviation = Self.median(trips.map { abs($0 - trip) }.sorted()) ?? 0
      // A delay is not below nothing.
      let jitter = min((1.4826 * deviation / 2.0.squareRoot()).rounded(), (trip / 2).rounded())
      let delay = Duration(inMilliseconds: (trip / 2).rounded())
      let latency = Latency(
        delay, jitter: Duration(inMilliseconds: jitter), distribution: jitter > 0 ? .normal : .uniform)
      if latency.delay > .zero { toxics += Self.both(.latency(latency)) }
    }
    return Self.told(toxics)
  }

  /// The profile of its name, where only the kind of network is known.
  private var profile: (toxics: [Toxic], label: String) {
    let names = ["2g": "2g-urban", "4g": "lte", "5g": "lte", "cellular": "lte", "wi-fi": "wifi", "ethernet": "wifi-ac"]
    guard let network, let profile = try? profiles.named(names[network] ?? network), profile.timeline == nil else {
      return ([], "normal")
    }
    return (profile.toxics, "profile \(ConditionPhrase.word(profile.name))")
  }

  static let offline: Set<String> = ["none", "no", "offline", "unreachable", "airplane"]

  private static func told(_ toxics: [Toxic]) -> (toxics: [Toxic], label: String) {
    (toxics, toxics.isEmpty ? "normal" : ConditionPhrase.text(of: toxics))
  }

  private static func both(_ condition: Condition) -> [Toxic] {
    [Toxic(condition, direction: .downstream), Toxic(condition, direction: .upstream)]
  }

  private static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Two digits and zeros: more was not measured.
  private static func rounded(_ rate: Double) -> Int64 {
    var unit = 1.0
    while rate / unit >= 100, unit < 1e15 { unit *= 10 }
    return Int64((min(rate, 1e14) / unit).rounded() * unit)
  }
}
