import ArgumentParser
import CommandKit
package import MPaaSModules
import MPaaSTerminal

/// The choice of a project.
package struct ProjectOption: ParsableArguments {
  @Option(help: .text("command.module.project", valueName: "folder"), completion: .file())
  var project: String?

  package init() {}

  package var isNamed: Bool { project != nil }

  /// The folder that was named or that holds the file that was named, else the first from here upwards with an
  /// `mpaas.toml`.
  package func folder() throws -> String { try ProjectFiles.folder(named: project) }

  package func files() throws -> ProjectFiles { try ProjectFiles(in: folder()) }
}

/// A target of the project by its name.
struct TargetOption: ParsableArguments {
  @Option(help: .text("command.module.target", valueName: "name"), completion: .projectTargets)
  var target: String?

  /// The target that was named, or all.
  func targets(of manifest: ProjectManifest) throws -> [ProjectTarget] { try manifest.targets(named: target) }
}
