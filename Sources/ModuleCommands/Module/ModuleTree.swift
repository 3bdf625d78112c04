import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module tree`: what the project uses, and what that needs.
  struct Tree: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("tree", key: "module.tree") }

    @Option(help: .text("command.module.tree.depth", valueName: "levels"))
    var depth: Int?

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if let depth, depth < 0 { throw ValidationError(Catalogue.current.text("text.module-bad-depth")) }
    }

    func run(in context: Context) async throws -> ModuleTrees {
      let files = try project.files()
      let lock = try files.locked()
      let targets = try target.targets(of: files.manifest)
      return ModuleTrees(
        project: files.manifest.name,
        targets: targets.map { target in
          let trees = LockedGraph(target, lock).trees(depth: depth ?? .max)
          return .init(name: target.name, platform: target.platform, modules: trees.map(ModuleTrees.Node.init))
        })
    }
  }
}

/// The modules of each target of a project, as trees.
struct ModuleTrees: Presentable {
  struct Target: Encodable, Sendable {
    /// nil where the project names no targets.
    let name: String?
    let platform: ModulePlatform?
    let modules: [Node]
  }

  struct Node: Encodable, Sendable {
    let name: String
    let requirement: String
    /// nil where the lock has none.
    let version: String?
    /// Tells whether what it needs was shown above.
    let isRepeated: Bool
    let needs: [Node]

    private enum CodingKeys: String, CodingKey {
      case name, requirement, version, needs
      case isRepeated = "repeated"
    }

    init(_ tree: LockedTree) {
      name = tree.step.name
      requirement = tree.step.requirement.text
      version = tree.step.version?.text
      isRepeated = tree.isRepeated
      needs = tree.needs.map(Node.init)
    }
  }

  let project: String?
  let targets: [Target]

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for target in targets {
      let title = target.name ?? project ?? catalogue.text("text.module-tree-project")
      var heading = StyledText(title, .heading)
      if let platform = target.platform { heading.append(" (\(platform.rawValue))", .faint) }
      document.line(heading)
      Self.draw(target.modules, "", &document)
    }
    if targets.contains(where: { $0.modules.contains(where: \.hasRepeated) }) {
      document.line(StyledText(catalogue.text("text.module-tree-repeated"), .faint))
    }
    return document
  }

  private static func draw(_ nodes: [Node], _ indentation: String, _ document: inout Document) {
    for (index, node) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      var line = StyledText(indentation + (isLast ? "└── " : "├── "), .faint)
      line.append(node.name)
      line.append(" " + (node.version ?? "–"), node.version == nil ? .warning : .number)
      line.append(" (\(node.requirement))", .faint)
      if node.isRepeated { line.append(" (*)", .faint) }
      document.line(line)
      draw(node.needs, indentation + (isLast ? "    " : "│   "), &document)
    }
  }
}

extension ModuleTrees.Node {
  fileprivate var hasRepeated: Bool { isRepeated || needs.contains(where: \.hasRepeated) }
}
