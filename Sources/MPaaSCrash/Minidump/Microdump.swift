import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// A microdump: what Breakpad writes into Android's log where no file can be written, as lines of text.
///
/// Lines begin with a letter: `O` system, `R` reason, `P` process type, `G` GPU, `S` stack, `C` context, `M` module,
/// `H` and `L` figures about memory, `X`… others, which are kept.
///
/// - Source: Breakpad, `src/client/linux/microdump_writer/microdump_writer.cc`, `src/processor/microdump.cc`.
enum Microdump {
  private static let begin = "-----BEGIN BREAKPAD MICRODUMP-----"
  private static let end = "-----END BREAKPAD MICRODUMP-----"

  static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // JSON is no log, and most reports are JSON.
    if IPSReader.recognises(bytes) { return false }
    let head = bytes.prefix(64 << 10)
    var rest = head[...]
    // The marker's dashes are rare in other files, so few places are looked at.
    while let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
      rest = rest[dash...]
      if rest.starts(with: begin.utf8) { return true }
      rest = rest.drop { $0 == UInt8(ascii: "-") }
    }
    return false
  }

  static func read(
    _ bytes: UnsafeRawBufferPointer, unwind: (CrashReport.Image) -> UnwindFile? = { _ in nil }
  ) throws(MinidumpError) -> CrashReport {
    guard recognises(bytes) else { throw MinidumpError(.badMagic, offset: 0) }
    var reader = MicrodumpReader()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      reader.add(Substring(decoding: line, as: UTF8.self))
      if reader.isDone { break }
    }
    guard reader.hasContents else { throw MinidumpError(.noContents, offset: 0) }
    return reader.report(unwind)
  }

  /// The text of a line behind the log's own words; nil for lines of others.
  static func payload(_ line: Substring) -> (text: Substring, isMarker: Bool)? {
    let line = line.hasSuffix("\r") ? line.dropLast() : line
    if line.hasSuffix(begin) { return (Substring(begin), true) }
    if line.hasSuffix(end) { return (Substring(end), true) }
    guard let tag = line.range(of: "google-breakpad") else { return nil }
    guard let colon = line[tag].firstIndex(of: ":") else { return nil }
    return (line[line.index(after: colon)...].drop { $0 == " " }, false)
  }
}

extension Substring {
  /// From the first place where a word stands to the end; nil where it does not.
  fileprivate func range(of word: String) -> Range<Index>? {
    var rest = self
    while let first = rest.firstIndex(of: "g") {
      rest = rest[first...]
      if rest.hasPrefix(word) { return first..<endIndex }
      rest = rest.dropFirst()
    }
    return nil
  }
}

/// Collects the lines of one microdump.
private struct MicrodumpReader {
  private(set) var isDone = false
  private var isOpen = false
  private var architecture = ""
  private var reason: [Substring] = []
  private var stack: [UInt8] = []
  private var stackStart: UInt64?
  private var context: [UInt8] = []
  private var crashReport = CrashReport()
  private var extra: JSONValue.Object = [:]
  private var others: [JSONValue] = []

  var hasContents: Bool { !crashReport.images.isEmpty || !context.isEmpty }

  mutating func add(_ line: Substring) {
    guard let (text, isMarker) = Microdump.payload(line) else { return }
    if isMarker {
      isDone = isOpen
      isOpen = true
      return
    }
    guard isOpen, let letter = text.first else { return }
    let words = text.split(separator: " ").dropFirst()
    switch letter {
    case "O": system(Array(words))
    case "R": reason = Array(words)
    case "S": addStack(Array(words))
    case "C": context += words.first.flatMap { [UInt8](hexadecimal: String($0)) } ?? []
    case "M": module(Array(words))
    case "V": crashReport.application.version = String(words.joined(separator: " "))
    default: others.append(.string(String(text)))
    }
  }

  /// `O A arm64 02 aarch64 OS 64 VERSION INFO`: system, processor, processors, machine, version.
  private mutating func system(_ words: [Substring]) {
    extra["system"] = .string(words.joined(separator: " "))
    guard words.count >= 3 else { return }
    crashReport.system.name = words[0] == "A" ? "Android" : "Linux"
    architecture = String(words[1])
    extra["number_of_processors"] = Int(words[2], radix: 16).map { JSONValue($0) }
    crashReport.system.version = words.dropFirst(4).joined(separator: " ")
  }

