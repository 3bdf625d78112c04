/// The edits of the lines of one text to get another (Myers' algorithm, by the standard library).
package struct TextDiff: Sendable, Equatable {
  package enum Change: Sendable, Equatable { case kept, removed, added }

  /// A line with its line end, as it stands in one text or both.
  package struct Line: Sendable, Equatable {
    package let change: Change
    package let text: String

    /// Tells whether it is the last one of a text that does not end its last line.
    package var isUnended: Bool { text.utf8.last != 0x0a }
  }

  package let lines: [Line]

  package init(from old: String, to new: String) {
    let (old, new) = (Self.split(old), Self.split(new))
    // Lines that are the same at both ends need not be searched.
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (oldPart, newPart) = (Array(old[start..<old.count - end]), Array(new[start..<new.count - end]))
    let difference = newPart.difference(from: oldPart)
    var removed = Set<Int>()
    var added = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines = old[..<start].map { Line(change: .kept, text: $0) }
    var (left, right) = (0, 0)
    while left < oldPart.count || right < newPart.count {
      if left < oldPart.count, removed.contains(left) {
        lines.append(Line(change: .removed, text: oldPart[left]))
        left += 1
      } else if right < newPart.count, added.contains(right) {
        lines.append(Line(change: .added, text: newPart[right]))
        right += 1
      } else {
        lines.append(Line(change: .kept, text: newPart[right]))
        left += 1
        right += 1
      }
    }
    self.lines = lines + old[(old.count - end)...].map { Line(change: .kept, text: $0) }
  }

  package var isEmpty: Bool { lines.allSatisfy { $0.change == .kept } }

  /// The lines with their ends, which are line feeds whatever stands before them; the last may have none.
  private static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0a).map { $0 + 1 } ?? rest.endIndex
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...]
    }
    return lines
  }
}

extension TextDiff {
  /// A line of a unified diff, without its line end.
  package struct UnifiedLine: Sendable, Equatable {
    package enum Kind: Sendable { case header, hunk, kept, removed, added, remark }
    package let kind: Kind
    package let text: String
  }

  /// The diff as `patch` and `git apply` take it; empty where nothing differs.
  ///
  /// - Parameters:
  ///   - oldPath: nil for a file that is made.
  ///   - newPath: nil for one that is removed.
  ///   - context: The lines that are shown around a change.
  package func unified(from oldPath: String?, to newPath: String?, context: Int = 3) -> [UnifiedLine] {
    let hunks = hunks(context)
    guard !hunks.isEmpty else { return [] }
    var result = [
      UnifiedLine(kind: .header, text: "--- " + Self.name(oldPath, "a/")),
      UnifiedLine(kind: .header, text: "+++ " + Self.name(newPath, "b/")),
    ]
    var (old, new, at) = (0, 0, 0)
    for hunk in hunks {
      for line in lines[at..<hunk.lowerBound] { Self.count(line, &old, &new) }
      let start = (old, new)
      for line in lines[hunk] { Self.count(line, &old, &new) }
      let ranges = "-\(Self.range(start.0, old - start.0)) +\(Self.range(start.1, new - start.1))"
      result.append(UnifiedLine(kind: .hunk, text: "@@ \(ranges) @@"))
      for line in lines[hunk] { Self.append(line, to: &result) }
      at = hunk.upperBound
    }
    return result
  }

  private static func append(_ line: Line, to result: inout [UnifiedLine]) {
    let content = line.isUnended ? line.text : String(decoding: line.text.utf8.dropLast(), as: UTF8.self)
    switch line.change {
    case .kept: result.append(UnifiedLine(kind: .kept, text: " " + content))
    case .removed: result.append(UnifiedLine(kind: .removed, text: "-" + content))
    case .added: result.append(UnifiedLine(kind: .added, text: "+" + content))
    }
    if line.isUnended { result.append(UnifiedLine(kind: .remark, text: "\\ No newline at end of file")) }
  }

  /// The stretches of lines that are shown: changes with what is around them, joined where they touch.
  private func hunks(_ context: Int) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where lines[index].change != .kept {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func count(_ line: Line, _ old: inout Int, _ new: inout Int) {
    if line.change != .added { old += 1 }
    if line.change != .removed { new += 1 }
  }

  /// Source: POSIX `diff -u`: the first line counts from 1, and an empty range names the line before it.
  private static func range(_ start: Int, _ count: Int) -> String {
    let first = count == 0 ? start : start + 1
    return count == 1 ? "\(first)" : "\(first),\(count)"
  }

  /// A name with a space in it ends in a tab, so that no part of it is taken for a time.
  private static func name(_ path: String?, _ prefix: String) -> String {
    guard let path else { return "/dev/null" }
    return prefix + path + (path.contains(" ") ? "\t" : "")
  }
}
