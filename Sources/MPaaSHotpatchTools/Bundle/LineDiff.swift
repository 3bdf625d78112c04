/// The differences between two texts, line by line, with a few lines around each change.
package struct LineDiff: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case same, removed, added }

  package struct Line: Sendable, Equatable {
    package let kind: Kind
    package let text: String
  }

  /// Changes that lie near each other, as `@@ -1,4 +1,5 @@` heads them; the first lines count from 1.
  package struct Hunk: Sendable, Equatable {
    package var oldStart: Int
    package var newStart: Int
    package var lines: [Line]

    package var heading: String {
      let old = lines.count { $0.kind != .added }
      let new = lines.count { $0.kind != .removed }
      // A range without lines is named by the line before it, as `diff -u` does.
      return "@@ -\(old == 0 ? oldStart - 1 : oldStart),\(old) +\(new == 0 ? newStart - 1 : newStart),\(new) @@"
    }
  }

  package let hunks: [Hunk]

  /// Lines that are compared one with another; more of them are told as removed and added whole, since the effort
  /// grows with the square of what differs.
  private static let most = 4000

  package init(_ old: String, _ new: String, context: Int = 3) {
    let lines = Self.lines(Self.split(old), Self.split(new))
    hunks = Self.hunks(of: lines, context: context)
  }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// All lines of both texts in one order.
  private static func lines(_ old: [String], _ new: [String]) -> [Line] {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
    let oldPart = Array(old[prefix..<old.count - suffix])
    let newPart = Array(new[prefix..<new.count - suffix])
    return old.prefix(prefix).map { Line(kind: .same, text: $0) } + changed(oldPart, newPart)
      + old.suffix(suffix).map { Line(kind: .same, text: $0) }
  }

  private static func changed(_ old: [String], _ new: [String]) -> [Line] {
    guard old.count + new.count <= most else {
      return old.map { Line(kind: .removed, text: $0) } + new.map { Line(kind: .added, text: $0) }
    }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if removed.contains(left) {
        lines.append(Line(kind: .removed, text: old[left]))
        left += 1
      } else if added.contains(right) {
        lines.append(Line(kind: .added, text: new[right]))
        right += 1
      } else {
        lines.append(Line(kind: .same, text: old[left]))
        left += 1
        right += 1
      }
    }
    return lines
  }

  private static func hunks(of lines: [Line], context: Int) -> [Hunk] {
    var hunks: [Hunk] = []
    var (oldLine, newLine) = (1, 1)
    var end = 0
    var starts: [(old: Int, new: Int)] = []
    for line in lines {
      starts.append((oldLine, newLine))
      if line.kind != .added { oldLine += 1 }
      if line.kind != .removed { newLine += 1 }
    }
    for index in lines.indices where lines[index].kind != .same {
      let first = max(end, index - context)
      let last = min(lines.count, index + context + 1)
      if first > end || hunks.isEmpty {
        hunks.append(Hunk(oldStart: starts[first].old, newStart: starts[first].new, lines: []))
      }
      guard last > end else { continue }
      hunks[hunks.count - 1].lines += lines[max(end, first)..<last]
      end = last
    }
    return hunks
  }
}
