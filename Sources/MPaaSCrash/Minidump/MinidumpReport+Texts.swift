import MPaaSCrashReport
import MPaaSSupport

/// The files of `/proc` and others that Breakpad copies whole into dumps on Linux.
extension MinidumpReport {
  mutating func readTexts() {
    let texts: [(UInt32, String)] = [
      (0x4767_0003, "linux_cpu_info"), (0x4767_0004, "linux_proc_status"), (0x4767_0005, "linux_lsb_release"),
      (0x4767_0009, "linux_maps"), (0x4d7a_0003, "linux_limits"), (0x4d7a_0004, "soft_errors"), (10, "comment_a"),
    ]
    for (type, name) in texts {
      guard let part = part(type) else { continue }
      let text = String(utf8: part)
      extra[name] = .string(text)
      apply(text, name)
    }
    for (type, name) in [(0x4767_0006 as UInt32, "linux_cmd_line"), (0x4767_0007, "linux_environ")] {
      guard let part = part(type) else { continue }
      let words = part.split(separator: 0).map { JSONValue.string(String(decoding: $0, as: UTF8.self)) }
      extra[name] = .array(words)
    }
    readAuxiliaryVector()
    readSharedObjects()
    readMemoryInfo()
  }

  private mutating func part(_ type: UInt32) -> UnsafeRawBufferPointer? {
    let longest = 4 << 20
    guard let stream = file.stream(type) else { return nil }
    taken.insert(type)
    if stream.size > longest { file.problem("a text of \(stream.size) bytes is kept as far as its first 4 MiB") }
    return file.part(at: stream.offset, size: min(stream.size, longest), of: "a text")
  }

  private mutating func apply(_ text: String, _ name: String) {
    switch name {
    case "linux_proc_status": applyStatus(text)
    case "linux_lsb_release": applyRelease(text)
    case "linux_maps": applyMaps(text)
    default: break
    }
  }

  /// `Name:\torderbook` and so on.
  private mutating func applyStatus(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let first = value.prefix { $0 != "\t" && $0 != " " }
      switch line[..<colon] {
      case "Name": report.process.name = String(value)
      case "Pid": if report.process.pid == 0 { report.process.pid = Int32(first) ?? 0 }
      case "PPid": report.process.parentPID = Int32(first)
      case "Uid": report.process.userID = UInt32(first)
      case "VmRSS": report.process.residentMemory = UInt64(first).flatMap { $0 < 1 << 50 ? $0 * 1024 : nil }
      default: break
      }
    }
  }

  /// `lsb_release` or `os-release`: `KEY="value"`.
  private mutating func applyRelease(_ text: String) {
    var values: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[line[..<equals]] = line[line.index(after: equals)...].filter { $0 != "\"" }
    }
    guard let name = values["DISTRIB_ID"] ?? values["NAME"], !name.isEmpty else { return }
    report.system.name = name
    report.system.version = values["DISTRIB_RELEASE"] ?? values["VERSION_ID"] ?? ""
  }

  /// `55d0c000-55d0e000 r-xp 00000000 fe:01 1234 /bin/x`.
  private mutating func applyMaps(_ text: String) {
    for line in text.split(separator: "\n").prefix(1 << 16) {
      let words = line.split(separator: " ", maxSplits: 2)
      let ends = words.first?.split(separator: "-") ?? []
      guard words.count > 1, ends.count == 2, let start = UInt64(ends[0], radix: 16),
        let end = UInt64(ends[1], radix: 16), start < end
      else { continue }
      mappings.append((start..<end, words[1].contains("x")))
    }
  }

  private mutating func readAuxiliaryVector() {
    guard let part = part(0x4767_0008) else { return }
    let size = system.is32Bit ? 4 : 8
    var cursor = ByteCursor(part, bigEndian: file.isBigEndian)
    var pairs: [JSONValue] = []
    while let key = try? cursor.unsigned(size: size), let value = try? cursor.unsigned(size: size), pairs.count < 1024 {
      pairs.append([JSONValue(key), JSONValue(value)])
    }
    extra["linux_auxv"] = .array(pairs)
  }

  /// The dynamic linker's list of what it loaded.
  private mutating func readSharedObjects() {
    guard let stream = file.stream(0x4767_000a) else { return }
    // Pairs of words follow the head, by which the two layouts of 64-bit dumps can be told apart.
    let isAligned = !system.is32Bit && (stream.size - MinidumpLayout.dsoDebugAligned.size) % 16 == 0
    let layout: MinidumpLayout = system.is32Bit ? .dsoDebug32 : isAligned ? .dsoDebugAligned : .dsoDebug64
    let map: MinidumpLayout = system.is32Bit ? .linkMap32 : isAligned ? .linkMapAligned : .linkMap64
    guard var debug = record(0x4767_000a, layout) else { return }
    if let place: Int = debug["map"]?.integer(), place > 0, let count: Int = debug["dso_count"]?.integer() {
      let objects = file.records(map, at: place, count: count, end: file.bytes.count)
      debug["objects"] = .array(objects.map(JSONValue.object))
    }
    let dynamic = file.part(
      at: stream.offset + min(layout.size, stream.size), size: max(stream.size - layout.size, 0), of: "a table")
    debug["dynamic_section"] = dynamic.map { file.raw($0) }
    extra["linux_dso_debug"] = .object(debug)
  }

  /// Reads the facts of Windows about each region of memory.
  private mutating func readMemoryInfo() {
    taken.insert(16)
    guard let regions = file.sizedList(16, .memoryInfo, wideCount: true) else { return }
    extra["memory_info"] = .array(regions.map(JSONValue.object))
    for region in regions {
      guard let base: UInt64 = region["base_address"]?.integer(), let size: UInt64 = region["region_size"]?.integer(),
        let protection: UInt32 = region["protection"]?.integer(), size > 0,
        case let (end, overflow) = base.addingReportingOverflow(size), !overflow
      else { continue }
      mappings.append((base..<end, protection & 0xf0 != 0))
    }
  }

  /// Everything that no other part has taken up.
  mutating func readRest() {
    taken.insert(12)
    if let handles = file.stream(12), let stride = file.u32(handles.offset + 4) {
      let layout = MinidumpLayout(Array(MinidumpLayout.handle.fields.prefix(stride >= 40 ? 9 : 7)))
      let records = file.sizedList(12, layout) ?? []
      extra["handles"] = .array(records.map(JSONValue.object))
    }
    var others: [JSONValue] = []
    var seen: Set<UInt32> = []
    for stream in file.streams where !taken.contains(stream.type) || !seen.insert(stream.type).inserted {
      guard stream.type != 0 || stream.size > 0 else { continue }
      let part = file.part(at: stream.offset, size: stream.size, of: "a stream")
      others.append([
        "type": JSONValue(stream.type), "size": JSONValue(stream.size),
        "data": part.map { file.raw($0) } ?? .null,
      ])
    }
    if !others.isEmpty { extra["streams"] = .array(others) }
    extra["stream_types"] = .array(file.streams.map { JSONValue($0.type) })
  }
}
