import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools
import Synchronization

/// A person at the terminal who answers questions one after the other, and a record of what was asked and told.
final class AnsweringPerson: Sendable {
  struct NoAnswer: Error {}

  private let state: Mutex<(answers: [String], questions: [PassphraseQuestion], warnings: [Diagnostic])>

  init(_ answers: String...) {
    state = Mutex((answers, [], []))
  }

  var questions: [PassphraseQuestion] { state.withLock { $0.questions } }
  var warnings: [Diagnostic] { state.withLock { $0.warnings } }

  var effects: PassphraseEffects {
    PassphraseEffects(
      ask: { question in
        try self.state.withLock { state in
          state.questions.append(question)
          guard !state.answers.isEmpty else { throw NoAnswer() }
          return Array(state.answers.removeFirst().utf8)
        }
      }, warn: { warning in self.state.withLock { $0.warnings.append(warning) } },
      read: { SecretBytes(copying: "from \($0)\nmore") })
  }

  /// Passphrases that nothing but the person gives.
  var source: PassphraseSource { PassphraseSource(effects: effects) }
}
