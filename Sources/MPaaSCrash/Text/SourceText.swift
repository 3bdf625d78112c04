import MPaaSCrashReport
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A source file that is at hand.
package struct SourceText: Sendable, Equatable {
  package let path: String
  package let lines: [String]
  /// Seconds since 1970.
  package let modified: Int64

  package init(path: String, lines: [String], modified: Int64) {
    self.path = path
    self.lines = lines
    self.modified = modified
  }
}

/// Finds source files by the paths in debug information: as they stand there, or under other folders.
package struct SourceFinder: Sendable {
  private static let largest = 16 << 20
  private let roots: [String]

  /// - Parameter roots: Folders with sources, for code that was built elsewhere; the longest tail of the path that
  ///   exists under one of them counts.
  package init(roots: [String] = []) {
    self.roots = roots
  }

  package func find(_ path: String) -> SourceText? {
    for candidate in candidates(path) {
      var status = stat()
      guard stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest,
        let bytes = try? Bytes.mapping(candidate)
      else { continue }
      let text = withExtendedLifetime(bytes) { String(utf8: bytes.buffer) }
      let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
      #if canImport(Darwin)
        let modified = Int64(status.st_mtimespec.tv_sec)
      #else
        let modified = Int64(status.st_mtim.tv_sec)
      #endif
      return SourceText(path: candidate, lines: lines, modified: modified)
    }
    return nil
  }

  private func candidates(_ path: String) -> [String] {
    let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let tails = parts.indices.map { parts[$0...].joined(separator: "/") }
    let moved = roots.flatMap { root in tails.map { root + "/" + $0 } }
    return path.hasPrefix("/") ? [path] + moved : moved
  }
}

extension AppleText {
  /// The line of source that crashed with those around it.
  var snippet: [ReportLine] {
    guard let context = options.sourceContext, let call = report.blame?.call, let path = call.file,
      let number = call.line, let text = source(path), text.lines.indices.contains(number - 1)
    else { return [] }
    var title = ReportLine("Source:  ", .heading)
    title.append(text.path, .path)
    title.append(":")
    title.append("\(number)", .lineNumber)
    if text.modified > report.captured.seconds { title.append("  (changed since the crash)", .faint) }
    let first = max(number - context, 1)
    let last = min(number + context, text.lines.count)
    let width = String(last).count
    var lines = [title]
    for current in first...last {
      let line = text.lines[current - 1]
      let isCrashed = current == number
      let digits = String(current)
      var shown = ReportLine(isCrashed ? "> " : "  ", .mark)
      shown.append(String(repeating: " ", count: width - digits.count) + digits + " | ", .lineNumber)
      shown.append(line, isCrashed ? .mark : .source)
      lines.append(shown)
      if isCrashed, let column = call.column, let gap = Self.gap(before: column, in: line) {
        var mark = ReportLine("  " + String(repeating: " ", count: width) + " | ", .lineNumber)
        mark.append(gap + "^", .mark)
        lines.append(mark)
      }
    }
    return lines
  }

  /// Blanks as wide as the text before a column, which counts bytes from 1; nil where the line is shorter.
  private static func gap(before column: Int, in line: String) -> String? {
    guard column > 0, column - 1 <= line.utf8.count else { return nil }
    let before = String(decoding: line.utf8.prefix(column - 1), as: UTF8.self)
    return String(
      before.map { character in
        if character == "\t" { return "\t" }
        // East Asian characters and emoji are two columns wide, as is the ideographic space.
        return character.unicodeScalars.contains { (0x1100...0xffff).contains($0.value) || $0.value > 0x1f000 }
          ? "\u{3000}" : " "
      })
  }
}
