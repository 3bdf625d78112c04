import Foundation
import PackagePlugin

/// Writes an enumeration of the flags of a target's `flags.json`, a state as servers answer it, before the target is
/// compiled; `flags.options` beside it may have `--type NAME` and `--access WORD`.
@main struct FlagKeysPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let state = target.directoryURL.appending(path: "flags.json")
    guard target is any SourceModuleTarget, FileManager.default.fileExists(atPath: state.path) else { return [] }
    let output = context.pluginWorkDirectoryURL.appending(path: "FlagKeys.swift")
    let options = target.directoryURL.appending(path: "flags.options")
    let words = (try? String(contentsOf: options, encoding: .utf8))?.split(whereSeparator: \.isWhitespace) ?? []
    return [
      .buildCommand(
        displayName: "Flags of \(target.name)", executable: try context.tool(named: "FlagKeysTool").url,
        arguments: ["--output", output.path] + words.map(String.init) + [state.path],
        inputFiles: [state] + (words.isEmpty ? [] : [options]), outputFiles: [output])
    ]
  }
}
