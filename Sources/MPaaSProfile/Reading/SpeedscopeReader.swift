import MPaaSSupport

/// Files of speedscope, sampled and evented.
///
/// Times become nanoseconds. An evented profile has a sample for each stretch of time between two events.
/// - Source: speedscope, `src/lib/file-format-spec.ts`.
struct SpeedscopeReader {
  private let file: String
  private var profile: Profile
  /// Rows of frames by the file's numbers.
  private var frames: [Int] = []
  private var known = KnownStacks()
  private var parts: [(thread: ProfileThread, unit: SampleUnit)] = []

  private init(file: String) {
    self.file = file
    profile = Profile(name: file)
  }

  /// Reads a file.
  ///
  /// - Throws: `profile-not-json`, `profile-bad-member`, `profile-unbalanced` where what is closed is not what was
  ///   opened last, `profile-bad-weight`, `profile-too-deep`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = SpeedscopeReader(file: file)
    var json = JSONCursor(bytes, file: file)
    var profiles: Int?
    var hasFrames = false
    try json.object("$") { (name, json) throws(ProfileError) in
      if json.isName(name, "shared") {
        try reader.shared(&json)
        hasFrames = true
      } else if json.isName(name, "profiles") {
        // Frames may follow the lists that name them.
        if hasFrames { try reader.profiles(&json) } else { profiles = json.offset; try json.skip() }
      } else if json.isName(name, "name") {
        reader.profile.name = try json.string("name")
      } else {
        try json.skip()
      }
    }
    try json.end()
    if let profiles {
      json.offset = profiles
      try reader.profiles(&json)
    }
    return reader.assembled()
  }

  private mutating func shared(_ json: inout JSONCursor) throws(ProfileError) {
    try json.object("shared") { (name, json) throws(ProfileError) in
      guard json.isName(name, "frames") else { return try json.skip() }
      try json.array("frames") { (_, json) throws(ProfileError) in try frame(&json) }
    }
  }

  private mutating func frame(_ json: inout JSONCursor) throws(ProfileError) {
    var (function, file, line) = (-1, 0, 0)
    try json.object("frames") { (name, json) throws(ProfileError) in
      if json.isName(name, "name") {
        function = try json.string("name", in: &profile)
      } else if json.isName(name, "file"), json.next() == UInt8(ascii: "\"") {
        file = try json.string("file", in: &profile)
      } else if json.isName(name, "line"), json.next() != UInt8(ascii: "n") {
        line = Int(try json.decimal("line"))
      } else {
        try json.skip()
      }
    }
    guard function >= 0 else { throw json.bad("name") }
    frames.append(profile.frame(profile.function(named: function, file: file, line: line)))
  }

  private mutating func profiles(_ json: inout JSONCursor) throws(ProfileError) {
    try json.array("profiles") { (_, json) throws(ProfileError) in try part(&json) }
  }

  /// One of the file's profiles.
  private mutating func part(_ json: inout JSONCursor) throws(ProfileError) {
    var part = Part()
    let start = json.offset
    try json.object("profiles") { (name, json) throws(ProfileError) in
      if json.isName(name, "name") {
        part.name = try json.string("name")
      } else if json.isName(name, "unit") {
        part.unit = try json.string("unit")
      } else if json.isName(name, "startValue") {
        part.start = json.offset
        try json.skip()
      } else if json.isName(name, "endValue") {
        part.end = json.offset
        try json.skip()
      } else if json.isName(name, "samples") {
        try stacks(&json, into: &part.stacks)
      } else if json.isName(name, "weights") {
        part.weights = json.offset
        try json.skip()
      } else if json.isName(name, "events") {
        part.events = json.offset
        try json.skip()
      } else {
        try json.skip()
      }
    }
    let end = json.offset
    guard let unit = Unit(rawValue: part.unit ?? "none") else { throw json.bad("unit", at: start) }
    var thread = Self.thread(named: part.name)
    if let events = part.events {
      json.offset = events
      try take(events: &json, of: part, unit, into: &thread)
    } else {
      guard let weights = part.weights else { throw json.bad("weights", at: start) }
      json.offset = weights
      try take(weights: &json, of: part, unit, into: &thread)
    }
    parts.append((thread, unit.unit))
    json.offset = end
  }

  /// The members of one profile; places are those of values whose unit stands elsewhere.
  private struct Part {
    var name = ""
    var unit: String?
    var start: Int?
    var end: Int?
    var weights: Int?
    var events: Int?
    var stacks: [Int32] = []
  }

  private enum Unit: String {
    case none, bytes, nanoseconds, microseconds, milliseconds, seconds

    /// Digits between this unit and nanoseconds.
    var scale: Int {
      switch self {
      case .none, .bytes, .nanoseconds: 0
      case .microseconds: 3
      case .milliseconds: 6
      case .seconds: 9
      }
    }

    var unit: SampleUnit {
      switch self {
      case .none: .count
      case .bytes: .bytes
      default: .nanoseconds
      }
    }
  }

  private mutating func stacks(_ json: inout JSONCursor, into stacks: inout [Int32]) throws(ProfileError) {
    try json.array("samples") { (_, json) throws(ProfileError) in
      guard let text = json.bytesToBracket() else { throw json.bad("samples") }
      // Most lists came before: what was read once, up to this very bracket, need not be read again.
      let row = known.row(of: text)
      if let stack = known[row] {
        stacks.append(Int32(truncatingIfNeeded: stack))
        return json.offset += text.count
      }
      let end = json.offset + text.count
      var stack: Int32 = -1
      try json.array("samples") { (depth, json) throws(ProfileError) in
        guard depth < Profile.deepest else { throw json.error(.tooDeep, ["limit": "\(Profile.deepest)"]) }
        let frame = try json.index("samples", below: frames.count)
        stack = Int32(truncatingIfNeeded: profile.stack(on: stack < 0 ? nil : Int(stack), frame: frames[frame]))
      }
      if json.offset == end { known[row] = Int(stack) }
      stacks.append(stack)
    }
  }

  private func take(
    weights json: inout JSONCursor, of part: Part, _ unit: Unit, into thread: inout ProfileThread
  ) throws(ProfileError) {
    let start = json.offset
    var time = try value(part.start, "startValue", unit, json) ?? 0
    var count = 0
    try json.array("weights") { (index, json) throws(ProfileError) in
      let place = json.offset
      let weight = try json.decimal("weights", scale: unit.scale)
      guard weight >= 0, index < part.stacks.count else { throw json.bad("weights", at: place) }
      thread.append(
        stack: Int(part.stacks[index]), weight: weight, time: unit.unit == .nanoseconds ? time : nil)
      time = time.addingSaturating(weight)
      count += 1
    }
    guard count == part.stacks.count else { throw json.bad("weights", at: start) }
  }

  private func value(
    _ place: Int?, _ member: String, _ unit: Unit, _ json: JSONCursor
  ) throws(ProfileError) -> Int64? {
    guard let place else { return nil }
    var json = json
    json.offset = place
    return try json.decimal(member, scale: unit.scale)
  }

  private mutating func take(
    events json: inout JSONCursor, of part: Part, _ unit: Unit, into thread: inout ProfileThread
  ) throws(ProfileError) {
    var span = OpenSpans()
    let hasTimes = unit.unit == .nanoseconds
    try json.array("events") { (_, json) throws(ProfileError) in
      let place = json.offset
      var (type, frame, at) = (UInt8(0), -1, Int64?.none)
      try json.object("events") { (name, json) throws(ProfileError) in
        if json.isName(name, "type") {
          type = try json.string("type").utf8.first ?? 0
        } else if json.isName(name, "frame") {
          frame = try json.index("frame", below: frames.count)
        } else if json.isName(name, "at") {
          at = try json.decimal("at", scale: unit.scale)
        } else {
          try json.skip()
        }
      }
      guard let at, frame >= 0 else { throw json.bad(at == nil ? "at" : "frame", at: place) }
      guard span.advance(to: at, hasTimes, &thread) else { throw json.bad("at", at: place) }
      switch type {
      case UInt8(ascii: "O"):
        guard span.depth < Profile.deepest else { throw json.error(.tooDeep, ["limit": "\(Profile.deepest)"]) }
        span.open(frames[frame], &profile)
      case UInt8(ascii: "C"):
        guard span.close(frames[frame], profile) else {
          throw json.error(
            .unbalanced, ["frame": profile.name(ofFunction: Int(profile.frames.functions[frames[frame]]))])
        }
      default: throw json.bad("type", at: place)
      }
    }
    if let end = try value(part.end, "endValue", unit, json) { _ = span.advance(to: end, hasTimes, &thread) }
  }

  /// The types of all profiles, and each one's weights where its own stand.
  private func assembled() -> Profile {
    var profile = profile
    var units: [SampleUnit] = []
    for part in parts where !units.contains(part.unit) { units.append(part.unit) }
    profile.types = units.isEmpty ? [.samples] : units.map(Self.type)
    profile.shown = 0
    profile.threads = parts.map { part in
      guard units.count > 1, let own = units.firstIndex(of: part.unit) else { return part.thread }
      var thread = ProfileThread(
        name: part.thread.name, id: part.thread.id, process: part.thread.process, processName: part.thread.processName)
      for (index, stack) in part.thread.stacks.enumerated() {
        let weights = units.indices.map { $0 == own ? part.thread.weights[index] : 0 }
        thread.append(
          stack: Int(stack), weights: weights, time: part.thread.isTimed ? part.thread.times[index] : nil)
      }
      return thread
    }
    return profile
  }

  private static func type(_ unit: SampleUnit) -> SampleType {
    switch unit {
    case .nanoseconds: .wall
    case .bytes: SampleType("space", .bytes)
    default: .samples
    }
  }

  private static func thread(named name: String) -> ProfileThread { ProfileThread(name: name) }
}
