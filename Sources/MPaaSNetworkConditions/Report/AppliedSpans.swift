/// Finds out of a journal's events and states what held from when to when.
struct AppliedSpans {
  let begin: Double
  let end: Double

  func spans(of journal: Journal) -> [NetworkReport.Applied] {
    let all = profiles(journal.events) + timelines(journal.events) + toxics(journal.states)
    return all.filter { $0.end > $0.start || $0.end == end - begin }.sorted {
      ($0.start, $0.kind.rawValue, $0.label) < ($1.start, $1.kind.rawValue, $1.label)
    }
  }

  private func span(
    _ kind: NetworkReport.Applied.Kind, _ start: Double, _ end: Double, _ label: String, _ proxies: [String] = []
  ) -> NetworkReport.Applied {
    NetworkReport.Applied(kind: kind, start: start - begin, end: end - begin, label: label, proxies: proxies)
  }

  private func profiles(_ events: [NetworkEvent]) -> [NetworkReport.Applied] {
    var spans: [NetworkReport.Applied] = []
    var current: (start: Double, name: String)?
    for event in events where event.kind == .profileApplied || event.kind == .reset {
      if let current { spans.append(span(.profile, current.start, event.time, current.name)) }
      let name = event.kind == .reset ? nil : event.details["profile"]
      current = name.flatMap { $0 == "off" ? nil : (event.time, $0) }
    }
    if let current { spans.append(span(.profile, current.start, end, current.name)) }
    return spans
  }

  private func timelines(_ events: [NetworkEvent]) -> [NetworkReport.Applied] {
    var spans: [NetworkReport.Applied] = []
    var current: [String: (start: Double, label: String)] = [:]
    for event in events where event.kind == .timelineStep || event.kind == .timelineEnded {
      let name = event.details["timeline"] ?? ""
      let label = event.kind == .timelineStep ? event.details["label"] ?? "" : nil
      // The same again, as at the beginning of another round, goes on.
      if let label, let held = current[name], held.label == label { continue }
      if let held = current.removeValue(forKey: name), held.label != "normal" {
        spans.append(span(.timeline, held.start, event.time, held.label))
      }
      if let label { current[name] = (event.time, label) }
    }
    for held in current.values where held.label != "normal" {
      spans.append(span(.timeline, held.start, end, held.label))
    }
    return spans
  }

  private struct Held: Hashable {
    let proxy: String
    let toxic: Journal.State.Condition
  }

  /// Toxics that were added one by one; those of layers are told by their profile or timeline.
  private func toxics(_ states: [Journal.State]) -> [NetworkReport.Applied] {
    var current: [Held: Double] = [:]
    var spans: [NetworkReport.Applied] = []
    func close(_ held: Held, _ time: Double) {
      guard let start = current.removeValue(forKey: held) else { return }
      let one = span(.toxic, start, time, held.toxic.phrase, [held.proxy])
      let twin = spans.firstIndex { $0.start == one.start && $0.end == one.end && $0.label == one.label }
      if let twin {
        if !spans[twin].proxies.contains(held.proxy) { spans[twin].proxies.append(held.proxy) }
      } else {
        spans.append(one)
      }
    }
    for state in states {
      var now: Set<Held> = []
      for proxy in state.proxies {
        for toxic in proxy.toxics where !Self.isOfLayer(toxic.name) {
          now.insert(Held(proxy: proxy.name, toxic: toxic))
        }
      }
      for held in current.keys.filter({ !now.contains($0) }).sorted(by: { $0.proxy < $1.proxy }) {
        close(held, state.time)
      }
      for held in now where current[held] == nil { current[held] = state.time }
    }
    for held in current.keys.sorted(by: { $0.proxy < $1.proxy }) { close(held, end) }
    return spans
  }

  /// Layers name their toxics `<layer>.<toxic>`.
  private static func isOfLayer(_ name: String) -> Bool {
    ["profile.", "timeline.", "timeline-"].contains { name.hasPrefix($0) }
  }
}
