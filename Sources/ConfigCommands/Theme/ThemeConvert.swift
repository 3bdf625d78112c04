import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal
import MPaaSTheme
import MPaaSToolSupport

extension ThemeCommand {
  /// `mpaas theme convert THEME --to swift|catalog`: a theme as Swift constants or as an asset catalogue.
  struct Convert: MPaaSCommand {
    enum Target: String, CaseIterable, ExpressibleByArgument {
      case swift, catalog
    }

    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "theme.convert") }

    @Argument(help: .text("command.theme.convert.path"), completion: .file(extensions: ["plist", "bundle"]))
    var path: String

    @Option(help: .text("command.theme.convert.to"))
    var to = Target.swift

    @Option(
      help: .text("command.theme.convert.dark", valueName: "theme"), completion: .file(extensions: ["plist", "bundle"]))
    var dark: String?

    @Option(help: .text("command.theme.convert.name", valueName: "name"))
    var name: String?

    @Option(name: .shortAndLong, help: .text("command.theme.convert.output", valueName: "path"), completion: .file())
    var output: String?

    @Option(name: .customLong("minimum-ios"), help: .text("command.theme.convert.minimum", valueName: "version"))
    var minimum: String?

    @Flag(name: .customLong("public"), help: .text("command.theme.convert.public"))
    var isPublic = false

    @Flag(help: .text("command.theme.convert.force"))
    var force = false

    @OptionGroup var options: ThemeOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConvertedTheme {
      let theme = try options.theme(path)
      let night = try dark.map { try options.theme($0) }
      let version = try minimum.map(ThemeDeviceOptions.version)
      let title = name ?? Self.name(of: theme, path)
      switch to {
      case .swift:
        let settings = ThemeSwift.Options(name: title, isPublic: isPublic, minimum: version ?? .init(0))
        let conversion = try ThemeSwift.conversion(of: theme, dark: night, options: settings)
        // One file goes to standard output unless said otherwise.
        return try ResultPlace(output).file.map { try write(conversion, to: $0, context) }
          ?? ConvertedTheme(conversion, context.catalogue)
      case .catalog:
        // A catalogue has no versions: it is for systems of today.
        let conversion = try ThemeCatalog.conversion(
          of: theme, dark: night, name: title, version: version ?? .init(99))
        return try write(conversion, to: output ?? ".", context)
      }
    }

    /// A name for what is written: the theme's folder without its ending, else its own name.
    private static func name(of theme: Theme, _ path: String) -> String {
      let folder = theme.folder.map { FileSystem.name(of: $0) } ?? ""
      if folder.hasSuffix(".bundle") { return String(folder.dropLast(7)) }
      return theme.name.flatMap { $0.isEmpty ? nil : $0 } ?? "Theme"
    }

    private func write(_ conversion: ThemeConversion, to target: String, _ context: Context) throws -> ConvertedTheme {
      let paths = try conversion.write(to: target, isFolder: to == .catalog, replaces: force)
      return ConvertedTheme(conversion, written: paths, context.catalogue)
    }
  }
}

/// The result of converting a theme.
struct ConvertedTheme: Presentable {
  private enum CodingKeys: String, CodingKey { case files, source, findings }

  /// The files that were written.
  let files: [String]
  /// The Swift source, where it was not written to a file.
  let source: String?
  let findings: [FindingsView.Finding]
  private let view: FindingsView

  init(_ conversion: ThemeConversion, written: [String]? = nil, _ catalogue: Catalogue) {
    files = written ?? []
    view = FindingsView(conversion.findings, files: 1, catalogue)
    findings = view.findings
    guard written == nil, case .text(let text)? = conversion.files.first?.content else {
      source = nil
      return
    }
    source = text
  }

  func document(_ catalogue: Catalogue) -> Document {
    if let source {
      // Values that could not be taken along must not come into a file that this is sent to.
      return Document(
        lines: source.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
          StyledText(verbatim: String($0))
        }
      )
    }
    var document = Document()
    view.append(to: &document, catalogue)
    for file in files.prefix(20) { document.line(StyledText(file, .path)) }
    if files.count > 20 {
      document.line(StyledText(catalogue.text("text.theme-more-files", ["count": "\(files.count - 20)"]), .faint))
    }
    return document
  }
}
