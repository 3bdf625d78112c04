import Foundation
import PackagePlugin

/// Compiles the DAO documents of a target, which are its `.xml` files with a `module` as root, before the target is
/// compiled; faults in them are errors of the build, with the places in the XML.
@main struct DAOPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let documents = Self.documents(in: target.directoryURL)
    guard !documents.isEmpty else { return [] }
    let sources = target.sourceFiles(withSuffix: ".swift").map(\.url).sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "DAO.swift")
    var arguments = ["--output", output.path]
    arguments += sources.flatMap { ["--source", $0.path] }
    let settings = target.directoryURL.appending(path: "dao.options")
    var inputs = documents + sources
    if let text = try? String(contentsOf: settings, encoding: .utf8) {
      arguments += text.split(whereSeparator: \.isWhitespace).map(String.init)
      inputs.append(settings)
    }
    return [
      .buildCommand(
        displayName: "DAO of \(target.name)", executable: try context.tool(named: "DAOTool").url,
        arguments: arguments + documents.map(\.path), inputFiles: inputs, outputFiles: [output])
    ]
  }

  /// The documents anywhere in the target's folder, whether the manifest speaks of them or not.
  private static func documents(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [URL] = []
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "xml", isDocument(file) { found.append(file) }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Tells whether the first element of a file is `module`; what cannot be read as XML at all is left to the compiler.
  private static func isDocument(_ file: URL) -> Bool {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
    var rest = text[...]
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      let end: String
      if rest.hasPrefix("<!--") {
        end = "-->"
      } else if rest.hasPrefix("<?") {
        end = "?>"
      } else {
        return rest.hasPrefix("<module")
      }
      guard let close = rest.range(of: end) else { return false }
      rest = rest[close.upperBound...]
    }
    return false
  }
}
