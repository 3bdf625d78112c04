import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport

extension CompletionKind {
  /// The registries that the user's configuration names.
  static var registryNames: CompletionKind { values { try UserRegistries($0.directories).registries.map(\.name) } }

  /// The modules of the catalogue as it was trusted last.
  static var moduleNames: CompletionKind { values { CatalogLoader.namesKept(in: $0.directories) } }

  /// The modules of this machine's store, with their versions.
  static var storedModules: CompletionKind {
    candidates { input in
      let local = try LocalModules(ModuleStore(folder: input.directories.modules))
      return Candidates(
        local.versions.sorted { $0.key < $1.key }.map { name, versions in
          Candidate(name, versions.map(\.text).joined(separator: ", "))
        })
    }
  }

  /// The modules that the project asks for, with their versions where they are locked.
  static var projectModules: CompletionKind {
    candidates { input in
      let files = try files(input)
      let versions = Dictionary((files.lock?.modules ?? []).map { ($0.name, $0.version.text) }) { $1 }
      let asked = Set(files.manifest.targets.flatMap(\.modules).map(\.name) + files.manifest.modules.map(\.name))
      return Candidates(asked.sorted().map { Candidate($0, versions[$0] ?? "") })
    }
  }

  /// All modules that the project has, those included that others need.
  static var lockedModules: CompletionKind {
    candidates { input in
      let modules = try files(input).lock?.modules ?? []
      return Candidates(modules.map { Candidate($0.name, $0.version.text) })
    }
  }

  /// The targets of the project.
  static var projectTargets: CompletionKind { values { try files($0).manifest.targets.compactMap(\.name) } }

  private static func files(_ input: CompletionInput) throws -> ProjectFiles {
    try ProjectFiles(in: ProjectFiles.folder(named: input.option("--project")))
  }
}
