import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net create NAME --upstream HOST:PORT`: a proxy more.
  struct Create: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("create", key: "net.create") }

    @Argument(help: .text("command.net.create.name", valueName: "name"))
    var name: String

    @Option(name: [.short, .long], help: .text("command.net.create.listen", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Option(name: [.short, .long], help: .text("command.net.create.upstream", valueName: "host:port"))
    var upstream: String?

    @Option(help: .text("command.net.create.kind"))
    var kind = ProxyDefinition.Kind.tcp

    @Option(help: .text("command.net.create.route", valueName: "name=host:port"))
    var route: [String] = []

    @Option(help: .text("command.net.create.certificate", valueName: "file"), completion: .file())
    var certificate: String?

    @Option(help: .text("command.net.create.key", valueName: "file"), completion: .file())
    var key: String?

    @Option(help: .text("command.net.create.authorities", valueName: "file"), completion: .file())
    var authorities: String?

    @Flag(help: .text("command.net.create.tls-upstream"))
    var tlsUpstream = false

    @Option(help: .text("command.net.create.seed", valueName: "number"))
    var seed: UInt64 = 0

    @Flag(help: .text("command.net.create.disabled"))
    var disabled = false

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let definition = try definition(in: context)
      guard upstream != nil || !definition.needsUpstream else {
        throw Diagnostic("net-create-upstream", ["kind": kind.rawValue], exit: .usage)
      }
      let server = try api.server(in: context)
      let proxy = try await server.ask("POST", "proxies", body: definition.json)
      let object = proxy.object ?? [:]
      return NetAnswer(
        proxy, text: "text.net-created",
        [
          "name": name, "listen": object.text("listen"),
          "upstream": object.text("upstream").isEmpty ? "*" : object.text("upstream"),
        ])
    }

    private func definition(in context: Context) throws -> ProxyDefinition {
      var definition = ProxyDefinition(
        name: name, kind: kind, listen: listen, upstream: upstream ?? "", isEnabled: !disabled, seed: seed)
      for route in route {
        let sides = route.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2 else { throw Diagnostic("net-create-route", ["route": route], exit: .usage) }
        definition.routes[sides[0]] = sides[1]
      }
      if certificate != nil || key != nil || authorities != nil || tlsUpstream {
        // The server may stand in another folder.
        func whole(_ path: String?) -> String? { path.map { FileSystem.resolved($0) ?? $0 } }
        definition.tls = ProxyDefinition.TLS(
          certificate: whole(certificate), key: whole(key), toUpstream: tlsUpstream, authorities: whole(authorities))
      }
      return definition
    }
  }

  /// `mpaas net delete NAME…`: proxies less.
  struct Delete: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delete", key: "net.delete") }

    @Argument(help: .text("command.net.delete.names", valueName: "proxy"), completion: .networkProxies)
    var names: [String]

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let server = try api.server(in: context)
      for name in names { try await server.ask("DELETE", "proxies", name) }
      let names = names
      return NetAnswer(["deleted": .array(names.map { .string($0) })]) { catalogue in
        Document(lines: names.map { StyledText(catalogue.text("text.net-deleted", ["name": $0])) })
      }
    }
  }

  /// `mpaas net toggle NAME…`: takes proxies down, and up again.
  struct Toggle: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("toggle", key: "net.toggle") }

    @Argument(help: .text("command.net.toggle.names", valueName: "proxy"), completion: .networkProxies)
    var names: [String]

    @Flag(help: .text("command.net.toggle.on"))
    var on = false

    @Flag(help: .text("command.net.toggle.off"))
    var off = false

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      guard !(on && off) else { throw Diagnostic("net-toggle-both", exit: .usage) }
      let server = try api.server(in: context)
      var proxies: [JSONValue.Object] = []
      for name in names {
        let isEnabled = try await server.ask("GET", "proxies", name).object?["enabled"]?.bool ?? false
        let wanted = on || off ? on : !isEnabled
        proxies.append(try await server.ask("PATCH", "proxies", name, body: ["enabled": .bool(wanted)]).object ?? [:])
      }
      let changed = proxies
      return NetAnswer(.array(changed.map { .object($0) })) { catalogue in
        Document(
          lines: changed.map { proxy in
            let key = proxy["enabled"]?.bool == true ? "text.net-up" : "text.net-down"
            return StyledText(catalogue.text(key, ["name": proxy.text("name"), "listen": proxy.text("listen")]))
          })
      }
    }
  }

  /// `mpaas net reset`: all proxies up, all toxics gone.
  struct Reset: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("reset", key: "net.reset") }

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      try await api.server(in: context).ask("POST", "reset")
      return NetAnswer(["reset": true], text: "text.net-reset")
    }
  }
}
