import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net list [NAME…]`: the proxies of a running server.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "net.list") }

    @Argument(help: .text("command.net.list.names", valueName: "proxy"), completion: .networkProxies)
    var names: [String] = []

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> NetAnswer {
      let server = try api.server(in: context)
      guard !names.isEmpty else {
        let proxies = try await server.proxies()
        return NetAnswer(.array(proxies.map { .object($0) })) { ProxyViews.table(proxies, $0) }
      }
      var proxies: [JSONValue.Object] = []
      for name in names { proxies.append(try await server.ask("GET", "proxies", name).object ?? [:]) }
      let all = proxies
      return NetAnswer(.array(all.map { .object($0) })) { catalogue in
        Document(blocks: all.flatMap { ProxyViews.details($0, catalogue).blocks })
      }
    }
  }
}

/// The views of proxies of the API.
enum ProxyViews {
  static func table(_ proxies: [JSONValue.Object], _ catalogue: Catalogue) -> Document {
    guard !proxies.isEmpty else { return [.line(StyledText(catalogue.text("text.net-no-proxies")))] }
    func column(_ name: String, isOptional: Bool = false) -> Table.Column {
      Table.Column(catalogue.text("text.net-column-\(name)"), isOptional: isOptional)
    }
    return [
      .table(
        Table(
          columns: [
            column("name"), column("kind", isOptional: true), column("listen"), column("upstream"), column("state"),
            column("toxics"),
          ],
          rows: proxies.map { proxy in
            [
              StyledText(proxy.text("name"), .emphasis), StyledText(proxy.text("kind")),
              StyledText(proxy.text("listen"), .path), StyledText(proxy.text("upstream"), .path),
              state(proxy, catalogue), StyledText(toxicNames(proxy)),
            ]
          }))
    ]
  }

  private static func state(_ proxy: JSONValue.Object, _ catalogue: Catalogue) -> StyledText {
    proxy["enabled"]?.bool == true
      ? StyledText(catalogue.text("text.net-enabled"), .good) : StyledText(catalogue.text("text.net-disabled"), .bad)
  }

  private static func toxicNames(_ proxy: JSONValue.Object) -> String {
    let names = proxy.toxics.map { $0.text("name") }
    return names.isEmpty ? "–" : names.joined(separator: ", ")
  }

  static func details(_ proxy: JSONValue.Object, _ catalogue: Catalogue) -> Document {
    let route = "\(proxy.text("listen")) → \(proxy.text("upstream").isEmpty ? "*" : proxy.text("upstream"))"
    var document: Document = [
      .line(
        StyledText(proxy.text("name"), .emphasis) + "  \(proxy.text("kind"))  " + StyledText(route, .path) + "  "
          + state(proxy, catalogue))
    ]
    for (name, upstream) in (proxy["routes"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      document.line("  \(name) → \(upstream.string ?? "")")
    }
    for toxic in proxy.toxics { document.line("  " + line(toxic)) }
    if proxy.toxics.isEmpty { document.line(StyledText("  " + catalogue.text("text.net-no-toxics"), .faint)) }
    return document
  }

  /// A toxic in a line: name, type, direction, attributes.
  static func line(_ toxic: JSONValue.Object) -> StyledText {
    var line = StyledText(toxic.text("name"), .emphasis)
    line.append("  \(toxic.text("type")) \(toxic["stream"]?.string == "upstream" ? "↑" : "↓")")
    for (name, value) in (toxic["attributes"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      line.append("  \(name)=", .faint)
      line.append(value.string ?? value.line, .number)
    }
    if let toxicity = toxic["toxicity"]?.double, toxicity != 1 {
      line.append("  toxicity=", .faint)
      line.append(toxic["toxicity"]?.line ?? "", .number)
    }
    return line
  }
}

extension ExactMap<JSONValue> {
  /// The text of a member; empty where there is none.
  func text(_ name: String) -> String { self[name]?.string ?? "" }

  /// The toxics of a proxy.
  var toxics: [JSONValue.Object] { (self["toxics"]?.array ?? []).compactMap(\.object) }
}
