import MPaaSSupport

/// A trace of Perfetto: a `StackSample` for each sample, with its stack by number and its weights as they are.
///
/// Of the packets that Perfetto has for stacks this one alone has a weight: `PerfSample` counts each sample once, and
/// slices of tracks would show stretches of time that nothing measured. It is of Perfetto 55 and later.
/// - Source: perfetto, `protos/perfetto/trace/profiling/stack_sample.proto`, `profile_common.proto`, `trace_packet.proto`.
struct PerfettoWriter {
  private let profile: Profile
  private var output = WireBytes()
  /// Numbers of threads, which Perfetto tells apart by them.
  private var threadIDs: [Int64] = []

  /// Fields of `TracePacket`.
  private enum Packet {
    static let processTree: UInt64 = 2
    static let timestamp: UInt64 = 8
    static let sequence: UInt64 = 10
    static let internedData: UInt64 = 12
    static let sequenceFlags: UInt64 = 13
    static let defaults: UInt64 = 59
    static let stackSample: UInt64 = 135
  }

  private init(_ profile: Profile) {
    self.profile = profile
    var taken: Set<Int64> = []
    for thread in profile.threads {
      var id = thread.id
      if !(1...Int64(Int32.max)).contains(id) || taken.contains(id) { id = 1_000_000 }
      while !taken.insert(id).inserted { id += 1 }
      threadIDs.append(id)
    }
  }

  /// - Throws: `profile-bad-weight` for weights below 0.
  static func bytes(_ profile: Profile) throws(ProfileError) -> [UInt8] {
    var writer = PerfettoWriter(profile)
    writer.appendThreads()
    writer.appendTables()
    for (index, thread) in profile.threads.enumerated() { try writer.append(thread, index) }
    return writer.output.bytes
  }

  private func process(_ thread: ProfileThread) -> Int64 {
    (1...Int64(Int32.max)).contains(thread.process) ? thread.process : 1
  }

  private mutating func appendThreads() {
    var tree = WireBytes()
    var known: Set<Int64> = []
    for (thread, id) in zip(profile.threads, threadIDs) {
      let number = process(thread)
      if known.insert(number).inserted {
        var entry = WireBytes()
        entry.number(1, number)
        entry.string(3, thread.processName.isEmpty ? profile.name : thread.processName)
        tree.message(1, entry)
      }
      var entry = WireBytes()
      entry.number(1, id)
      entry.string(2, thread.name)
      entry.number(3, number)
      tree.message(2, entry)
    }
    var packet = WireBytes()
    packet.message(Packet.processTree, tree)
    packet.number(Packet.sequence, UInt64(1))
    output.message(1, packet)
  }

  /// The tables that samples name rows of, and the weights' meaning.
  private mutating func appendTables() {
    var data = WireBytes()
    for row in 0..<profile.functions.count { data.message(5, text(row + 1, profile.name(ofFunction: row))) }
    for (row, image) in profile.images.enumerated() {
      data.message(16, text(row + 1, image.uuid))
      data.message(17, text(row + 1, image.path.isEmpty ? image.name : image.path))
      var mapping = WireBytes()
      mapping.number(1, UInt64(row + 1))
      mapping.number(2, UInt64(row + 1))
      mapping.number(3, image.offset)
      mapping.number(4, image.start)
      mapping.number(5, image.end)
      mapping.number(7, UInt64(row + 1))
      data.message(19, mapping)
    }
    for file in Set(profile.functions.files).sorted() where file > 0 {
      data.message(18, text(Int(file), profile.strings[Int(file)]))
    }
    for frame in 0..<profile.frames.count { data.message(6, self.frame(frame)) }
    appendStacks(to: &data)
    for (index, thread) in profile.threads.enumerated() {
      var context = WireBytes()
      context.number(1, UInt64(index + 1))
      context.number(2, process(thread))
      context.number(3, threadIDs[index])
      data.message(48, context)
    }
    var packet = WireBytes()
    packet.number(Packet.sequence, UInt64(1))
    // All that was said before on this sequence is forgotten.
    packet.number(Packet.sequenceFlags, UInt64(1))
    packet.message(Packet.internedData, data)
    packet.message(Packet.defaults, defaults())
    output.message(1, packet)
  }

