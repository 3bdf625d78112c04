import MPaaSSupport

/// pprof's messages, not compressed any more.
///
/// Samples that have times of their own (`breakdown`) are taken apart again. Threads are told by labels: `thread_id` or
/// `tid`, `thread_name` or `thread`, `pid`, `comm`, and `state`.
/// - Source: google/pprof, `proto/profile.proto`.
struct PprofReader {
  private let file: String
  private let bytes: UnsafeRawBufferPointer
  private var profile: Profile
  /// Numbers in the profile of the file's strings.
  private var strings: [Int] = []
  private var tables = PprofTables()
  private var known = KnownStacks()
  private var threadRows: [PprofThread: Int] = [:]

  private init(_ bytes: UnsafeRawBufferPointer, file: String) {
    self.file = file
    self.bytes = bytes
    profile = Profile(name: file)
  }

  /// Reads a message.
  ///
  /// - Throws: `profile-bad-message` with the place in the message that was compressed; `profile-too-deep`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = PprofReader(bytes, file: file)
    do throws(ByteError) {
      try reader.readTables()
    } catch {
      throw reader.error(.badMessage, error.offset)
    }
    guard let scales = reader.readTypes() else { throw reader.error(.badMessage, 0) }
    guard reader.makeFrames() else { throw reader.error(.badMessage, 0) }
    try reader.readSamples(scales)
    return reader.profile
  }

  private mutating func readTables() throws(ByteError) {
    var fields = WireFields(bytes)
    while try fields.next() {
      switch (fields.number, fields.contents) {
      case (1, let contents?): tables.types.append(try PprofTables.pair(contents))
      case (3, let contents?): tables.mappings.append(try PprofTables.Mapping(contents))
      case (4, let contents?): tables.locations.append(try PprofTables.Location(contents))
      case (5, let contents?): tables.functions.append(try PprofTables.Function(contents))
      case (6, let contents?): strings.append(profile.string(contents))
      case (9, nil): profile.start = Int64(bitPattern: fields.value)
      case (10, nil): profile.duration = max(0, Int64(bitPattern: fields.value))
      case (12, nil): profile.period = max(0, Int64(bitPattern: fields.value))
      case (14, nil): tables.shown = fields.value
      default: break
      }
    }
  }

  /// The sample types; nil where one has a string that there is not.
  ///
  /// - Returns: The factor of each type's unit.
  private mutating func readTypes() -> [Int64]? {
    var types: [SampleType] = []
    var scales: [Int64] = []
    for (name, unit) in tables.types {
      guard let name = string(name), let unit = string(unit) else { return nil }
      let (known, scale) = Self.unit(profile.strings[unit])
      types.append(SampleType(profile.strings[name], known))
      scales.append(scale)
    }
    guard !types.isEmpty else { return nil }
    profile.types = types
    profile.shown = types.count - 1
    if tables.shown > 0, let shown = string(tables.shown) {
      profile.shown = types.firstIndex { $0.name == profile.strings[shown] } ?? profile.shown
    }
    return scales
  }

  private static func unit(_ name: String) -> (SampleUnit, Int64) {
    switch name {
    case "microseconds", "us": (.nanoseconds, 1000)
    case "milliseconds", "ms": (.nanoseconds, 1_000_000)
    case "seconds", "s": (.nanoseconds, 1_000_000_000)
    case "ns": (.nanoseconds, 1)
    default: (SampleUnit(name), 1)
    }
  }

  private func string(_ index: UInt64) -> Int? {
    index < UInt64(strings.count) ? strings[Int(index)] : index == 0 ? 0 : nil
  }

  /// Makes frames of the locations; false where one names what there is not.
  private mutating func makeFrames() -> Bool {
    var images: [UInt64: Int] = [:]
    for mapping in tables.mappings {
      guard let path = string(mapping.path), let id = string(mapping.id) else { return false }
      let whole = profile.strings[path]
      images[mapping.number] = profile.image(
        ProfileImage(
          name: whole.split(separator: "/").last.map(String.init) ?? whole, path: whole, uuid: profile.strings[id],
          start: mapping.start, end: mapping.end, offset: mapping.offset))
    }
    var functions: [UInt64: PprofTables.Function] = [:]
    for function in tables.functions {
      guard string(function.name) != nil, string(function.file) != nil else { return false }
      functions[function.number] = function
    }
    for location in tables.locations {
      let image = images[location.mapping]
      var frames: [Int32] = []
      for (number, line) in location.lines {
        guard let function = functions[number], let name = string(function.name), let file = string(function.file)
        else { return false }
        let row = profile.function(named: name, image: image, file: file, line: function.line)
        frames.append(
          Int32(truncatingIfNeeded: profile.frame(row, address: location.address, line: line)))
      }
      if frames.isEmpty {
        let name = "0x" + String(location.address, radix: 16)
        frames = [
          Int32(truncatingIfNeeded: profile.frame(profile.function(name, image: image), address: location.address))
        ]
      }
      tables.frames[location.number] = frames
    }
    tables.index()
    return true
  }

  private mutating func readSamples(_ scales: [Int64]) throws(ProfileError) {
    var fields = WireFields(bytes)
    var sample = PprofSample()
    while true {
      let place = fields.offset
      do throws(ByteError) {
        guard try fields.next() else { return }
        guard fields.number == 2, let contents = fields.contents else { continue }
        try sample.read(contents)
      } catch {
        throw self.error(.badMessage, place + error.offset)
      }
      let row = sample.ids.withUnsafeBytes { known.row(of: $0) }
      let stack: Int
      if let old = known[row] { stack = old } else { stack = try self.stack(sample.ids, at: place) }
      known[row] = stack
      guard sample.values.count == scales.count, scale(&sample, scales) else { throw error(.badWeight, place) }
      guard let (thread, state) = thread(of: sample) else { throw error(.badMessage, place) }
      guard append(sample, stack, state, scales, to: thread) else { throw error(.badMessage, place) }
    }
  }

  private func scale(_ sample: inout PprofSample, _ scales: [Int64]) -> Bool {
    for index in scales.indices where scales[index] != 1 {
      let (value, overflow) = sample.values[index].multipliedReportingOverflow(by: scales[index])
      if overflow { return false }
      sample.values[index] = value
    }
    return true
  }

  /// Location ids are given innermost first, and so are the lines of each.
  private mutating func stack(_ ids: [UInt64], at place: Int) throws(ProfileError) -> Int {
    var stack: Int?
    for id in ids.reversed() {
      guard let frames = tables.frames(of: id) else { throw error(.badMessage, place) }
      for frame in frames.reversed() { stack = profile.stack(on: stack, frame: Int(frame)) }
      if let stack, profile.stacks.depths[stack] > Profile.deepest { throw error(.tooDeep, place) }
    }
    return stack ?? -1
  }

  private func error(_ code: ProfileError.Code, _ offset: Int) -> ProfileError {
    ProfileError(
      code, ["file": file, "format": "pprof", "limit": "\(Profile.deepest)"],
      at: .bytes(file: file, offset: UInt64(max(0, offset))))
  }
}

