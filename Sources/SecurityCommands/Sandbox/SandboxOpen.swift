import ArgumentParser
import CommandKit
import MPaaSSecurityTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension SandboxCommand {
  /// `mpaas sandbox open APP`: the folder of an app's data, shown by the system's file browser.
  struct Open: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("open", key: "sandbox.open") }

    @Argument(help: .text("command.sandbox.app"), completion: .appData)
    var app: String

    @Flag(name: .long, help: .text("command.sandbox.open.print"))
    var print = false

    @OptionGroup var options: SandboxOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> OpenedSandbox {
      let search = AppDataSearch(environment: context.environment, udid: options.udid)
      let data = try search.find(app, at: options.on)
      guard !print else { return OpenedSandbox(data: data, isShown: false) }
      #if os(macOS)
        let program = "open"
      #else
        let program = "xdg-open"
      #endif
      let request = ProcessRunner.Request(program, [data.folder], capturesOutput: true)
      let isShown = (try? ProcessRunner.live.run(request))?.status == 0
      return OpenedSandbox(data: data, isShown: isShown)
    }
  }
}

/// The folder of an app's data.
struct OpenedSandbox: Presentable {
  let data: AppData
  let isShown: Bool

  func encode(to encoder: any Encoder) throws {
    try JSONValue.object([
      "app": .string(data.app), "place": .string(data.place.rawValue), "folder": .string(data.folder),
      "shown": .bool(isShown), "mounted": .bool(data.isMounted),
    ]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [.line(StyledText(data.folder, .path))]
    // A device's data stays mounted, since someone looks at it.
    if data.isMounted {
      document.line(StyledText(catalogue.text("text.sandbox-mounted", ["folder": data.folder.shellWord()]), .faint))
    }
    return document
  }
}
