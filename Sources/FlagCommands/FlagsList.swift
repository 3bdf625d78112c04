import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags list`: the flags of a state.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "flags.list") }

    @OptionGroup var source: FlagSourceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagListView {
      FlagListView(flags: try await source.state(in: context).flags.map { FlagListView.Flag($0) })
    }
  }

  /// `mpaas flags show NAME`: all that a state says of a flag.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "flags.show") }

    @OptionGroup var source: FlagSourceOptions

    @Argument(help: .text("command.flags.name"), completion: .flagNames)
    var name: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagView {
      let state = try await source.state(in: context)
      guard let flag = state.flags.last(where: { $0.name == name }) else { throw FlagError.absent(name, in: state) }
      return FlagView(flag)
    }
  }
}

extension FlagError.Code {
  /// A case of an evaluation is not what it should be.
  static var caseMalformed: Self { malformed("flags-case-malformed") }
  /// A file that is not overwritten unasked.
  static var outputExists: Self { FlagError.Code("flags-output-exists", exit: .cannotCreate) }
}

/// The flags of a state.
struct FlagListView: Presentable {
  struct Flag: Encodable {
    let name: String
    let type: String?
    let enabled: Bool
    let stale: Bool
    let strategies: Int
    let variants: Int

    init(_ flag: FlagDefinition) {
      (name, type, enabled, stale) = (flag.name, flag.type, flag.isEnabled, flag.isStale)
      (strategies, variants) = (flag.strategies.count, flag.variants.count)
    }
  }

  let flags: [Flag]

  func document(_ catalogue: Catalogue) -> Document {
    func heading(_ name: String) -> String { catalogue.text("text.flags-heading-\(name)") }
    return [
      .table(
        Table(
          columns: [
            .init(heading("name")), .init(heading("type")), .init(heading("state")), .init(heading("strategies")),
            .init(heading("variants")),
          ],
          rows: flags.map { flag in
            [
              StyledText(flag.name, .function), StyledText(flag.type ?? "-", .faint),
              .flagState(flag.enabled, catalogue),
              StyledText("\(flag.strategies)"), StyledText("\(flag.variants)"),
            ]
          }))
    ]
  }
}

extension StyledText {
  /// The word for on or off.
  static func flagState(_ isOn: Bool, _ catalogue: Catalogue) -> StyledText {
    StyledText(catalogue.text(isOn ? "text.flags-on" : "text.flags-off"), isOn ? .good : .faint)
  }
}

/// All that a state says of a flag.
struct FlagView: Presentable {
  let name: String
  let type: String?
  let description: String?
  let project: String?
  let enabled: Bool
  let stale: Bool
  /// Each strategy, variant and dependency in a line.
  let strategies: [String]
  let variants: [String]
  let dependencies: [String]

  init(_ flag: FlagDefinition) {
    (name, type, description, project) = (flag.name, flag.type, flag.summary, flag.project)
    (enabled, stale) = (flag.isEnabled, flag.isStale)
    strategies = flag.strategies.map(\.line)
    variants = flag.variants.map(\.line)
    dependencies = flag.dependencies.map(\.line)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText(name, .function) + ": " + .flagState(enabled, catalogue))
    if let description, !description.isEmpty { document.line("  " + StyledText(description)) }
    for (word, lines) in [("strategy", strategies), ("variant", variants), ("dependency", dependencies)] {
      for line in lines { document.line("  " + StyledText(catalogue.text("text.flags-\(word)", ["line": line]))) }
    }
    return document
  }
}
