import ArgumentParser
import CommandKit
import MPaaSAppServices
import MPaaSSupport
import MPaaSTerminal

/// `mpaas badges …`: badges as apps show them, and what the server sends.
struct BadgesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("badges", key: "badges", subcommands: [Preview.self, Push.self, List.self, Clear.self])
  }

  /// `mpaas badges preview FILE`: the tree of a payload, with what each widget shows.
  struct Preview: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("preview", key: "badges.preview") }

    @Argument(help: .text("command.badges.preview.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: .text("command.badges.preview.calculation", valueName: "word"))
    var calculation = Calculation.all

    /// A calculation by its word.
    enum Calculation: String, ExpressibleByArgument, CaseIterable { case all, point, new, num }

    @Option(help: .text("command.badges.preview.tap", valueName: "widget"))
    var tap: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BadgePreview {
      let bytes = try Bytes.reading(file == "-" ? "/dev/stdin" : file, limit: BadgeInfo.largestPayload)
      var forest = BadgeForest(try BadgeInfo.list(bytes.buffer, file: file))
      let widgets = Self.names(forest.outline(.all))
      for widget in tap {
        guard widgets.contains(widget) else {
          let meant = closestMatch(to: widget, among: widgets) ?? widgets.first ?? "–"
          throw Diagnostic("badge-widget-unknown", ["widget": widget, "near": meant], exit: .usage)
        }
        forest.tap(widget)
      }
      return BadgePreview(forest.outline(BadgeCalculation(calculation.rawValue)))
    }
  }
}

extension BadgesCommand.Preview {
  /// The widgets of a tree, the outer ones first.
  private static func names(_ outline: [BadgeOutline]) -> [String] {
    outline.flatMap { [$0.widgetID] + names($0.children) }
  }
}

/// The widgets of a payload as a tree.
struct BadgePreview: Presentable {
  struct Node: Encodable {
    let widget: String
    let path: String
    let shows: String?
    let temporary: Int?
    let persistent: Int?
    let number: Int
    let children: [Node]

    init(_ node: BadgeOutline) {
      widget = node.widgetID
      path = node.path
      shows = node.value.text
      temporary = node.badge?.temporaryNumber
      persistent = node.badge?.persistentNumber
      number = node.number
      children = node.children.map(Node.init)
    }
  }

  let widgets: [Node]

  init(_ outline: [BadgeOutline]) { widgets = outline.map(Node.init) }

  func document(_ catalogue: Catalogue) -> Document {
    guard !widgets.isEmpty else { return [.line(StyledText(catalogue.text("text.badges-none"), .faint))] }
    let names = ["widget", "shows", "temporary", "persistent"]
    var table = Table(columns: names.map { Table.Column(catalogue.text("text.badges-\($0)")) })
    func add(_ node: Node, _ depth: Int) {
      table.rows.append([
        StyledText(String(repeating: "  ", count: depth) + node.widget, node.children.isEmpty ? .plain : .emphasis),
        StyledText(node.shows ?? "–", node.shows == nil ? .faint : .highlight),
        StyledText(node.temporary.map(String.init) ?? "", .number),
        StyledText(node.persistent.map(String.init) ?? "", .number),
      ])
      for child in node.children { add(child, depth + 1) }
    }
    for widget in widgets { add(widget, 0) }
    return [.table(table)]
  }
}
