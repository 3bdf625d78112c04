import MPaaSSupport

/// Chrome's trace events, as browsers, build tools and `MPAAS_TRACE` write them: an array, or an object with
/// `traceEvents`.
///
/// Read are complete events (`X`), pairs of begin and end (`B`, `E`), sampled profiles in pieces (`P`), and the names of
/// processes and threads (`M`). An event that ends behind the one around it is taken to end with it.
/// - Source: "Trace Event Format", JSON Array Format and JSON Object Format.
struct TraceEventReader {
  private let file: String
  private var profile: Profile
  private var lanes: [Lane: Int] = [:]
  private var threads: [ProfileThread] = []
  private var spans: [[TraceSpan]] = []
  private var processNames: [Int64: String] = [:]
  private var sampled: [SampledKey: (lane: Lane, times: SampledTimes)] = [:]
  private var sampledOrder: [SampledKey] = []
  private var frames: [Int32] = []
  /// Nanoseconds, 36 years: sums and differences of such times fit.
  private static let latest: UInt64 = 1 << 60

  private struct Lane: Hashable {
    let process: Int64
    let thread: Int64
  }

  private struct SampledKey: Hashable {
    let process: Int64
    let id: String
  }

  /// The members of an event; places are those of values that are read when the phase is known.
  private struct Event {
    var phase: UInt8 = 0
    var name: Int?
    var time: Int64?
    var duration: Int64?
    var process: Int64 = 0
    var thread: Int64 = 0
    var id = ""
    var args: Int?
  }

  private init(file: String) {
    self.file = file
    profile = Profile(name: file, types: [.wall])
  }

