import MPaaSSupport

/// The text that `perf script` prints: a line that says which thread was sampled when, and a line for each frame,
/// innermost first.
///
/// ```
/// orders  4711/4713  [001]  8123.456789:     250000 cpu-clock:u:
///     5581a2c1139a checksum+0x1a (/usr/bin/orders)
/// ```
/// Samples count once, and by their period for the event. Where several events were recorded, each has a sample type.
/// - Source: perf-script(1); tools/perf/builtin-script.c, `perf_sample__fprintf_start`.
struct PerfScriptReader {
  private let file: String
  private var profile: Profile
  private var samples: [Sample] = []
  private var threads: [ProfileThread] = []
  private var threadRows: [ThreadKey: Int] = [:]
  private var events: [String] = []
  private var images: [String: Int] = [:]
  private var known = KnownStacks()
  private var isTimed = true
  private static let mostEvents = 32

  private struct ThreadKey: Hashable {
    let process: Int64
    let thread: Int64
    let name: String
  }

  private struct Sample {
    let thread: Int
    let time: Int64?
    let period: Int64
    let event: Int
    var stack = -1
  }

  private init(file: String) {
    self.file = file
    profile = Profile(name: file)
  }

  /// Reads a file.
  ///
  /// - Throws: `profile-bad-line` for a line that is neither a head nor a frame; `profile-too-deep`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = PerfScriptReader(file: file)
    var lines = TextLines(bytes)
    while true {
      let start = lines.offset
      guard let line = lines.next() else { break }
      if line.isEmpty || line[0] == UInt8(ascii: "#") { continue }
      guard line[0] != 0x20, line[0] != 0x09, var sample = reader.head(line) else {
        throw reader.error(.badLine, lines.number(at: start))
      }
      sample.stack = try reader.stack(in: &lines)
      reader.samples.append(sample)
    }
    return reader.assembled()
  }

  /// The stack of the lines up to an empty one, or up to one that is not moved in; -1 where there is none.
  private mutating func stack(in lines: inout TextLines) throws(ProfileError) -> Int {
    let start = lines.offset
    let block = lines.block()
    let row = known.row(of: block)
    if let stack = known[row] { return stack }
    var frames: [Int] = []
    var inner = TextLines(block)
    var isWhole = true
    while true {
      let place = inner.offset
      guard let line = inner.next() else { break }
      guard let first = line.first, first == 0x20 || first == 0x09 else {
        // Samples without frames follow each other without an empty line between.
        lines.offset = start + place
        isWhole = false
        break
      }
      let text = line.trimmed
      if text.isEmpty { continue }
      guard let frame = frame(text) else { throw error(.badLine, lines.number(at: start + place)) }
      guard frames.count < Profile.deepest else { throw error(.tooDeep, lines.number(at: start + place)) }
      frames.append(frame)
    }
    var stack: Int?
    for frame in frames.reversed() { stack = profile.stack(on: stack, frame: frame) }
    if isWhole { known[row] = stack ?? -1 }
    return stack ?? -1
  }

  /// `5581a2c1139a checksum+0x1a (/usr/bin/orders)`; names may have blanks and brackets.
  private mutating func frame(_ text: UnsafeRawBufferPointer) -> Int? {
    guard let blank = text.firstIndex(where: { $0 == 0x20 || $0 == 0x09 }),
      let address = text.part(0..<blank).hexadecimalNumber
    else { return nil }
    var rest = text.part(blank + 1..<text.count).trimmed
    var image: Int?
    if rest.last == UInt8(ascii: ")"), let open = Self.open(rest) {
      let path = String(decoding: rest.part(open + 1..<rest.count - 1), as: UTF8.self)
      if path != "inlined" { image = self.image(path) }
      rest = rest.part(0..<open).trimmed
    }
    if let plus = rest.lastIndex(of: UInt8(ascii: "+")), rest.part(plus + 1..<rest.count).hexadecimalNumber != nil,
      rest.count > plus + 2, rest[plus + 1] == UInt8(ascii: "0")
    {
      rest = rest.part(0..<plus)
    }
    var name = String(decoding: rest, as: UTF8.self)
    if name.isEmpty || name == "[unknown]" { name = "0x" + String(address, radix: 16) }
    return profile.frame(profile.function(name, image: image), address: address)
  }

  /// The bracket that opens what the last one closes; paths may have brackets in them.
  private static func open(_ text: UnsafeRawBufferPointer) -> Int? {
    var depth = 0
    for place in text.indices.reversed() {
      if text[place] == UInt8(ascii: ")") { depth += 1 }
      if text[place] == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return nil
  }

  private mutating func image(_ path: String) -> Int? {
    if path.isEmpty || path == "[unknown]" { return nil }
    if let image = images[path] { return image }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let image = profile.image(ProfileImage(name: name, path: path))
    images[path] = image
    return image
  }

  /// Nanoseconds of a clock, or what the event counts.
  private func assembled() -> Profile {
    var profile = profile
    let counted = events.map { name in
      let isClock = name.hasPrefix("cpu-clock") || name.hasPrefix("task-clock")
      return SampleType(name, isClock ? .nanoseconds : .count)
    }
    profile.types = [.samples] + counted
    profile.shown = 0
    let first = samples.compactMap(\.time).min() ?? 0
    var threads = threads
    for sample in samples {
      let periods = events.indices.map { $0 == sample.event ? sample.period : 0 }
      threads[sample.thread].append(
        stack: sample.stack, weights: [1] + periods, time: isTimed ? sample.time.map { $0 - first } : nil)
    }
    profile.threads = threads
    if isTimed, let last = samples.compactMap(\.time).max() { profile.duration = last - first }
    return profile
  }

  private func error(_ code: ProfileError.Code, _ line: Int) -> ProfileError {
    ProfileError(
      code, ["file": file, "format": "perf script", "limit": "\(Profile.deepest)"],
      at: .text(file: file, line: line, column: nil))
  }
}

