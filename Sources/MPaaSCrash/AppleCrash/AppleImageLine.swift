import MPaaSCrashReport
import MPaaSSupport

/// A row of "Binary Images:".
///
/// iOS: `0x100e88000 - 0x101e2bfff +Demo arm64  <db2f…> /path`; macOS: `0x1000 - 0x1fff com.x.y (1.0 - 1) <DB2F-…>
/// /path`; PLCrashReporter has an architecture and a version. The end is inclusive, the plus marks what is not Apple's.
struct AppleImageLine {
  let start: UInt64
  let end: UInt64
  /// A file's name, or on macOS a bundle's identifier.
  let name: String
  let isMarked: Bool
  var architecture = ""
  /// The text in parentheses, such as `1.0 - 1` or `*`.
  var version: String?
  /// Lower-case hexadecimal without dashes; empty where there is none.
  var identifier = ""
  var path = ""

  init?(_ line: TextBytes) {
    var rest = line.trimmed
    guard let start = rest.takeAddress() else { return nil }
    rest.skipSpace()
    guard let behind = rest.after("-") else { return nil }
    rest = behind
    rest.skipSpace()
    guard let end = rest.takeAddress() else { return nil }
    rest.skipSpace()
    isMarked = rest.first == 0x2b
    if isMarked { rest = rest.dropFirst() }
    self.start = start
    self.end = end
    var left = rest
    var version: String?
    if let open = rest.range(of: " <"), let close = rest[open.upperBound...].firstIndex(of: 0x3e) {
      let inside = rest[open.upperBound..<close].text
      let digits = inside.lowercased().filter { $0 != "-" }
      if digits.allSatisfy(\.isHexDigit), digits.contains(where: { $0 != "0" }) { identifier = digits }
      path = rest[(close + 1)...].trimmed.text
      left = rest[..<open.lowerBound].trimmed
    } else if let slash = rest.range(of: " /") {
      path = rest[(slash.lowerBound + 1)...].text
      left = rest[..<slash.lowerBound].trimmed
    }
    if left.last == 0x29, let open = left.range(of: " (", last: true) {
      version = left[open.upperBound...].dropLast().text
      left = left[..<open.lowerBound].trimmed
    }
    if let space = left.lastIndex(of: 0x20), Self.isArchitecture(left[(space + 1)...]) {
      architecture = left[(space + 1)...].text
      left = left[..<space].trimmed
    }
    name = left.text
    self.version = version
    if name.isEmpty { return nil }
  }

  private static func isArchitecture(_ word: TextBytes) -> Bool {
    word.has(prefix: "arm") || word.has(prefix: "x86_64") || word.has(prefix: "ppc") || word.has(prefix: "unknown")
      || ["i386", "i486", "i686", "x86", "???", "(null)"].contains(word.text)
  }

  /// Tells whether the row is the one that stands for addresses outside every image.
  var isNowhere: Bool { name == "???" && start == 0 && end == .max }

  /// The image that the row tells of.
  ///
  /// - Parameter architecture: The one of the process, for rows that name none.
  func image(architecture fallback: String) -> CrashReport.Image {
    let known = architecture.isEmpty || architecture == "???" ? fallback : architecture
    var image = CrashReport.Image(
      base: start, size: end >= start ? (end - start) &+ 1 : 0, buildID: identifier,
      path: path.isEmpty || path == "???" ? name : path, architecture: known, slide: start)
    if image.name != name { image.extra["CFBundleIdentifier"] = .string(name) }
    guard let version, version != "*" else { return image }
    let bytes = Array(version.utf8)[...]
    if let dash = bytes.range(of: " - "), image.name != name {
      image.extra["CFBundleShortVersionString"] = .string(bytes[..<dash.lowerBound].text)
      image.extra["CFBundleVersion"] = .string(bytes[dash.upperBound...].text)
    } else {
      image.extra["apple_text"] = ["version": .string(version)]
    }
    return image
  }
}
