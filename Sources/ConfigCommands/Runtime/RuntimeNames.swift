import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport

extension CompletionKind {
  /// The micro-apps of the table that the words name or that is found, and files.
  static var runtimeApplications: CompletionKind {
    runtimeNames { $0.applications.map { Candidate($0.name, $0.title ?? $0.delegate) } }
  }

  /// Its services, and files.
  static var runtimeServices: CompletionKind {
    runtimeNames { $0.services.map { Candidate($0.name, $0.className) } }
  }

  /// The folders of `Sources`, which are named as the modules that they hold.
  static var sourceFolders: CompletionKind {
    values { _ in try FileSystem.entries(in: "Sources").filter { $0.kind == .folder }.map(\.name).sorted() }
  }

  private static func runtimeNames(
    _ names: @escaping @Sendable (MobileRuntimeFile) -> [Candidate]
  ) -> CompletionKind {
    candidates { input in
      let chosen = try? ConfigFileWords(
        input.arguments, option: input.option("--file"), name: RuntimeFileOptions.fileName)
      guard let chosen, let file = try? MobileRuntimeFile(ConfigFileWords.read(chosen.file), file: chosen.file) else {
        return Candidates(shell: .files(["plist"]))
      }
      let isNamed = chosen.rest.count < input.arguments.count || input.option("--file") != nil
      return Candidates(chosen.rest.isEmpty ? names(file) : [], shell: isNamed ? .none : .files(["plist"]))
    }
  }
}
