import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension GatewayEnvironments {
  /// `mpaas gateway env list`: the environments, with the addresses that calls and logs go to.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "gateway.env.list") }

    @Argument(help: .text("command.gateway.env.words-file"), completion: .file(extensions: ["plist"]))
    var words: [String] = []

    @OptionGroup var options: GatewayFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> GatewayList {
      GatewayList(try options.open(words).file)
    }
  }

  /// `mpaas gateway env show ENVIRONMENT`: all values of one.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "gateway.env.show") }

    @Argument(help: .text("command.gateway.env.show.words"), completion: .gatewayEnvironments)
    var words: [String] = []

    @OptionGroup var options: GatewayFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> GatewayView {
      let (file, words) = try options.open(words)
      guard let name = words.first ?? file.selected, words.count < 2 else {
        throw Diagnostic("gateway-environment-not-given", exit: .usage)
      }
      return GatewayView(try file.environment(name), isSelected: file.selected == name)
    }
  }
}

/// The environments of a file.
struct GatewayList: Presentable {
  struct Environment: Encodable {
    let name: String
    let selected: Bool
    let rpcGateway: String?
    let logGateway: String?
    let values: Int
    let line: Int?
  }

  let file: String
  let selected: String?
  let environments: [Environment]

  init(_ file: GatewayFile) {
    self.file = file.document.file
    selected = file.selected
    environments = file.environments.map { environment in
      var line: Int?
      if case .text(_, let number, _) = environment.place { line = number }
      return Environment(
        name: environment.name, selected: environment.name == file.selected,
        rpcGateway: environment.first(GatewayKeys.rpc), logGateway: environment.first(GatewayKeys.log),
        values: environment.values.count, line: line)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    func heading(_ name: String) -> String { catalogue.text("text.gateway-heading-\(name)") }
    return [
      .table(
        Table(
          columns: [
            .init(""), .init(heading("environment")), .init(heading("rpc")), .init(heading("log")),
            .init(heading("values"), isNumeric: true),
          ],
          rows: environments.map {
            [
              StyledText($0.selected ? "*" : "", .good), StyledText($0.name, .function),
              StyledText($0.rpcGateway ?? "–"), StyledText($0.logGateway ?? "–"), StyledText("\($0.values)", .number),
            ]
          }))
    ]
  }
}

/// An environment with all its values.
struct GatewayView: Presentable {
  struct Value: Encodable {
    let key: String
    let value: String
  }

  let name: String
  let selected: Bool
  let values: [Value]

  init(_ environment: GatewayFile.Environment, isSelected: Bool) {
    name = environment.name
    selected = isSelected
    values = environment.values.map { Value(key: $0.key, value: $0.text) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    func heading(_ name: String) -> String { catalogue.text("text.gateway-heading-\(name)") }
    return [
      .table(
        Table(
          columns: [.init(heading("key")), .init(heading("value"))],
          rows: values.map { [StyledText($0.key, .function), StyledText($0.value)] }))
    ]
  }
}
