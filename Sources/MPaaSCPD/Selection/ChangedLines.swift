import MPaaSSupport
package import MPaaSToolSupport

/// Lines of files that differ from a revision of git.
package struct ChangedLines: Sendable, Equatable {
  /// Ranges of lines from 1 by the file's whole path; nil stands for all.
  private var files: [String: [Range<Int>]?] = [:]

  /// Asks git for the lines below a folder that were added or changed since `revision`, and for new files.
  package init(since revision: String, in folder: String, _ processes: ProcessRunner = .live) throws {
    let place = FileStatus(folder)?.kind == .folder ? folder : FileSystem.folder(of: folder)
    func git(_ arguments: [String]) throws -> ProcessRunner.Outcome {
      do {
        return try processes.run(.init("git", ["-C", place] + arguments, capturesOutput: true))
      } catch {
        throw CPDError(.gitMissing)
      }
    }
    let root = try git(["rev-parse", "--show-toplevel"])
    // A revision that begins with a dash would be an option.
    let known = try git(["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
    guard root.status == 0, known.status == 0 else {
      throw CPDError(.revisionUnknown, ["revision": revision, "folder": place])
    }
    let top = root.output.split(separator: "\n").first.map(String.init) ?? place
    let commit = String(known.output.prefix { !$0.isNewline })
    let options = ["-c", "core.quotePath=false"]
    let difference = try git(
      options + ["diff", "--unified=0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", commit])
    read(difference.output, top)
    let others = try git(options + ["ls-files", "--others", "--exclude-standard", "--full-name"])
    for name in others.output.split(separator: "\n") { files[top + "/" + name] = .some(nil) }
  }

  private mutating func read(_ difference: String, _ top: String) {
    var file: String?
    for line in difference.split(separator: "\n", omittingEmptySubsequences: true) {
      if line.hasPrefix("+++ ") {
        var name = line.dropFirst(4)
        if name.hasSuffix("\t") { name = name.dropLast() }
        file = name.hasPrefix("b/") ? top + "/" + name.dropFirst(2) : nil
      } else if line.hasPrefix("@@ "), let file, let range = Self.added(line) {
        files[file] = .some((files[file].flatMap { $0 } ?? []) + [range])
      }
    }
  }

  /// The lines after the change of `@@ -1,2 +3,4 @@`; lines that are gone count as the one that follows.
  private static func added(_ line: Substring) -> Range<Int>? {
    guard let plus = line.split(separator: " ").first(where: { $0.hasPrefix("+") }) else { return nil }
    let parts = plus.dropFirst().split(separator: ",").map { Int($0) }
    guard let first = parts.first, let start = first else { return nil }
    let count = parts.count > 1 ? parts[1] ?? 1 : 1
    return start..<(start + max(count, 1))
  }

  /// Tells whether any of the lines was changed.
  ///
  /// - Parameter path: The whole path of the file.
  package func touches(_ path: String, _ lines: ClosedRange<Int>) -> Bool {
    guard let ranges = files[path] else { return false }
    return ranges?.contains { $0.overlaps(lines) } ?? true
  }
}
