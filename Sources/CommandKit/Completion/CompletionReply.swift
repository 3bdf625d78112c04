import MPaaSTerminal

/// The lines that the completion scripts of shells read.
///
/// The first names what the shell adds by itself: `none`, `files` with extensions, `folders`, or `command` with the place
/// where the command begins. The second is `tight` where no space is to follow a value, else `loose`; the third is the
/// word that is being typed without quotation and without `--option=` before it. Candidates follow.
package struct CompletionReply {
  /// The words behind the name of a shell's completion.
  package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  private let answer: CompletionAnswer
  private let current: String

  package init(_ answer: CompletionAnswer, current: String) {
    self.answer = answer
    self.current = String(current.dropFirst(answer.fixedPart.count))
  }

  /// The reply for zsh and fish, which choose among all candidates by their own rules.
  package func text(for shell: Shell) -> String {
    let lines = answer.candidates.list.map { candidate in
      switch shell {
      case .bash: candidate.value
      case .fish: answer.fixedPart + candidate.value + (candidate.detail.isEmpty ? "" : "\t" + candidate.detail)
      case .zsh:
        candidate.value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
          + (candidate.detail.isEmpty ? "" : ":" + candidate.detail)
      }
    }
    return text(lines, commandAt: answer.commandStart)
  }

  /// The reply for bash: the candidates that begin with the word, as they are put into the line.
  ///
  /// - Parameter columns: The width of the terminal where the candidates are only to be shown, with their meanings;
  ///   nil where one is put in.
  package func text(for line: ShellLine, columns: Int?) -> String {
    let matching = answer.candidates.list.filter { $0.value.hasPrefix(current) }
    // Beside files, bash quotes values as it does them.
    let isQuoted = answer.candidates.shell == .none
    var lines = matching.map { line.replacement(answer.fixedPart + $0.value, isQuoted: isQuoted) }
    if let columns, matching.count > 1, isQuoted {
      lines = Self.explained(lines, matching.map(\.detail), columns)
    }
    return text(lines, commandAt: answer.commandStart.map { line.starts[min($0, line.starts.count - 1)] })
  }

  private func text(_ lines: [String], commandAt start: Int?) -> String {
    let added =
      switch answer.candidates.shell {
      case .none: "none"
      case .files(let extensions): (["files"] + extensions).joined(separator: " ")
      case .folders: "folders"
      case .command: "command \(start ?? 0)"
      }
    let list = answer.candidates.list
    let isTight = !list.isEmpty && list.allSatisfy { "=@/:".contains($0.value.last ?? " ") }
    let word = current.filter { !$0.isNewline }
    return ([added, isTight ? "tight" : "loose", word] + lines).joined(separator: "\n") + "\n"
  }

  /// Candidates beside their meanings, each on a line of its own: no two of such a width stand beside each other.
  private static func explained(_ values: [String], _ details: [String], _ columns: Int) -> [String] {
    let width = values.map(\.displayWidth).max() ?? 0
    return zip(values, details).map { value, detail in
      let room = columns - width - 5
      guard !detail.isEmpty, room > 10 else { return value }
      let text = value.padded(toWidth: width) + "  (" + detail.truncated(toWidth: room) + ")"
      return text.padded(toWidth: columns / 2)
    }
  }
}
