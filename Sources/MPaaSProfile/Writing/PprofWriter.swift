/// pprof's message: what has the same stack, thread and state is one sample, and where times are known, its events are
/// told by `breakdown`, so that nothing of a profile is lost.
///
/// - Source: google/pprof, `proto/profile.proto`.
struct PprofWriter {
  private let profile: Profile
  private var strings: StringTable
  private var output = WireBytes()
  private let words: Words

  /// Numbers of the strings of labels.
  private struct Words {
    let id, name, process, command, state, onCPU, offCPU: Int

    init(_ strings: inout StringTable) {
      id = strings.add("thread_id")
      name = strings.add("thread_name")
      process = strings.add("pid")
      command = strings.add("comm")
      state = strings.add("state")
      onCPU = strings.add("on-cpu")
      offCPU = strings.add("off-cpu")
    }
  }

  private init(_ profile: Profile) {
    self.profile = profile
    strings = profile.strings
    words = Words(&strings)
  }

  /// The message, not compressed.
  static func bytes(_ profile: Profile) -> [UInt8] {
    var writer = PprofWriter(profile)
    for type in profile.types { writer.output.message(1, writer.pair(type.name, type.unit.name)) }
    for thread in profile.threads { writer.append(thread) }
    writer.appendMappings()
    writer.appendLocations()
    writer.appendFunctions()
    let shown = writer.strings.add(profile.type.name)
    let nanoseconds = writer.strings.add(SampleUnit.nanoseconds.name)
    let comment = profile.name.isEmpty ? 0 : writer.strings.add(profile.name)
    let period = profile.period > 0 ? writer.pair("wall", SampleUnit.nanoseconds.name) : nil
    for row in 0..<writer.strings.count {
      writer.strings.withBytes(row) { writer.output.contents(6, $0) }
    }
    writer.output.number(9, profile.start)
    writer.output.number(10, profile.duration)
    if let period { writer.output.message(11, period) }
    writer.output.number(12, profile.period)
    if comment > 0 { writer.output.packed(13, [UInt64(comment)]) }
    writer.output.number(14, UInt64(shown))
    writer.output.number(15, UInt64(nanoseconds))
    return writer.output.bytes
  }

  private mutating func pair(_ name: String, _ unit: String) -> WireBytes {
    var pair = WireBytes()
    pair.number(1, UInt64(strings.add(name)))
    pair.number(2, UInt64(strings.add(unit)))
    return pair
  }

  /// Samples of a thread by stack and state.
  private mutating func append(_ thread: ProfileThread) {
    let groups = SampleGroups(thread, stacks: profile.stacks.count, types: profile.types.count)
    let told = SampleState.allCases.map { labels(of: thread, $0) }
    var ids: [UInt64] = []
    for (rank, key) in groups.keys.enumerated() {
      var sample = WireBytes()
      let (stack, state) = key.quotientAndRemainder(dividingBy: SampleState.allCases.count)
      ids.removeAll(keepingCapacity: true)
      var row = stack - 1
      while row >= 0 {
        ids.append(UInt64(profile.stacks.frames[row]) + 1)
        row = Int(profile.stacks.prefixes[row])
      }
      sample.packed(1, ids)
      append(groups, rank, to: &sample)
      sample.append(told[state])
      output.message(2, sample)
    }
  }

  private func append(_ groups: SampleGroups, _ rank: Int, to sample: inout WireBytes) {
    let events = groups.starts[rank]..<groups.starts[rank + 1]
    let count = profile.types.count
    sample.packed(
      2,
      (0..<count).map { type in
        UInt64(bitPattern: events.reduce(0) { $0.addingSaturating(groups.weights[$1 &* count &+ type]) })
      })
    guard !groups.times.isEmpty else { return }
    for type in 0..<count {
      var part = WireBytes()
      part.packed(1, groups.times[events].lazy.map { UInt64(bitPattern: $0) })
      part.packed(2, events.lazy.map { UInt64(bitPattern: groups.weights[$0 &* count &+ type]) })
      sample.message(4, part)
    }
  }

  private mutating func labels(of thread: ProfileThread, _ state: SampleState) -> WireBytes {
    var labels = WireBytes()
    func append(_ key: Int, text: Int = 0, number: Int64 = 0) {
      guard text > 0 || number != 0 else { return }
      var label = WireBytes()
      label.number(1, UInt64(key))
      label.number(2, UInt64(text))
      label.number(3, number)
      labels.message(3, label)
    }
    append(words.name, text: strings.add(thread.name))
    append(words.id, number: thread.id)
    append(words.process, number: thread.process)
    append(words.command, text: strings.add(thread.processName))
    append(words.state, text: state == .onCPU ? words.onCPU : state == .offCPU ? words.offCPU : 0)
    return labels
  }

  private mutating func appendMappings() {
    for (row, image) in profile.images.enumerated() {
      var mapping = WireBytes()
      mapping.number(1, UInt64(row + 1))
      mapping.number(2, image.start)
      mapping.number(3, image.end)
      mapping.number(4, image.offset)
      mapping.number(5, UInt64(strings.add(image.path.isEmpty ? image.name : image.path)))
      mapping.number(6, UInt64(strings.add(image.uuid)))
      mapping.number(7, UInt64(1))
      output.message(3, mapping)
    }
  }

  private mutating func appendLocations() {
    for frame in 0..<profile.frames.count {
      let function = profile.frames.functions[frame]
      var line = WireBytes()
      line.number(1, UInt64(function) + 1)
      line.number(2, Int64(profile.frames.lines[frame]))
      var location = WireBytes()
      location.number(1, UInt64(frame + 1))
      location.number(2, UInt64(profile.functions.images[Int(function)] + 1))
      location.number(3, profile.frames.addresses[frame])
      location.message(4, line)
      output.message(4, location)
    }
  }

  private mutating func appendFunctions() {
    let functions = profile.functions
    for row in 0..<functions.count {
      var function = WireBytes()
      function.number(1, UInt64(row + 1))
      function.number(2, UInt64(functions.names[row]))
      function.number(3, UInt64(functions.names[row]))
      function.number(4, UInt64(functions.files[row]))
      function.number(5, Int64(functions.lines[row]))
      output.message(5, function)
    }
  }
}
