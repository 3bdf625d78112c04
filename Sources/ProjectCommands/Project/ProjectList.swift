import ArgumentParser
import CommandKit
import MPaaSJSON
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand {
  /// `mpaas project list PROJECT`: its targets, configurations, packages and schemes.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "project.list") }

    @Argument(help: .text("command.project.project"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
    var project = "."

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ProjectContents {
      let source = try XcodeProjectSource(project)
      var contents =
        switch source.content {
        case .objects(let file): ProjectContents(file)
        case .json(let file): ProjectContents(file)
        }
      contents.name = XcodeProjectSource.name(of: source.path)
      contents.path = source.path
      contents.schemes = Self.schemes(FileSystem.folder(of: source.path) + "/xcshareddata/xcschemes")
      return contents
    }

    private static func schemes(_ folder: String) -> [String] {
      ((try? FileSystem.names(in: folder)) ?? []).filter { $0.hasSuffix(".xcscheme") }
        .map { String($0.dropLast(9)) }.sorted()
    }
  }
}

/// The content of a project.
struct ProjectContents: Presentable {
  struct Phase: Encodable, Sendable {
    let kind: String
    let name: String
    let files: Int
  }

  struct Target: Encodable, Sendable {
    let name: String
    let id: String
    let kind: String
    let productType: String?
    let product: String?
    var configurations: [String] = []
    var phases: [Phase] = []
    var dependencies: [String] = []
    var packages: [String] = []
    var folders: [String] = []

    enum CodingKeys: String, CodingKey {
      case name, id, kind, product, configurations, phases, dependencies, packages, folders
      case productType = "product_type"
    }
  }

  struct Package: Encodable, Sendable {
    let name: String
    let location: String
    let requirement: String?
  }

  var name = ""
  var path = ""
  let objectVersion: String?
  let configurations: [String]
  let targets: [Target]
  let packages: [Package]
  var schemes: [String] = []

  enum CodingKeys: String, CodingKey {
    case name, path, configurations, targets, packages, schemes
    case objectVersion = "object_version"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    var heading = StyledText(name, .emphasis)
    if let objectVersion { heading.append("  objectVersion \(objectVersion)", .faint) }
    document.line(heading)
    document.table(
      Table(
        columns: ["target", "type", "product", "files", "dependencies"].map {
          Table.Column(catalogue.text("text.project-column-\($0)"), isNumeric: $0 == "files")
        },
        rows: targets.map { target in
          [
            StyledText(target.name, .emphasis), StyledText(target.productType.map(Self.short) ?? target.kind),
            StyledText(target.product ?? "–", .path), StyledText("\(target.phases.reduce(0) { $0 + $1.files })"),
            StyledText(
              (target.dependencies + target.packages + target.folders.map { $0 + "/" }).joined(separator: ", ")),
          ]
        }))
    func line(_ key: String, _ words: [String]) {
      guard !words.isEmpty else { return }
      var line = StyledText(catalogue.text("text.project-\(key)") + " ", .heading)
      line.append(words.joined(separator: ", "))
      document.line(line)
    }
    line("configurations", configurations)
    line("packages", packages.map { [$0.name, $0.requirement].compactMap(\.self).joined(separator: " ") })
    line("schemes", schemes)
    return document
  }

  /// `com.apple.product-type.application` without what all have.
  private static func short(_ type: String) -> String {
    type.hasPrefix("com.apple.product-type.") ? String(type.dropFirst(23)) : type
  }
}

extension ProjectContents {
  init(_ file: PBXProjectFile) {
    objectVersion = file.rootMembers.first { $0.key == "objectVersion" }?.value.string
    configurations = file.project.map { file.configurations(of: $0).compactMap { $0.string("name") } } ?? []
    targets = file.targets.map { Self.target($0, file) }
    packages = file.packageReferences().map(Self.package)
  }

  private static func target(_ target: PBXObject, _ file: PBXProjectFile) -> Target {
    let product = target.string("productReference").flatMap { file.object($0) }
    return Target(
      name: target.string("name") ?? "", id: target.id, kind: target.isa, productType: target.string("productType"),
      product: product?.string("path") ?? product?.string("name"),
      configurations: file.configurations(of: target).compactMap { $0.string("name") },
      phases: file.buildPhases(of: target).map { phase in
        let kind = phase.isa.hasPrefix("PBX") ? String(phase.isa.dropFirst(3)) : phase.isa
        let usual = kind.hasSuffix("BuildPhase") ? String(kind.dropLast(10)) : kind
        return Phase(kind: phase.isa, name: phase.string("name") ?? usual, files: phase.strings("files").count)
      },
      dependencies: target.strings("dependencies").compactMap { id in
        guard let dependency = file.object(id) else { return nil }
        let other = dependency.string("target").flatMap { file.object($0) }
        let proxy = dependency.string("targetProxy").flatMap { file.object($0) }
        return other?.string("name") ?? dependency.string("name") ?? proxy?.string("remoteInfo")
      },
      packages: target.strings("packageProductDependencies").compactMap { file.object($0)?.string("productName") },
      folders: file.synchronizedGroups(of: target).compactMap(\.displayName))
  }

  private static func package(_ reference: PBXObject) -> Package {
    let location = reference.string("repositoryURL") ?? reference.string("relativePath") ?? ""
    var name = location.split(separator: "/").last.map(String.init) ?? location
    if name.hasSuffix(".git") { name = String(name.dropLast(4)) }
    let requirement = reference["requirement"].map { value in
      ["kind", "minimumVersion", "maximumVersion", "version", "branch", "revision"]
        .compactMap { value[$0]?.string }.joined(separator: " ")
    }
    return Package(name: name, location: location, requirement: requirement)
  }

  init(_ file: XCProjFile) {
    objectVersion = nil
    configurations = file.configurations
    targets = file.targets.map { target in
      var result = Target(
        name: target["name"]?.string ?? "", id: target["id"]?.string ?? "", kind: "target",
        productType: target["product-type"]?.string, product: target["product"]?.string)
      result.configurations = file.configurations
      result.phases = (target["build-phases"]?.elements ?? []).map { phase in
        let kind = phase.string ?? phase["kind"]?.string ?? ""
        return Phase(kind: kind, name: phase["name"]?.string ?? kind, files: phase["files"]?.elements?.count ?? 0)
      }
      result.dependencies = (target["dependencies"]?.elements ?? []).compactMap { $0.string ?? $0["target"]?.string }
      return result
    }
    packages = []
  }
}
