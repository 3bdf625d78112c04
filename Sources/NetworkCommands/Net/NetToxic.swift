import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net toxic …`: what is wrong with the network of a proxy.
  struct ToxicCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "toxic", key: "net.toxic",
        subcommands: [
          Add.self,
          Update.self,
          Remove.self,
          List.self,
        ])
    }
  }
}

extension NetCommand.ToxicCommand {
  /// `mpaas net toxic add PROXY TYPE [ATTRIBUTE=VALUE…]`.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration {
      let catalogue = Catalogue.current
      return CommandConfiguration(
        commandName: "add", abstract: catalogue.text("command.net.toxic.add.abstract"),
        discussion: catalogue.text("command.net.toxic.add.discussion") + "\n" + ToxicHelp.lines.joined(separator: "\n"))
    }

    @Argument(help: .text("command.net.toxic.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: String

    @Argument(help: .text("command.net.toxic.add.type", valueName: "type"))
    var kind: Condition.Kind

    @Argument(
      help: .text("command.net.toxic.add.attributes", valueName: "attribute=value"), completion: .toxicAttributes)
    var attributes: [String] = []

    @Option(name: [.short, .long], help: .text("command.net.toxic.add.name", valueName: "name"))
    var name: String?

    @Option(help: .text("command.net.toxic.add.stream"))
    var stream = Direction.downstream

    @Option(help: .text("command.net.toxic.add.toxicity", valueName: "share"))
    var toxicity = "1"

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let condition = try Condition(kind: kind, attributes: try kind.attributes(of: attributes))
      let toxic = Toxic(name: name, condition, direction: stream, toxicity: try ToxicHelp.share(toxicity))
      let server = try api.server(in: context)
      let added = try await server.ask("POST", "proxies", proxy, "toxics", body: toxic.json)
      return NetAnswer(added) { _ in [.line(ProxyViews.line(added.object ?? [:]))] }
    }
  }

  /// `mpaas net toxic update PROXY NAME ATTRIBUTE=VALUE…`: what is not named stays.
  struct Update: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("update", key: "net.toxic.update") }

    @Argument(help: .text("command.net.toxic.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: String

    @Argument(help: .text("command.net.toxic.name", valueName: "toxic"), completion: .networkToxics)
    var name: String

    @Argument(
      help: .text("command.net.toxic.add.attributes", valueName: "attribute=value"), completion: .toxicAttributes)
    var attributes: [String] = []

    @Option(help: .text("command.net.toxic.add.toxicity", valueName: "share"))
    var toxicity: String?

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let server = try api.server(in: context)
      let present = try await server.ask("GET", "proxies", proxy, "toxics", name).object ?? [:]
      guard let kind = Condition.Kind(rawValue: present.text("type")) else {
        throw NetworkError(.toxicType, ["type": present.text("type"), "known": "", "near": ""])
      }
      var change: JSONValue.Object = ["attributes": .object(try kind.attributes(of: attributes))]
      if let toxicity { change["toxicity"] = JSONValue(try ToxicHelp.share(toxicity)) }
      let updated = try await server.ask("PATCH", "proxies", proxy, "toxics", name, body: .object(change))
      return NetAnswer(updated) { _ in [.line(ProxyViews.line(updated.object ?? [:]))] }
    }
  }

  /// `mpaas net toxic remove PROXY [NAME…]`.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "net.toxic.remove") }

    @Argument(help: .text("command.net.toxic.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: String

    @Argument(help: .text("command.net.toxic.name", valueName: "toxic"), completion: .networkToxics)
    var names: [String] = []

    @Flag(help: .text("command.net.toxic.remove.all"))
    var all = false

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      guard all != !names.isEmpty else { throw Diagnostic("net-toxic-which", exit: .usage) }
      let server = try api.server(in: context)
      var names = names
      if all {
        names = (try await server.ask("GET", "proxies", proxy, "toxics").array ?? []).compactMap {
          $0.object?.text("name")
        }
      }
      for name in names { try await server.ask("DELETE", "proxies", proxy, "toxics", name) }
      let removed = names
      let proxy = proxy
      return NetAnswer(["removed": .array(removed.map { .string($0) })]) { catalogue in
        Document(
          lines: removed.map { StyledText(catalogue.text("text.net-toxic-removed", ["toxic": $0, "proxy": proxy])) })
      }
    }
  }

  /// `mpaas net toxic list PROXY`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "net.toxic.list") }

    @Argument(help: .text("command.net.toxic.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: String

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let toxics = try await api.server(in: context).ask("GET", "proxies", proxy, "toxics")
      return NetAnswer(toxics) { catalogue in
        let all = (toxics.array ?? []).compactMap(\.object)
        guard !all.isEmpty else { return [.line(StyledText(catalogue.text("text.net-no-toxics"), .faint))] }
        return Document(lines: all.map(ProxyViews.line))
      }
    }
  }
}

/// The help texts about toxics.
enum ToxicHelp {
  /// A line for each type: its attributes with their units.
  static var lines: [String] {
    let width = Condition.Kind.allCases.map(\.rawValue.count).max() ?? 0
    return Condition.Kind.allCases.map { kind in
      let attributes = kind.attributes.map { attribute in
        attribute.name + (attribute.unit.symbol.map { " (\($0))" } ?? "")
      }
      let name = kind.rawValue.padded(toWidth: width)
      return "  \(name)  " + (attributes.isEmpty ? "–" : attributes.joined(separator: ", "))
    }
  }

  /// `0.25` or `25%`.
  static func share(_ text: String) throws -> Double {
    guard let share = Quantity.share(text) ?? Quantity.number(text), (0...1).contains(share) else {
      throw Diagnostic("net-toxicity", ["value": text], exit: .usage)
    }
    return share
  }
}
