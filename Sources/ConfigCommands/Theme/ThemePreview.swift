import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTheme
import MPaaSToolSupport

extension ThemeCommand {
  /// `mpaas theme preview THEME`: a sheet of its colours and fonts.
  struct Preview: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("preview", key: "theme.preview") }

    @Argument(help: .text("command.theme.preview.path"), completion: .file(extensions: ["plist", "bundle"]))
    var path: String

    @Option(
      name: .shortAndLong, help: .text("command.theme.preview.output", valueName: "file"),
      completion: .file(extensions: ["svg", "png"]))
    var output: String?

    @Option(
      help: .text("command.theme.preview.dark", valueName: "theme"), completion: .file(extensions: ["plist", "bundle"]))
    var dark: String?

    @Option(help: .text("command.theme.preview.scale", valueName: "number"))
    var scale = 2

    @Flag(help: .text("command.theme.preview.force"))
    var force = false

    @OptionGroup var options: ThemeOptions
    @OptionGroup var device: ThemeDeviceOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...4).contains(scale) else { throw ValidationError(Catalogue.current.text("text.theme-scale-range")) }
    }

    func run(in context: Context) async throws -> ThemePreviewView {
      let device = try device.chosen()
      let theme = try options.theme(path).on(device)
      let sheet = try ThemeSheet(theme, dark: try dark.map { try options.theme($0).on(device) })
      guard let output = ResultPlace(output).file else {
        return ThemePreviewView(file: nil, colors: sheet.colors, fonts: sheet.fonts, svg: sheet.svg)
      }
      try sheet.write(to: output, scale: scale, replaces: force)
      return ThemePreviewView(file: output, colors: sheet.colors, fonts: sheet.fonts, svg: nil)
    }
  }
}

/// A sheet that was drawn.
struct ThemePreviewView: Presentable {
  /// Nil where the sheet itself is the result.
  let file: String?
  let colors: Int
  let fonts: Int
  let svg: String?

  func document(_ catalogue: Catalogue) -> Document {
    if let svg { return Document(lines: svg.split(separator: "\n").map { StyledText(verbatim: String($0)) }) }
    let values = ["file": file ?? "", "colors": "\(colors)", "fonts": "\(fonts)"]
    return Document(lines: [StyledText(catalogue.text("text.theme-preview-done", values))])
  }
}
