import ArgumentParser
import CommandKit
import ConfigCommands
import MPaaSConfig
import MPaaSOpenAPI
import MPaaSSupport
import MPaaSTerminal

extension GatewayCommand {
  /// `mpaas gateway lint FILE`: what is wrong with a description of calls.
  struct Lint: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "gateway.lint") }

    @Argument(help: .text("command.gateway.lint.file"), completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    @Flag(help: .text("command.gateway.lint.document-only"))
    var documentOnly = false

    @Flag(help: .text("command.gateway.lint.allow-outside"))
    var allowOutside = false

    @Flag(help: .text("command.gateway.lint.strict"))
    var strict = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FindingsView {
      let files = OpenAPIFiles(allowsOutside: allowOutside)
      let findings = try OpenAPILint.file(file, files, documentOnly: documentOnly)
      return FindingsView(
        findings.map { ConfigFinding($0.severity == .error ? .error : .warning, $0.error) }, files: 1,
        isStrict: strict, context.catalogue)
    }
  }
}
