import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module why NAME`: who needs a module.
  struct Why: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("why", key: "module.why") }

    @Argument(help: .text("command.module.why.name", valueName: "name"), completion: .lockedModules)
    var name: String

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ModuleReasons {
      let files = try project.files()
      let lock = try files.locked()
      let targets = try target.targets(of: files.manifest)
      guard lock.modules.contains(where: { $0.name == name }) else {
        throw ModuleError.notUsed(name, among: lock.modules.map(\.name), file: files.lockFile)
      }
      return ModuleReasons(
        name: name,
        targets: targets.compactMap { target in
          let graph = LockedGraph(target, lock)
          return graph.modules[name].map { module in
            .init(
              name: target.name, version: module.version.text,
              paths: graph.paths(to: name).map { $0.map(ModuleStep.init) })
          }
        })
    }
  }
}

/// A module as another one, or the project, asks for it.
struct ModuleStep: Encodable, Sendable {
  let name: String
  let requirement: String
  let version: String?

  init(_ step: LockedGraph.Step) {
    name = step.name
    requirement = step.requirement.text
    version = step.version?.text
  }
}

/// The ways on which a module came into a project.
struct ModuleReasons: Presentable {
  struct Target: Encodable, Sendable {
    /// nil where the project names no targets.
    let name: String?
    let version: String
    /// From what the project asks for, to the module; the shortest way over each module that needs it.
    let paths: [[ModuleStep]]
  }

  let name: String
  let targets: [Target]

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for target in targets {
      var heading = StyledText("\(name) \(target.version)", .heading)
      if let target = target.name { heading.append("  \(target)", .faint) }
      document.line(heading)
      for path in target.paths {
        var line = StyledText("  ")
        for (index, step) in path.enumerated() {
          if index > 0 { line.append(" → ", .faint) }
          line.append(step.name, index == path.count - 1 ? .emphasis : .plain)
          line.append(" \(step.requirement)", .faint)
        }
        document.line(line)
      }
      // A lock that was written for another manifest.
      if target.paths.isEmpty { document.line("  " + StyledText(catalogue.text("text.module-why-nobody"), .warning)) }
    }
    if targets.isEmpty { document.line(StyledText(catalogue.text("text.module-why-other", ["name": name]))) }
    return document
  }
}
