import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTheme

extension ThemeCommand {
  /// `mpaas theme lint THEME…`: what is wrong with themes.
  struct Lint: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "theme.lint") }

    @Argument(help: .text("command.theme.lint.paths"), completion: .file(extensions: ["plist", "bundle"]))
    var paths: [String]

    @Flag(help: .text("command.theme.lint.strict"))
    var strict = false

    @OptionGroup var options: ThemeOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FindingsView {
      let findings = try paths.flatMap { ThemeLint.findings(in: try options.theme($0)) }
      return FindingsView(findings, files: paths.count, isStrict: strict, context.catalogue)
    }
  }
}
