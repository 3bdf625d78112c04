import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-package PROJECT URL|FOLDER`: a Swift package, and its products in targets.
  struct AddPackage: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-package", key: "project.edit.add-package")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.package", valueName: "url-or-folder"))
    var package: String

    @Option(name: .long, help: .text("command.project.edit.add-package.product", valueName: "name"))
    var product: [String] = []

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.add-package.from", valueName: "version"))
    var from: String?

    @Option(
      name: .customLong("up-to-next-minor"), help: .text("command.project.edit.add-package.minor", valueName: "version")
    )
    var upToNextMinor: String?

    @Option(name: .long, help: .text("command.project.edit.add-package.exact", valueName: "version"))
    var exact: String?

    @Option(name: .long, help: .text("command.project.edit.add-package.range", valueName: "low..<high"))
    var range: String?

    @Option(name: .long, help: .text("command.project.edit.add-package.branch", valueName: "name"))
    var branch: String?

    @Option(name: .long, help: .text("command.project.edit.add-package.revision", valueName: "digest"))
    var revision: String?

    @OptionGroup var positions: ProjectPositionOptions

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddPackage(place.path(package), try requirement())
      operation.products = product
      operation.targets = targets.words
      operation.position = positions.position
      operation.phasePosition = positions.phasePosition
      operation.missing = disk.missing
      return [operation]
    }

    /// - Throws: `edit-bad-word` where several are asked for.
    private func requirement() throws -> PackageRequirement? {
      let asked: [(kind: PackageRequirement.Kind, text: String?)] = [
        (.from, from), (.upToNextMinor, upToNextMinor), (.exact, exact), (.range, range), (.branch, branch),
        (.revision, revision),
      ]
      let given = asked.compactMap { entry in entry.text.map { (kind: entry.kind, text: $0) } }
      guard given.count < 2 else {
        let words = given.map { "--" + $0.kind.rawValue.replacing("_", with: "-") }.joined(separator: " ")
        throw ProjectEditError(.badWord, ["word": words, "expected": "--from 1.0.0"])
      }
      return try given.first.map { try PackageRequirement($0.kind, $0.text) }
    }
  }

  /// `mpaas project edit remove-package PROJECT URL|FOLDER`: a package leaves targets and the project.
  struct RemovePackage: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-package", key: "project.edit.remove-package")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-package.package", valueName: "url-or-name"))
    var package: String

    @Option(name: .long, help: .text("command.project.edit.remove-package.product", valueName: "name"))
    var product: [String] = []

    @Option(name: .long, help: .text("command.project.edit.all-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemovePackage(package)
      operation.products = product
      operation.targets = TargetWords(target)
      return [operation]
    }
  }
}