  /// `S 0 SP START SIZE` opens a stack; `S ADDRESS BYTES` adds to it.
  private mutating func addStack(_ words: [Substring]) {
    if words.count == 4 {
      extra["stack"] = [
        "sp": .string(String(words[1])), "start": .string(String(words[2])), "size": .string(String(words[3])),
      ]
      return
    }
    guard words.count == 2, let address = UInt64(words[0], radix: 16),
      let bytes = [UInt8](hexadecimal: String(words[1])),
      stack.count + bytes.count <= 1 << 20
    else { return }
    let start = stackStart ?? address
    stackStart = start
    // Parts that lost a line between them end the stack.
    if address == start &+ UInt64(stack.count) { stack += bytes }
  }

  /// `M BASE OFFSET SIZE DEBUGID NAME`.
  private mutating func module(_ words: [Substring]) {
    guard words.count >= 5, crashReport.images.count < 1 << 16, let base = UInt64(words[0], radix: 16),
      let size = UInt64(words[2], radix: 16)
    else { return }
    let id = [UInt8](hexadecimal: String(words[3].prefix(32))) ?? []
    // The identifier is a GUID of the build ID's first bytes, three numbers of which are swapped.
    let swapped = id.count == 16 ? [3, 2, 1, 0, 5, 4, 7, 6].map { id[$0] } + id[8...] : []
    var image = CrashReport.Image(
      base: base, size: size, buildID: swapped.hexadecimal, path: words.dropFirst(4).joined(separator: " "),
      architecture: architecture, slide: base)
    image.extra["minidump"] = ["debug_id": .string(String(words[3])), "file_offset": .string(String(words[1]))]
    crashReport.images.append(image)
  }

  private var processor: UInt16 {
    switch architecture {
    case "arm": 5
    case "arm64", "aarch64": 12
    case "x86", "i686": 0
    case "x86_64": 9
    case "mips": 1
    case "mips64": 0x8004
    default: 0xffff
    }
  }

  mutating func report(_ unwind: (CrashReport.Image) -> UnwindFile?) -> CrashReport {
    let system = MinidumpSystem(processor: processor, platform: 0x8203)
    crashReport.origin = .foreign
    crashReport.process.cpuType = system.cpuType
    crashReport.process.path = crashReport.images.first?.path ?? ""
    crashReport.process.name = crashReport.images.first?.name ?? ""
    crashReport.application.name = crashReport.process.name
    crashReport.faultingThread = 0
    addReason()
    if !isDone {
      crashReport.isPartial = true
      crashReport.notes.append("The microdump has no end: lines of the log are missing.")
    }
    extra["microdump"] = true
    if !others.isEmpty { extra["lines"] = .array(others) }
    crashReport.threads = [thread(system, unwind)]
    crashReport.extra["minidump"] = .object(extra)
    return crashReport
  }

  /// `R 0000000B SIGSEGV FAULTADDRESS` or with the code's name between; older writers have no such line.
  private mutating func addReason() {
    let code = reason.first.flatMap { UInt32($0, radix: 16) }
    extra["reason"] = reason.isEmpty ? nil : .string(reason.joined(separator: " "))
    guard let code, code != 0xffff_ffff else {
      crashReport.kind = reason.isEmpty ? .crash : .other
      return
    }
    var exception = CrashReport.Exception(
      signal: Int32(truncatingIfNeeded: code), code: 0, address: 0, sender: 0, table: .linux)
    exception.codeName = nil
    exception.senderPID = nil
    exception.address = reason.count > 2 ? reason.last.flatMap { UInt64($0, radix: 16) } : nil
    crashReport.exception = exception
  }

  private mutating func thread(_ system: MinidumpSystem, _ unwind: (CrashReport.Image) -> UnwindFile?)
    -> CrashReport.Thread
  {
    var thread = CrashReport.Thread(id: 0)
    let (context, stack, start) = (context, stack, stackStart ?? 0)
    thread.extra["minidump"] = ["context": .base64(context), "stack": .base64(stack)]
    context.withUnsafeBytes { context in
      guard let found = MinidumpContext(context, processor: system.processor, isApple: false, isBigEndian: false)
      else { return }
      thread.registers = found.registers
      stack.withUnsafeBytes { stack in
        let range = MinidumpMemory.Range(start: start, bytes: stack)
        let walk = DumpWalk(
          images: &crashReport.images, unwind: unwind, isWindows: false,
          memory: MinidumpMemory([range], isBigEndian: false),
          mappings: [])
        walk.fill(&thread, found, stack: range)
      }
    }
    return thread
  }
}
