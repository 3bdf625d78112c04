import MPaaSSupport

/// The formats that profiles are read from.
package enum ProfileFormat: String, Sendable, CaseIterable {
  case collapsed
  case speedscope
  case trace
  case cpuprofile
  case pprof
  case perfScript = "perf-script"
  case metricKit = "metrickit"

  /// The format of bytes by what they hold; nil where it is none of these.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> ProfileFormat? {
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0d, 0x0a].contains($0) }) else { return nil }
    if isPprof(bytes) { return .pprof }
    switch first {
    case UInt8(ascii: "{"): return ofObject(bytes)
    case UInt8(ascii: "["): return .trace
    default: return ofText(bytes)
    }
  }

  /// The first field of a pprof message is a sample type: two small numbers.
  private static func isPprof(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count > 4 && bytes[0] == 0x0a && (2...12).contains(bytes[1]) && (bytes[2] == 0x08 || bytes[2] == 0x10)
  }

  private static func ofObject(_ bytes: UnsafeRawBufferPointer) -> ProfileFormat? {
    var format: ProfileFormat?
    var isReport = false
    var skim = JSONSkim(bytes)
    // Ends early where a name tells the format.
    _ = skim.object { name, skim in
      switch skim.text(name) {
      case "traceEvents": format = .trace
      case "shared", "profiles": format = .speedscope
      case "nodes", "timeDeltas": format = .cpuprofile
      case "environment", "timeRange":
        // Both are in the reports of iOS 27.
        if isReport { format = .metricKit }
        isReport = true
      case "productData", "intervalEntries": format = .metricKit
      case let name? where name.hasSuffix("Diagnostics") || name.hasSuffix("Metrics") || name == "callStackTree":
        format = .metricKit
      default: break
      }
      return format == nil && skim.skip()
    }
    return format
  }

  private static func ofText(_ bytes: UnsafeRawBufferPointer) -> ProfileFormat? {
    var lines = TextLines(bytes)
    var isBehindHead = false
    for _ in 0..<1000 {
      guard let line = lines.next() else { return nil }
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      // Binary files have no place for a text's control characters.
      guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x1b }) else { return nil }
      let text = line.trimmed
      if isBehindHead, first == 0x20 || first == 0x09 { return .perfScript }
      guard let blank = text.lastIndex(of: 0x20) else { return nil }
      if text.part(blank + 1..<text.count).wholeNumber != nil { return .collapsed }
      guard text.last == UInt8(ascii: ":") else { return nil }
      if isBehindHead { return .perfScript }
      isBehindHead = true
    }
    return nil
  }
}
