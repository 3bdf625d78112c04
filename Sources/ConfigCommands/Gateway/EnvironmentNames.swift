import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport

extension CompletionKind {
  /// The environments of the file that the words name or that is found, and files; behind an environment, its keys.
  static var gatewayEnvironments: CompletionKind {
    candidates { input in
      let chosen = try? ConfigFileWords(
        input.arguments, option: input.option("--file"), name: GatewayFile.fileName)
      guard let chosen, let file = try? GatewayFile(ConfigFileWords.read(chosen.file), file: chosen.file) else {
        return Candidates(shell: .files(["plist"]))
      }
      return file.candidates(behind: chosen.rest, isNamed: chosen.rest.count < input.arguments.count)
    }
  }
}

extension GatewayFile {
  /// - Parameters:
  ///   - words: The words that were typed, without the file.
  ///   - isNamed: True where the file is one of the words.
  fileprivate func candidates(behind words: [String], isNamed: Bool) -> Candidates {
    switch words.count {
    case 0:
      Candidates(
        environments.map { Candidate($0.name, $0.first(GatewayKeys.rpc) ?? "") },
        shell: isNamed ? .none : .files(["plist"]))
    case 1: Candidates((try? environment(words[0]))?.values.map { Candidate($0.key, $0.text) } ?? [])
    default: Candidates()
    }
  }
}
