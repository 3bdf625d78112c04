import Foundation
import PackagePlugin

/// Writes the catalogue's texts as literals of Swift before the target that has them in `Catalogue/Texts` is compiled.
///
/// SwiftPM's own embedding makes arrays of numbers of them, which the compiler needs minutes and gigabytes for.
@main struct CatalogueTextsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Catalogue/Texts")
    let examples = folder.appending(path: "Examples")
    let texts = try files(in: folder, "json") + errorSources(beside: target) + files(in: examples, "txt")
    let output = context.pluginWorkDirectoryURL.appending(path: "CatalogueLiterals.swift")
    return [
      .buildCommand(
        displayName: "Texts of \(target.name)", executable: try context.tool(named: "CatalogueTool").url,
        arguments: [output.path] + texts.map(\.path), inputFiles: texts, outputFiles: [output])
    ]
  }

  private func files(in folder: URL, _ pathExtension: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == pathExtension }.sorted { $0.path < $1.path }
  }

  /// The sources of libraries that declare errors with their texts: apps have them from there.
  private func errorSources(beside target: any Target) throws -> [URL] {
    try ["MPaaSFramework": "FrameworkError", "MPaaSRPC": "RPCError"].sorted { $0.key < $1.key }.flatMap { name, type in
      let library = target.directoryURL.deletingLastPathComponent().appending(path: name)
      return try FileManager.default.subpathsOfDirectory(atPath: library.path).filter { $0.hasSuffix(".swift") }
        .sorted()
        .map { library.appending(path: $0) }
        .filter { try String(contentsOf: $0, encoding: .utf8).contains("\(type).Code(") }
    }
  }
}
