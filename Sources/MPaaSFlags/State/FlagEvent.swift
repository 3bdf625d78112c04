/// A change of a state, as a server's delta has it.
struct FlagEvent {
  var type = ""
  var flags: [FlagDefinition] = []
  var segments: [SegmentDefinition] = []
  var flag: FlagDefinition?
  var segment: SegmentDefinition?
  var flagName = ""
  var segmentID = -1
}

extension FlagState {
  /// Makes a change; an event of a kind that is not known changes nothing.
  mutating func apply(_ event: FlagEvent) {
    switch event.type {
    case "hydration": self = FlagState(flags: event.flags, segments: event.segments)
    case "feature-updated": if let flag = event.flag { put(flag) }
    case "feature-removed": flags.removeAll { $0.name.utf8.elementsEqual(event.flagName.utf8) }
    case "segment-updated": if let segment = event.segment { put(segment) }
    case "segment-removed": segments.removeAll { $0.id == event.segmentID }
    default: break
    }
  }

  private mutating func put(_ flag: FlagDefinition) {
    if let index = flags.firstIndex(where: { $0.name.utf8.elementsEqual(flag.name.utf8) }) {
      flags[index] = flag
    } else {
      flags.append(flag)
    }
  }

  private mutating func put(_ segment: SegmentDefinition) {
    if let index = segments.firstIndex(where: { $0.id == segment.id }) {
      segments[index] = segment
    } else {
      segments.append(segment)
    }
  }
}
