import MPaaSSupport
package import MPaaSToolSupport

/// A command of the system as its words.
package struct SystemCommand: Sendable, Hashable {
  package let words: [String]

  package init(_ words: [String]) {
    self.words = words
  }

  /// Words at spaces; for commands that we write ourselves, with no quoting in them.
  package init(_ text: String) {
    words = text.split(separator: " ").map(String.init)
  }

  /// As it can be typed into a shell.
  package var text: String {
    words.map { word in
      let isPlain = word.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
          || "-_./:=%@,+".utf8.contains($0)
      }
      return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
    .joined(separator: " ")
  }
}

extension ProcessRunner {
  /// Runs a command with its messages kept for the error.
  ///
  /// - Throws: `net-program-missing` where it is not installed, `net-command-failed`.
  package func perform(_ command: SystemCommand) throws(NetworkError) {
    let outcome = attempt(command)
    guard outcome.status != 0 else { return }
    if outcome.status == 127, let program = command.words.first, let package = SystemPackage.network(program) {
      throw NetworkError(.programMissing, ["program": program, "install": package.line()])
    }
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    throw NetworkError(
      .commandFailed,
      [
        "command": command.text, "status": "\(outcome.status)",
        "reason": lines.joined(separator: "; "),
      ])
  }

  /// Runs a command; 127 where it cannot be started.
  package func attempt(_ command: SystemCommand) -> Outcome {
    // The shell only joins both outputs, since those who fail speak on standard error.
    let words = ["-c", #"exec "$@" 2>&1"#, "sh"] + command.words
    do throws(FileError) {
      return try run(Request("/bin/sh", words, capturesOutput: true))
    } catch {
      return Outcome(status: 127)
    }
  }

  /// Does commands in turn; where one fails, what was done is undone.
  package func perform(_ steps: [ReversibleCommand]) throws(NetworkError) {
    for (index, step) in steps.enumerated() {
      do throws(NetworkError) {
        try perform(step.command)
      } catch {
        undo(steps[..<index].flatMap(\.undo).reversed())
        throw error
      }
    }
  }

  /// Does what undoes; what is gone already is no failure.
  ///
  /// - Returns: The commands that failed.
  @discardableResult
  package func undo(_ commands: some Sequence<SystemCommand>) -> [SystemCommand] {
    commands.filter { attempt($0).status != 0 }
  }
}

/// A command and what takes it back.
package struct ReversibleCommand: Sendable, Hashable {
  package let command: SystemCommand
  package let undo: [SystemCommand]

  package init(_ command: SystemCommand, undo: [SystemCommand] = []) {
    self.command = command
    self.undo = undo
  }

  package init(_ text: String, undo: String? = nil) {
    command = SystemCommand(text)
    self.undo = undo.map { [SystemCommand($0)] } ?? []
  }
}
