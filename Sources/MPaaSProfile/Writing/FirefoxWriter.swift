/// A processed profile of Firefox's profiler: one set of tables for all threads, one list of samples for each.
///
/// - Source: firefox-devtools/profiler, `src/types/profile.ts` of version 62; samply's `fxprof-processed-profile`.
enum FirefoxWriter {
  static func bytes(_ profile: Profile) -> [UInt8] {
    var strings = profile.strings
    var text = TextBytes()
    text.text(#"{"meta":{"interval":"#)
    text.decimal(profile.period > 0 ? profile.period : 1_000_000, 6)
    text.text(#","startTime":"#)
    text.decimal(profile.start, 6)
    text.text(#","processType":0,"product":"#)
    text.quoted(profile.name)
    text.text(
      #","stackwalk":1,"version":24,"preprocessedProfileVersion":62,"symbolicated":true,"debug":false,"oscpu":"","#)
    text.text(#""usesOnlyOneStackType":true,"sourceCodeIsNotOnSearchfox":true,"pausedRanges":[],"markerSchema":[],"#)
    text.text(#""extensions":{"length":0,"id":[],"name":[],"baseURL":[]},"#)
    text.text(#""sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"µs"},"#)
    text.text(#""categories":[{"name":"Other","color":"grey","subcategories":["Other"]}]},"libs":"#)
    appendLibraries(profile, to: &text)
    text.text(#","pages":[],"profilerOverhead":[],"counters":[],"shared":{"#)
    appendStacks(profile, to: &text)
    appendFunctions(profile, &strings, to: &text)
    text.text(#","nativeSymbols":{"length":0,"address":[],"functionSize":[],"libIndex":[],"name":[]},"stringArray":"#)
    text.list(0..<strings.count) { row, text in text.quoted(strings[row]) }
    text.text(#"},"threads":["#)
    for (index, thread) in profile.threads.enumerated() {
      if index > 0 { text.byte(UInt8(ascii: ",")) }
      append(thread, index, profile, to: &text)
    }
    text.text("]}\n")
    return text.bytes
  }

  private static func appendLibraries(_ profile: Profile, to text: inout TextBytes) {
    text.list(profile.images) { image, text in
      text.text(#"{"arch":null,"name":"#)
      text.quoted(image.name)
      text.text(#","path":"#)
      text.quoted(image.path.isEmpty ? image.name : image.path)
      text.text(#","debugName":"#)
      text.quoted(image.name)
      text.text(#","debugPath":"#)
      text.quoted(image.path.isEmpty ? image.name : image.path)
      text.text(#","breakpadId":"","codeId":"#)
      if image.uuid.isEmpty { text.text("null") } else { text.quoted(image.uuid) }
      text.byte(UInt8(ascii: "}"))
    }
  }

  private static func appendStacks(_ profile: Profile, to text: inout TextBytes) {
    text.text(#""stackTable":{"length":"#)
    text.number(profile.stacks.count)
    text.text(#","frame":"#)
    text.list(profile.stacks.frames) { $1.number(Int64($0)) }
    text.text(#","prefix":"#)
    text.list(profile.stacks.prefixes) { prefix, text in
      if prefix < 0 { text.text("null") } else { text.number(Int64(prefix)) }
    }
    text.text(#"},"frameTable":{"length":"#)
    let frames = profile.frames
    text.number(frames.count)
    text.text(#","address":"#)
    text.list(0..<frames.count) { frame, text in text.number(address(frame, profile)) }
    text.text(#","func":"#)
    text.list(frames.functions) { $1.number(Int64($0)) }
    text.text(#","line":"#)
    text.list(frames.lines) { line, text in appendLine(line, to: &text) }
    for (name, value) in [
      ("inlineDepth", "0"), ("category", "0"), ("subcategory", "0"), ("nativeSymbol", "null"), ("innerWindowID", "0"),
      ("column", "null"),
    ] {
      appendColumn(name, value, frames.count, to: &text)
    }
    text.byte(UInt8(ascii: "}"))
  }

  /// Within the library, or -1.
  private static func address(_ frame: Int, _ profile: Profile) -> Int64 {
    let address = profile.frames.addresses[frame]
    guard address > 0, let image = profile.image(ofFunction: Int(profile.frames.functions[frame])) else { return -1 }
    return address >= image.start ? Int64(exactly: address - image.start) ?? -1 : -1
  }

  private static func appendFunctions(_ profile: Profile, _ strings: inout StringTable, to text: inout TextBytes) {
    let functions = profile.functions
    var files: [Int32: Int] = [:]
    var sources: [Int32] = []
    for file in functions.files where file > 0 && files[file] == nil {
      files[file] = sources.count
      sources.append(file)
    }
    text.text(#","funcTable":{"length":"#)
    text.number(functions.count)
    text.text(#","name":"#)
    text.list(functions.names) { $1.number(Int64($0)) }
    text.text(#","resource":"#)
    text.list(functions.images) { $1.number(Int64($0)) }
    text.text(#","source":"#)
    text.list(functions.files) { file, text in
      if let source = files[file] { text.number(source) } else { text.text("null") }
    }
    text.text(#","lineNumber":"#)
    text.list(functions.lines) { line, text in appendLine(line, to: &text) }
    for (name, value) in [("isJS", "false"), ("relevantForJS", "false"), ("columnNumber", "null")] {
      appendColumn(name, value, functions.count, to: &text)
    }
    text.text(#"},"sources":{"length":"#)
    text.number(sources.count)
    text.text(#","filename":"#)
    text.list(sources) { $1.number(Int64($0)) }
    for (name, value) in [("id", "null"), ("startLine", "1"), ("startColumn", "1"), ("sourceMapURL", "null")] {
      appendColumn(name, value, sources.count, to: &text)
    }
    text.text(#"},"resourceTable":{"length":"#)
    let names = profile.images.map { strings.add($0.name) }
    text.number(names.count)
    text.text(#","lib":"#)
    text.list(names.indices) { $1.number($0) }
    text.text(#","name":"#)
    text.list(names) { $1.number($0) }
    appendColumn("host", "null", names.count, to: &text)
    appendColumn("type", "1", names.count, to: &text)
    text.byte(UInt8(ascii: "}"))
  }

  private static func appendLine(_ line: Int32, to text: inout TextBytes) {
    if line > 0 { text.number(Int64(line)) } else { text.text("null") }
  }

  /// A column with one value in all rows.
  private static func appendColumn(_ name: String, _ value: String, _ count: Int, to text: inout TextBytes) {
    text.raw(",\"\(name)\":")
    text.list(0..<count) { $1.raw(value) }
  }

  private static func append(_ thread: ProfileThread, _ index: Int, _ profile: Profile, to text: inout TextBytes) {
    text.text(#"{"processType":"default","processStartupTime":0,"processShutdownTime":null,"registerTime":0,"#)
    text.text(#""unregisterTime":null,"pausedRanges":[],"showMarkersInTimeline":false,"isMainThread":"#)
    text.raw(thread.id == thread.process || index == 0 ? "true" : "false")
    text.text(#","name":"#)
    text.quoted(thread.name.isEmpty ? thread.title : thread.name)
    text.text(#","processName":"#)
    text.quoted(thread.processName.isEmpty ? profile.name : thread.processName)
    text.raw(",\"pid\":\"\(thread.process)\",\"tid\":\"\(thread.id == 0 ? Int64(index) : thread.id)\",")
    text.text(#""markers":{"length":0,"category":[],"data":[],"endTime":[],"name":[],"phase":[],"startTime":[]},"#)
    text.text(#""samples":{"length":"#)
    text.number(thread.count)
    text.text(#","stack":"#)
    text.list(thread.stacks) { stack, text in
      if stack < 0 { text.text("null") } else { text.number(Int64(stack)) }
    }
    appendTimes(thread, profile, to: &text)
    let unit = profile.type.unit
    let count = profile.types.count
    text.text(#","weight":"#)
    text.list(0..<thread.count) { sample, text in
      let weight = thread.weights[sample &* count &+ profile.shown]
      if unit == .nanoseconds { text.decimal(weight, 6) } else { text.number(weight) }
    }
    text.text(#","weightType":"#)
    text.quoted(unit == .nanoseconds ? "tracing-ms" : unit == .bytes ? "bytes" : "samples")
    text.text("}}")
  }

  /// Milliseconds from each sample to the next; without times they are as far apart as they weigh.
  private static func appendTimes(_ thread: ProfileThread, _ profile: Profile, to text: inout TextBytes) {
    let timeline = thread.isTimed ? nil : ProfileTimeline(thread, of: profile)
    let times = thread.isTimed ? thread.times : timeline?.starts ?? []
    text.text(#","timeDeltas":"#)
    var last: Int64 = 0
    text.list(0..<thread.count) { sample, text in
      let time = times.isEmpty ? Int64(sample) : times[sample]
      text.decimal(time.subtractingReportingOverflow(last).partialValue, 6)
      last = time
    }
  }
}
