import Foundation
import PackagePlugin

/// Writes the catalogue's texts as literals of Swift before the target that has them in `Catalogue/Texts` is compiled.
///
/// SwiftPM's own embedding makes arrays of numbers of them, which the compiler needs minutes and gigabytes for.
@main struct CatalogueTextsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Catalogue/Texts")
    let texts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "CatalogueLiterals.swift")
    return [
      .buildCommand(
        displayName: "Texts of \(target.name)", executable: try context.tool(named: "CatalogueTool").url,
        arguments: [output.path] + texts.map(\.path), inputFiles: texts, outputFiles: [output])
    ]
  }
}
