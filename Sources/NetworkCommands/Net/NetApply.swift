import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net apply PROFILE|off`: a profile on the proxies of a running server.
  struct Apply: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("apply", key: "net.apply") }

    @Argument(
      help: .text("command.net.apply.profile", valueName: "profile"),
      completion: .networkProfilesOrOff)
    var profile: String

    @Option(
      name: [.short, .long], help: .text("command.net.apply.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: [String] = []

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let server = try api.server(in: context)
      let answer = try await server.ask("POST", "profiles", profile, "apply", body: NetApplication.body(proxy))
      let applied = answer.object?["applied"]?.object
      guard let applied else { return NetAnswer(answer, text: "text.net-applied-off") }
      return NetAnswer(
        answer, text: proxy.isEmpty ? "text.net-applied" : "text.net-applied-some",
        ["profile": applied.text("name"), "proxies": proxy.joined(separator: ", ")])
    }
  }

  /// `mpaas net button longer|shorter|2g|flight-mode`: what may be pressed while data flows.
  struct Button: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("button", key: "net.button") }

    @Argument(
      help: .text("command.net.button.button", valueName: "button"),
      completion: .list(["longer", "shorter", "2g", "flight-mode"]))
    var button: String

    @Option(
      name: [.short, .long], help: .text("command.net.apply.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: [String] = []

    @Flag(help: .text("command.net.button.on"))
    var on = false

    @Flag(help: .text("command.net.button.off"))
    var off = false

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      guard !(on && off) else { throw Diagnostic("net-toggle-both", exit: .usage) }
      var body = NetApplication.body(proxy).object ?? [:]
      if on || off { body["pressed"] = .bool(on) }
      let answer = try await api.server(in: context).ask("POST", "buttons", button, body: .object(body))
      let pressed = (answer.object?["pressed"]?.array ?? []).compactMap(\.string)
      let button = button
      return NetAnswer(answer) { catalogue in
        if ["longer", "shorter"].contains(button) {
          return [.line(StyledText(catalogue.text("text.net-button-\(button)")))]
        }
        let key = pressed.contains(button) ? "text.net-button-down" : "text.net-button-up"
        return [.line(StyledText(catalogue.text(key, ["button": button])))]
      }
    }
  }
}

enum NetApplication {
  static func body(_ proxies: [String]) -> JSONValue {
    proxies.isEmpty ? [:] : ["proxies": .array(proxies.map { .string($0) })]
  }
}
