package import MPaaSFlags
import MPaaSSupport

extension FlagSources {
  /// The items and the state after events as Unleash's delta has them.
  ///
  /// - Parameters:
  ///   - bytes: `{"events":[…]}`.
  ///   - state: The state of these items.
  /// - Throws: `FlagError`, where the bytes are no events, or the state would pass a limit; `flags-name-twice` and
  ///   `flags-segment-twice` where a whole state has one twice.
  package func applying(
    events bytes: UnsafeRawBufferPointer, to state: FlagState
  ) throws(FlagError) -> (sources: FlagSources, state: FlagState) {
    let next = try FlagState(json: bytes, changing: state, toSet: true)
    var reader = FlagSourceReader(self)
    var skim = JSONSkim(bytes)
    guard reader.document(&skim) else {
      throw reader.problem ?? FlagError(.shape, ["member": "events", "wanted": "array"])
    }
    guard reader.sources.size <= FlagState.Limit.bytes else {
      throw FlagError(.tooLarge, ["size": "\(reader.sources.size)", "limit": "\(FlagState.Limit.bytes)"])
    }
    return (reader.sources, next)
  }
}

/// Goes through events that are known to be well-formed, and cuts out their flags and segments.
private struct FlagSourceReader {
  private(set) var sources: FlagSources
  private(set) var problem: FlagError?

  /// The pieces of one event.
  private struct Event {
    var type = ""
    var flags: [Range<Int>] = []
    var segments: [Range<Int>] = []
    var flag: Range<Int>?
    var segment: Range<Int>?
    var flagName: String?
    var segmentID: Int?
  }

  init(_ sources: FlagSources) { self.sources = sources }

  private mutating func wrong(_ member: String, _ wanted: String) -> Bool {
    problem = problem ?? FlagError(.shape, ["member": member, "wanted": wanted])
    return false
  }

  mutating func document(_ skim: inout JSONSkim) -> Bool {
    skim.object { name, skim in
      skim.isName(name, "events") ? skim.array { _, skim in event(&skim) } : skim.skip()
    }
  }

  private func ranges(_ skim: inout JSONSkim, _ ranges: inout [Range<Int>]) -> Bool {
    ranges = []
    if skim.next == UInt8(ascii: "n") { return skim.skip() }
    return skim.array { _, skim in
      guard let range = range(&skim) else { return false }
      ranges.append(range)
      return true
    }
  }

  private func range(_ skim: inout JSONSkim) -> Range<Int>? {
    let start = skim.offset
    return skim.skip() ? start..<skim.offset : nil
  }

  private mutating func event(_ skim: inout JSONSkim) -> Bool {
    var event = Event()
    let isRead = skim.object { name, skim in
      if skim.isName(name, "type") {
        event.type = skim.string() ?? ""
        return true
      }
      if skim.isName(name, "features") { return ranges(&skim, &event.flags) }
      if skim.isName(name, "segments") { return ranges(&skim, &event.segments) }
      if skim.isName(name, "feature") {
        event.flag = range(&skim)
        return event.flag != nil
      }
      if skim.isName(name, "segment") {
        event.segment = range(&skim)
        return event.segment != nil
      }
      if skim.isName(name, "featureName") {
        event.flagName = skim.string()
        return event.flagName != nil
      }
      if skim.isName(name, "segmentId") {
        event.segmentID = skim.unsigned().flatMap { Int(exactly: $0) }
        return event.segmentID != nil
      }
      return skim.skip()
    }
    return isRead && apply(event, skim)
  }

  private mutating func apply(_ event: Event, _ skim: JSONSkim) -> Bool {
    switch event.type {
    case "hydration": return replace(event, skim)
    case "feature-updated":
      guard let range = event.flag else { return wrong("feature", "object") }
      return put(range, item(flag: range, skim), skim)
    case "feature-removed":
      guard let name = event.flagName else { return wrong("featureName", "string") }
      sources[.flag(ExactName(name))] = nil
    case "segment-updated":
      guard let range = event.segment else { return wrong("segment", "object") }
      guard let item = item(segment: range, skim) else { return wrong("id", "number") }
      return put(range, item, skim)
    case "segment-removed":
      guard let id = event.segmentID else { return wrong("segmentId", "number") }
      sources[.segment(id)] = nil
    default: return wrong("type", "hydration, feature-updated, feature-removed, segment-updated, segment-removed")
    }
    return true
  }

  private mutating func replace(_ event: Event, _ skim: JSONSkim) -> Bool {
    sources.removeAll()
    for range in event.flags {
      let item = item(flag: range, skim)
      guard sources[item] == nil else {
        problem = problem ?? FlagError(.nameTwice, ["flag": item.name])
        return false
      }
      _ = put(range, item, skim)
    }
    for range in event.segments {
      guard let item = item(segment: range, skim) else { return wrong("id", "number") }
      guard sources[item] == nil else {
        problem = problem ?? FlagError(.segmentTwice, ["segment": item.name, "name": "-"])
        return false
      }
      _ = put(range, item, skim)
    }
    return true
  }

  private mutating func put(_ range: Range<Int>, _ item: FlagItem, _ skim: JSONSkim) -> Bool {
    sources[item] = CompactJSON.text(skim.bytes[range])
    return true
  }

  private func item(flag range: Range<Int>, _ skim: JSONSkim) -> FlagItem {
    var part = JSONSkim(skim.bytes, at: range.lowerBound)
    var found = ""
    _ = part.object { name, skim in
      guard skim.isName(name, "name") else { return skim.skip() }
      found = skim.string() ?? ""
      return true
    }
    return .flag(ExactName(found))
  }

  /// The segment of a number; nil where it has none, and would take the place of others that have none.
  private func item(segment range: Range<Int>, _ skim: JSONSkim) -> FlagItem? {
    var part = JSONSkim(skim.bytes, at: range.lowerBound)
    var found: Int?
    _ = part.object { name, skim in
      guard skim.isName(name, "id") else { return skim.skip() }
      found = skim.unsigned().flatMap { Int(exactly: $0) }
      return true
    }
    return found.map(FlagItem.segment)
  }
}
