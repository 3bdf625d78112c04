package import ArgumentParser
package import CommandKit
import MPaaSSupport
import MPaaSTerminal
package import MPaaSTrustTools

/// The sources of keys' passphrases: a file, an open file, `MPAAS_PASSPHRASE`, or a person at the terminal.
package struct PassphraseOptions: ParsableArguments {
  @Option(help: .text("command.key.passphrase-file", valueName: "file"), completion: .file())
  package var passphraseFile: [String] = []

  @Option(help: .text("command.key.passphrase-fd", valueName: "number"))
  package var passphraseFd: Int32?

  package init() {}

  package func validate() throws {
    if !passphraseFile.isEmpty, passphraseFd != nil {
      throw ValidationError(Catalogue.current.text("text.key-passphrase-twice"))
    }
  }

  /// Tells whether an option says where it comes from.
  package var isGiven: Bool { !passphraseFile.isEmpty || passphraseFd != nil }

  /// The passphrases as the options, the environment and the terminal give them.
  package func source(in context: Context) -> PassphraseSource {
    let terminal = context.terminal
    let effects = PassphraseEffects(
      ask: { try terminal.askSecret($0.text(terminal.catalogue), option: "--passphrase-file") },
      warn: { terminal.warning($0) })
    return PassphraseSource(
      files: passphraseFile, descriptor: passphraseFd, variable: context.environment["MPAAS_PASSPHRASE"],
      effects: effects)
  }

  /// The protection of a new private half.
  func protection(unencrypted: Bool, in context: Context) -> KeyProtection {
    unencrypted ? .none : .passphrase(source(in: context))
  }
}

extension PassphraseQuestion {
  fileprivate func text(_ catalogue: Catalogue) -> String {
    switch self {
    case .existing(let name): catalogue.text("text.key-passphrase-ask", ["name": name])
    case .new(let name): catalogue.text("text.key-passphrase-new", ["name": name])
    case .again: catalogue.text("text.key-passphrase-again")
    }
  }
}