extension PprofReader {
  /// The thread that a sample's labels tell, and its state; nil where a label has a string that there is not.
  private mutating func thread(of sample: PprofSample) -> (Int, SampleState)? {
    var key = PprofThread()
    var state = SampleState.unknown
    for label in sample.labels {
      guard let name = string(label.key), let text = string(label.text) else { return nil }
      switch profile.strings[name] {
      case "thread_id", "tid": key.id = label.number != 0 ? label.number : Int64(profile.strings[text]) ?? 0
      case "pid", "process_id": key.process = label.number != 0 ? label.number : Int64(profile.strings[text]) ?? 0
      case "thread_name", "thread", "thread_comm": key.name = text
      case "comm", "process_name": key.processName = text
      case "state":
        let word = profile.strings[text]
        state = word == "on-cpu" ? .onCPU : word == "off-cpu" ? .offCPU : .unknown
      default: break
      }
    }
    if let row = threadRows[key] { return (row, state) }
    let row = profile.addThread(
      ProfileThread(
        name: profile.strings[key.name], id: key.id, process: key.process,
        processName: profile.strings[key.processName]))
    threadRows[key] = row
    return (row, state)
  }

  /// Appends a sample: where it has times, one for each of them.
  private mutating func append(
    _ sample: PprofSample, _ stack: Int, _ state: SampleState, _ scales: [Int64], to thread: Int
  ) -> Bool {
    guard sample.ticks.count > 0 else {
      profile.threads[thread].append(stack: stack, weights: sample.values, state: state)
      return true
    }
    // One breakdown for each type, or the one for the first where all have the same number of events.
    guard sample.parts.count == scales.count, sample.parts.allSatisfy({ $0.count == sample.ticks.count }) else {
      profile.threads[thread].append(stack: stack, weights: sample.values, state: state)
      return true
    }
    for (event, time) in sample.ticks.enumerated() {
      let weights = scales.indices.map {
        sample.parts[$0][event].multipliedReportingOverflow(by: scales[$0]).partialValue
      }
      profile.threads[thread].append(stack: stack, weights: weights, time: time, state: state)
    }
    return true
  }
}
