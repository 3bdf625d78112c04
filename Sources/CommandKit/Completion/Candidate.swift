/// A word that a shell may put in the place of the one that is being typed.
package struct Candidate: Sendable, Equatable {
  package let value: String
  /// The meaning of the value in the language in force; empty where there is nothing to say.
  package let detail: String

  package init(_ value: String, _ detail: String = "") {
    self.value = value
    self.detail = detail
  }
}

/// The candidates for a word, and what the shell adds to them by itself.
package struct Candidates: Sendable, Equatable {
  /// A kind of word that each shell completes by its own means.
  package enum ShellWords: Sendable, Equatable {
    case none
    /// Files with one of the extensions, or all where none is named.
    case files([String])
    case folders
    /// A command of the machine with its arguments.
    case command
  }

  package var list: [Candidate]
  package var shell: ShellWords

  package init(_ list: [Candidate] = [], shell: ShellWords = .none) {
    self.list = list
    self.shell = shell
  }
}

// MARK: - Lines

extension Candidates {
  /// The lines as which the parser hands on what a completion found: a value, a tab and its meaning on each; a line that
  /// begins with a tab names what the shell adds.
  var lines: [String] {
    let values = list.filter { !$0.value.contains { $0.isNewline || $0 == "\t" } }.map { candidate in
      candidate.detail.isEmpty ? candidate.value : candidate.value + "\t" + candidate.detail.firstLine
    }
    return switch shell {
    case .none: values
    case .files(let extensions): values + ["\tfiles " + extensions.joined(separator: " ")]
    case .folders: values + ["\tfolders"]
    case .command: values + ["\tcommand"]
    }
  }

  init(lines: some Sequence<Substring>) {
    self.init()
    for line in lines {
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      guard let value = parts.first, !value.isEmpty else {
        shell = Self.shellWords(parts.last ?? "")
        continue
      }
      list.append(Candidate(String(value), parts.count > 1 ? String(parts[1]) : ""))
    }
  }

  private static func shellWords(_ text: Substring) -> ShellWords {
    let words = text.split(separator: " ").map(String.init)
    return switch words.first {
    case "files": .files(Array(words.dropFirst()))
    case "folders": .folders
    case "command": .command
    default: .none
    }
  }
}

extension String {
  /// The text before the first line break, without tabs.
  var firstLine: String { String(prefix { !$0.isNewline }).replacing("\t", with: " ") }
}