extension PerfScriptReader {
  /// `comm pid/tid [cpu] seconds: period event:modifiers:`; the command's name may have blanks, and all behind the
  /// numbers may be missing.
  private mutating func head(_ line: UnsafeRawBufferPointer) -> Sample? {
    let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
    // The first word of numbers behind the first word; whatever is before it is the command.
    guard
      let place = words.indices.dropFirst().first(where: { Self.numbers(words[$0]) != nil }),
      let (first, second) = Self.numbers(words[place])
    else { return nil }
    let name = String(decoding: line.part(0..<words[place].startIndex).trimmed, as: UTF8.self)
    var rest = words[(place + 1)...]
    if let word = rest.first, word.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
    var time: Int64?
    if let word = rest.first, word.last == UInt8(ascii: ":"), word.count > 1 {
      time = DecimalText.scaled(UnsafeRawBufferPointer(rebasing: word.dropLast()), by: 9)
      if time != nil { rest = rest.dropFirst() }
    }
    isTimed = isTimed && time != nil
    var period: Int64 = 1
    if let word = rest.first, let value = UnsafeRawBufferPointer(rebasing: word).wholeNumber {
      period = value
      rest = rest.dropFirst()
    }
    guard let event = event(rest.first) else { return nil }
    let key = ThreadKey(process: first, thread: second ?? first, name: name)
    return Sample(thread: thread(key), time: time, period: period, event: event)
  }

  private static func numbers(_ word: UnsafeRawBufferPointer.SubSequence) -> (Int64, Int64?)? {
    let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = UnsafeRawBufferPointer(rebasing: parts[0]).wholeNumber else { return nil }
    guard parts.count == 2 else { return (first, nil) }
    return UnsafeRawBufferPointer(rebasing: parts[1]).wholeNumber.map { (first, $0) }
  }

  private mutating func thread(_ key: ThreadKey) -> Int {
    if let row = threadRows[key] { return row }
    threads.append(ProfileThread(name: key.name, id: key.thread, process: key.process))
    threadRows[key] = threads.count - 1
    return threads.count - 1
  }

  /// The event of a word such as `cycles:u:` or `sched:sched_switch:`; nil where there are too many.
  private mutating func event(_ word: UnsafeRawBufferPointer.SubSequence?) -> Int? {
    var parts = word.map { String(decoding: $0, as: UTF8.self) }?.split(separator: ":").map(String.init) ?? []
    // Modifiers, which say which modes are counted and how precisely.
    if parts.count > 1, let last = parts.last, last.allSatisfy("ukhGHpPSDWeIb".contains) { parts.removeLast() }
    let event = parts.isEmpty ? "events" : parts.joined(separator: ":")
    if let row = events.firstIndex(of: event) { return row }
    guard events.count < Self.mostEvents else { return nil }
    events.append(event)
    return events.count - 1
  }
}
