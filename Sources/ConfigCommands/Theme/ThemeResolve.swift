import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTheme

extension ThemeCommand {
  /// `mpaas theme resolve PATH [VALUE…]`: what the values of a theme are on a device.
  struct Resolve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("resolve", key: "theme.resolve") }

    @Argument(help: .text("command.theme.resolve.path"), completion: .file(extensions: ["plist", "bundle"]))
    var path: String

    @Argument(help: .text("command.theme.resolve.values"))
    var values: [String] = []

    @Option(
      name: .customLong("theme"), help: .text("command.theme.resolve.theme", valueName: "theme"),
      completion: .file(extensions: ["plist", "bundle"]))
    var themePath: String?

    @OptionGroup var options: ThemeOptions
    @OptionGroup var device: ThemeDeviceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ResolvedTheme {
      // With --theme, and where there is no such file but a theme at hand, all words are value paths.
      let standard = FileStatus(path) == nil ? Self.themeHere() : nil
      let (file, wanted) = (themePath ?? standard).map { ($0, [path] + values) } ?? (path, values)
      let theme = try options.theme(file).on(device.chosen())
      // A mistake elsewhere keeps no value from being told.
      let (all, unresolved) = try theme.resolvableEntries(at: wanted.isEmpty ? nil : wanted)
      guard !wanted.isEmpty else {
        return ResolvedTheme(theme, all, missing: [], unresolved: unresolved, context.catalogue)
      }
      var entries: [ThemeEntry] = []
      var missing: [String] = []
      for name in wanted {
        func isThere(_ path: String) -> Bool { path == name || path.hasPrefix(name + ".") }
        let below = all.filter { isThere($0.name) }
        let isBroken = unresolved.contains { $0.valuePath.map { isThere($0) || name.hasPrefix($0 + ".") } ?? false }
        let found = try below.isEmpty && !isBroken ? [theme.entry(at: name)].compactMap(\.self) : below
        if found.isEmpty && !isBroken { missing.append(name) }
        entries += found
      }
      return ResolvedTheme(
        theme, entries, missing: missing, unresolved: unresolved, context.catalogue,
        among: missing.isEmpty ? [] : (try? theme.resolvableEntries())?.entries ?? all)
    }

    /// The one theme in the folder where the command runs.
    private static func themeHere() -> String? {
      if FileStatus(Theme.fileName)?.kind == .file { return Theme.fileName }
      let names = ((try? FileSystem.names(in: ".")) ?? []).filter {
        $0.hasSuffix(".bundle") && FileStatus($0 + "/" + Theme.fileName)?.kind == .file
      }
      return names.count == 1 ? names[0] : nil
    }
  }
}
