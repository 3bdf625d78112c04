import MPaaSCrashReport

/// Sorts what a program wrote to its standard error last: which lines are a runtime's own words about the end.
struct LastWords {
  /// All lines, oldest first.
  let lines: [String]
  /// The words of runtimes, by the library that says such things.
  private(set) var sayings: [Saying] = []

  struct Saying: Equatable {
    /// The beginning of the library's file name.
    let library: String
    let text: String
  }

  /// A dying program's runtime speaks at the end; lines further up may be anything.
  private static let depth = 40

  init(_ text: String) {
    lines = text.split(whereSeparator: \.isNewline).map(String.init)
    for (index, line) in lines.enumerated().suffix(Self.depth) {
      if let saying = Self.saying(line, next: index + 1 < lines.count ? lines[index + 1] : nil) {
        sayings.append(saying)
      }
    }
  }

  private static func saying(_ line: String, next: String?) -> Saying? {
    // stdlib/public/core/AssertCommon.swift: `file.swift:3: Fatal error: text`, the place only in debug builds.
    for mark in ["Fatal error: ", "Precondition failed", "Assertion failed: "] {
      if line.hasPrefix(mark) || (line.contains(".swift:") && line.contains(": " + mark)) {
        return Saying(library: "libswiftCore", text: line)
      }
    }
    // libstdc++-v3/libsupc++/vterminate.cc, and libc++abi's words for the same.
    if line.hasPrefix("terminate called ") {
      let what = next.flatMap { $0.hasPrefix("  what():") ? " " + $0.trimmed : nil } ?? ""
      return Saying(library: "libstdc++", text: line + what)
    }
    if line.contains("terminating due to uncaught exception") || line.hasPrefix("libc++abi:") {
      return Saying(library: "libc++abi", text: line)
    }
    return nil
  }

  /// Adds the words to a report, each under the image that said it.
  func add(to report: inout CrashReport) {
    for saying in sayings {
      // A statically linked runtime speaks through the program itself.
      let image = report.images.first { $0.name.hasPrefix(saying.library) }?.name ?? report.process.name
      report.lastWords[image, default: []].append(saying.text)
    }
    if !lines.isEmpty { report.lastWords["stderr"] = lines }
  }
}