  private func text(_ id: Int, _ text: String) -> WireBytes {
    var entry = WireBytes()
    entry.number(1, UInt64(id))
    entry.string(2, text)
    return entry
  }

  private func frame(_ row: Int) -> WireBytes {
    let function = Int(profile.frames.functions[row])
    var frame = WireBytes()
    frame.number(1, UInt64(row + 1))
    frame.number(2, UInt64(function + 1))
    if let image = profile.image(ofFunction: function) {
      frame.number(3, UInt64(profile.functions.images[function]) + 1)
      let address = profile.frames.addresses[row]
      // A frame in a mapping must have an address, be it 0.
      frame.varint(4 << 3)
      frame.varint(address >= image.start ? address - image.start : address)
    }
    frame.number(5, UInt64(profile.functions.files[function]))
    frame.number(6, UInt64(max(profile.frames.lines[row], 0)))
    return frame
  }

  private func appendStacks(to data: inout WireBytes) {
    var isUsed = [Bool](repeating: false, count: profile.stacks.count)
    for thread in profile.threads { for stack in thread.stacks where stack >= 0 { isUsed[Int(stack)] = true } }
    var frames: [UInt64] = []
    for stack in isUsed.indices where isUsed[stack] {
      frames.removeAll(keepingCapacity: true)
      var next = stack
      while next >= 0 {
        frames.append(UInt64(profile.stacks.frames[next]) + 1)
        next = Int(profile.stacks.prefixes[next])
      }
      var entry = WireBytes()
      entry.number(1, UInt64(stack + 1))
      // Not packed, as proto2 has it.
      for frame in frames.reversed() { entry.number(2, frame) }
      data.message(7, entry)
    }
  }

  /// The counters that all samples share: the type that is shown, then the others.
  private func defaults() -> WireBytes {
    var samples = WireBytes()
    samples.string(1, "mpaas")
    for (place, type) in profile.typesInOrder.enumerated() {
      var counter = WireBytes()
      counter.string(2, profile.types[type].name)
      switch profile.types[type].unit {
      case .nanoseconds: counter.number(3, UInt64(1))
      case .bytes: counter.number(3, UInt64(4))
      case .count: counter.number(3, UInt64(9))
      case let unit: counter.string(4, unit.name)
      }
      samples.message(place == 0 ? 2 : 3, counter)
    }
    var defaults = WireBytes()
    defaults.message(100, samples)
    return defaults
  }

  private mutating func append(_ thread: ProfileThread, _ index: Int) throws(ProfileError) {
    let timeline = thread.isTimed ? nil : ProfileTimeline(thread, of: profile)
    let times = thread.isTimed ? thread.times : timeline?.starts ?? []
    let types = profile.typesInOrder
    var sample = WireBytes()
    var packet = WireBytes()
    for place in 0..<thread.count {
      sample.clear()
      sample.number(2, UInt64(index + 1))
      sample.number(6, UInt64(Int64(thread.stacks[place]) + 1))
      for (rank, type) in types.enumerated() {
        let weight = thread.weights[place &* types.count &+ type]
        guard weight >= 0 else { throw ProfileError(.badWeight, ["file": profile.name, "format": "perfetto"]) }
        // Weights of 0 stand for themselves, each in its place.
        sample.varint(rank == 0 ? 11 << 3 : 14 << 3)
        sample.varint(UInt64(weight))
      }
      packet.clear()
      packet.number(Packet.timestamp, UInt64(max(0, times.isEmpty ? Int64(place) : times[place])))
      packet.number(Packet.sequence, UInt64(1))
      packet.number(Packet.sequenceFlags, UInt64(2))
      packet.message(Packet.stackSample, sample)
      output.message(1, packet)
    }
  }
}
