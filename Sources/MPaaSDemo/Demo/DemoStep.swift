/// A command that makes a piece of the demo, run in its folder.
package struct DemoStep: Sendable, Equatable {
  let words: [String]
  /// The file that takes what the command prints; nil where that is of no interest.
  var output: String?
  /// Tells whether the command has to die by a signal.
  var crashes = false
  /// A text in place of the words, where those are a script.
  var summary: String?

  init(_ words: [String]) { self.words = words }

  /// A command whose words hold no blanks.
  init(_ line: String, output: String? = nil, crashes: Bool = false) {
    words = line.split(separator: " ").map(String.init)
    self.output = output
    self.crashes = crashes
  }

  /// The command as a person types it.
  package var line: String {
    summary ?? words.joined(separator: " ") + (output.map { " > \($0)" } ?? "")
  }
}
