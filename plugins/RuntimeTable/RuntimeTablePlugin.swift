import Foundation
import PackagePlugin

/// Writes the typed table of a target's `MobileRuntime.plist` (and `BeeHive.plist`), and of its types that register
/// themselves, before the target is compiled.
@main struct RuntimeTablePlugin: BuildToolPlugin {
  private static let names: Set<String> = ["MobileRuntime.plist", "BeeHive.plist"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let sources = Self.sources(of: target)
    let plists = Self.plists(in: target.directoryURL)
    let output = context.pluginWorkDirectoryURL.appending(path: "RuntimeTable.swift")
    var inputs = plists + sources
    var arguments = [
      "--target", target.moduleName, "--package", context.package.directoryURL.path, "--output", output.path,
    ]
    arguments += plists.flatMap { ["--plist", $0.path] } + sources.flatMap { ["--source", $0.path] }
    for dependency in target.dependencies {
      switch dependency {
      case .target(let other):
        guard let other = other as? any SourceModuleTarget else { continue }
        let others = Self.sources(of: other)
        inputs += others
        arguments += ["--module", other.moduleName] + others.flatMap { ["--source", $0.path] }
      case .product(let product):
        // Their names are enough: the compiler finds what is missing in them.
        for case let other as any SourceModuleTarget in product.targets { arguments += ["--module", other.moduleName] }
      @unknown default: break
      }
    }
    return [
      .buildCommand(
        displayName: "RuntimeTable of \(target.name)", executable: try context.tool(named: "RuntimeTableTool").url,
        arguments: arguments, inputFiles: inputs, outputFiles: [output])
    ]
  }

  private static func sources(of target: any SourceModuleTarget) -> [URL] {
    target.sourceFiles(withSuffix: ".swift").map(\.url).sorted { $0.path < $1.path }
  }

  /// The runtime files anywhere in the target's folder, whether the manifest speaks of them or not.
  private static func plists(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [URL] = []
    while let file = files?.nextObject() as? URL {
      if names.contains(file.lastPathComponent) { found.append(file) }
    }
    return found.sorted { ($0.lastPathComponent, $0.path) > ($1.lastPathComponent, $1.path) }
  }
}