  /// Reads a file.
  ///
  /// - Throws: `profile-not-json`, `profile-bad-member`, `profile-too-deep`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = TraceEventReader(file: file)
    var json = JSONCursor(bytes, file: file)
    if json.next() == UInt8(ascii: "[") {
      try reader.events(&json)
    } else {
      try json.object("$") { (name, json) throws(ProfileError) in
        guard json.isName(name, "traceEvents") else { return try json.skip() }
        try reader.events(&json)
      }
    }
    try json.end()
    try reader.finish(json)
    return reader.profile
  }

  private mutating func events(_ json: inout JSONCursor) throws(ProfileError) {
    try json.array("traceEvents") { (_, json) throws(ProfileError) in
      let place = json.offset
      let event = try event(&json)
      let end = json.offset
      switch event.phase {
      case UInt8(ascii: "M"): try name(event, json)
      case UInt8(ascii: "P"), UInt8(ascii: "I"), UInt8(ascii: "i"): try sampled(event, json)
      case UInt8(ascii: "X"), UInt8(ascii: "B"), UInt8(ascii: "E"): try span(event, json, at: place)
      default: break
      }
      json.offset = end
    }
  }

  private mutating func event(_ json: inout JSONCursor) throws(ProfileError) -> Event {
    var event = Event()
    try json.object("traceEvents") { (name, json) throws(ProfileError) in
      if json.isName(name, "ph") {
        event.phase = try json.string("ph").utf8.first ?? 0
      } else if json.isName(name, "name"), json.next() == UInt8(ascii: "\"") {
        event.name = try json.string("name", in: &profile)
      } else if json.isName(name, "ts"), json.next() != UInt8(ascii: "n") {
        event.time = try json.decimal("ts", scale: 3)
      } else if json.isName(name, "dur"), json.next() != UInt8(ascii: "n") {
        event.duration = try json.decimal("dur", scale: 3)
      } else if json.isName(name, "pid") {
        event.process = try identifier(&json)
      } else if json.isName(name, "tid") {
        event.thread = try identifier(&json)
      } else if json.isName(name, "id"), json.next() == UInt8(ascii: "\"") {
        event.id = try json.string("id")
      } else if json.isName(name, "args") {
        event.args = json.offset
        try json.skip()
      } else {
        try json.skip()
      }
    }
    return event
  }

  /// Numbers of threads, and of those that have words instead, numbers of our own below 0.
  private mutating func identifier(_ json: inout JSONCursor) throws(ProfileError) -> Int64 {
    guard json.next() == UInt8(ascii: "\"") else {
      if json.next() &- 0x30 < 10 || json.next() == UInt8(ascii: "-") { return try json.decimal("tid") }
      try json.skip()
      return 0
    }
    let text = try json.string("tid")
    return Int64(text) ?? -1 - Int64(profile.string(text))
  }

  private mutating func row(_ lane: Lane) -> Int {
    if let row = lanes[lane] { return row }
    threads.append(ProfileThread(id: lane.thread, process: lane.process))
    spans.append([])
    lanes[lane] = threads.count - 1
    return threads.count - 1
  }

  private mutating func span(_ event: Event, _ json: JSONCursor, at place: Int) throws(ProfileError) {
    guard let time = event.time, time.magnitude < Self.latest else { throw json.bad("ts", at: place) }
    let row = row(Lane(process: event.process, thread: event.thread))
    let isEnd = event.phase == UInt8(ascii: "E")
    guard isEnd || event.name != nil else { throw json.bad("name", at: place) }
    var duration: Int64?
    if event.phase == UInt8(ascii: "X") {
      duration = event.duration ?? 0
      guard let duration, duration >= 0, duration.magnitude < Self.latest else { throw json.bad("dur", at: place) }
    }
    let frame = isEnd ? -1 : frame(event.name ?? 0)
    spans[row].append(TraceSpan(start: time, duration: duration, frame: frame, isEnd: isEnd))
  }

  private mutating func frame(_ name: Int) -> Int32 {
    while frames.count <= name { frames.append(-1) }
    if frames[name] < 0 { frames[name] = Int32(truncatingIfNeeded: profile.frame(profile.function(named: name))) }
    return frames[name]
  }

  private mutating func name(_ event: Event, _ json: JSONCursor) throws(ProfileError) {
    guard let kind = event.name, let args = event.args else { return }
    var json = json
    json.offset = args
    guard json.next() == UInt8(ascii: "{") else { return }
    var text: String?
    try json.object("args") { (name, json) throws(ProfileError) in
      guard json.isName(name, "name"), json.next() == UInt8(ascii: "\"") else { return try json.skip() }
      text = try json.string("args.name")
    }
    guard let text else { return }
    switch profile.strings[kind] {
    case "process_name":
      processNames[event.process] = text
      if profile.name == file { profile.name = text }
    case "thread_name": threads[row(Lane(process: event.process, thread: event.thread))].name = text
    default: break
    }
  }

  /// A piece of a sampled profile: `Profile` begins one, `ProfileChunk` goes on with it, `CpuProfile` is a whole one.
  private mutating func sampled(_ event: Event, _ json: JSONCursor) throws(ProfileError) {
    guard let kind = event.name.map({ profile.strings[$0] }), let args = event.args else { return }
    guard kind == "Profile" || kind == "ProfileChunk" || kind == "CpuProfile" else { return }
    let key = SampledKey(process: event.process, id: event.id)
    if kind != "ProfileChunk" || sampled[key] == nil {
      _ = row(Lane(process: event.process, thread: event.thread))
      if sampled[key] == nil { sampledOrder.append(key) }
      sampled[key] = (Lane(process: event.process, thread: event.thread), SampledTimes())
      sampled[key]?.times.start = event.time ?? 0
    }
    var json = json
    json.offset = args
    guard var times = sampled.removeValue(forKey: key) else { return }
    try json.object("args") { (name, json) throws(ProfileError) in
      guard json.isName(name, "data"), json.next() == UInt8(ascii: "{") else { return try json.skip() }
      try piece(&json, &times.times)
    }
    sampled[key] = times
  }

  private mutating func piece(_ json: inout JSONCursor, _ times: inout SampledTimes) throws(ProfileError) {
    try json.object("data") { (name, json) throws(ProfileError) in
      if json.isName(name, "startTime") {
        times.start = try json.decimal("startTime", scale: 3)
      } else if json.isName(name, "endTime") {
        times.end = try json.decimal("endTime", scale: 3)
      } else if json.isName(name, "timeDeltas") {
        try times.take(deltas: &json)
      } else if json.isName(name, "samples") {
        try times.take(samples: &json)
      } else if json.isName(name, "nodes") {
        try times.nodes.take(&json, &profile)
      } else if json.isName(name, "cpuProfile"), json.next() == UInt8(ascii: "{") {
        try piece(&json, &times)
      } else {
        try json.skip()
      }
    }
  }

  private mutating func finish(_ json: JSONCursor) throws(ProfileError) {
    for key in sampledOrder {
      guard var entry = sampled[key], let row = lanes[entry.lane] else { continue }
      if let member = entry.times.append(to: &threads[row], of: &profile) { throw json.bad(member) }
    }
    for row in threads.indices where !spans[row].isEmpty {
      guard TraceSpan.append(spans[row], to: &threads[row], of: &profile) else {
        throw json.error(.tooDeep, ["limit": "\(Profile.deepest)"])
      }
    }
    for row in threads.indices { threads[row].processName = processNames[threads[row].process] ?? "" }
    profile.threads = threads.filter { $0.count > 0 }
  }
}
