import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The receivers of badges.
struct BadgeTargetOptions: ParsableArguments {
  @Option(help: .text("command.badges.user", valueName: "user"))
  var user: [String] = []

  @Option(help: .text("command.badges.segment", valueName: "word"))
  var segment: [String] = []

  @Flag(help: .text("command.badges.all"))
  var all = false

  var targets: [BadgeTarget] {
    user.map(BadgeTarget.user) + segment.map(BadgeTarget.segment) + (all ? [.all] : [])
  }

  /// The one target that is named; nil for none.
  ///
  /// - Throws: `badge-target` where there are several.
  func one() throws -> BadgeTarget? {
    guard targets.count <= 1 else { throw Diagnostic("badge-target", exit: .usage) }
    return targets.first
  }
}

extension BadgesCommand {
  /// `mpaas badges push BADGE`: gives users, segments or all a badge, or those of a payload.
  struct Push: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("push", key: "badges.push") }

    @Argument(help: .text("command.badges.push.badge", valueName: "path"))
    var badge: String?

    @Option(help: .text("command.badges.push.style", valueName: "style"), completion: .list([".", "new", "num", "惠"]))
    var style: String?

    @Option(help: .text("command.badges.push.temporary", valueName: "number"))
    var temporary: Int?

    @Option(help: .text("command.badges.push.persistent", valueName: "number"))
    var persistent: Int?

    @Option(help: .text("command.badges.push.business", valueName: "id"))
    var business: String?

    @Option(help: .text("command.badges.push.file", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: .text("command.badges.app", valueName: "key"))
    var app: String?

    @OptionGroup var target: BadgeTargetOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BadgeChangeView {
      let targets = target.targets
      guard !targets.isEmpty else { throw Diagnostic("badge-target", exit: .usage) }
      let push = BadgePush(app: app, targets: targets, badges: try badges())
      return BadgeChangeView(change: try await server.server(in: context).push(push))
    }

    private func badges() throws -> [BadgeItem] {
      guard (badge == nil) != (file == nil) else { throw Diagnostic("badge-source", exit: .usage) }
      if let badge {
        // A badge without a number would not be shown.
        let temporary = temporary ?? (persistent == nil ? 1 : 0)
        let style = style ?? (temporary + (persistent ?? 0) > 1 ? "num" : ".")
        return [
          BadgeItem(badge, style: style, temporary: temporary, persistent: persistent ?? 0, business: business)
        ]
      }
      let path = file ?? "-"
      let bytes = try Bytes.reading(path == "-" ? "/dev/stdin" : path, limit: BadgeInfo.largestPayload)
      return try BadgeInfo.list(bytes.buffer, file: path).map {
        BadgeItem(
          $0.badgeID, style: $0.style.text, temporary: $0.temporaryNumber, persistent: $0.persistentNumber,
          business: $0.businessID)
      }
    }
  }

  /// `mpaas badges list`: what the server has, by targets.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "badges.list") }

    @Option(help: .text("command.badges.list.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.badges.list.before", valueName: "version"))
    var before: Int64?

    @OptionGroup var target: BadgeTargetOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...1000).contains(limit ?? 1) else {
        throw ValidationError(Catalogue.current.text("text.list-limit"))
      }
    }

    func run(in context: Context) async throws -> BadgeEntryList {
      BadgeEntryList(
        badges: try await server.server(in: context).badges(try target.one(), before: before, limit: limit))
    }
  }

  /// `mpaas badges clear`: takes badges away.
  struct Clear: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("clear", key: "badges.clear") }

    @Argument(
      help: .text("command.badges.clear.path", valueName: "path"),
      completion: .served(ServerPaths.badgeTargets) { (page: BadgePage) in
        page.badges.map { Candidate($0.badge.badgeID, $0.target.name) }
      })
    var path: String?

    @Option(help: .text("command.badges.app", valueName: "key"))
    var app: String?

    @OptionGroup var target: BadgeTargetOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BadgeChangeView {
      let target = try target.one()
      guard target != nil || path != nil else { throw Diagnostic("badge-target", exit: .usage) }
      return BadgeChangeView(
        change: try await server.server(in: context).clearBadges(target, path: path, app: app))
    }
  }
}

/// The outcome of a change of badges.
struct BadgeChangeView: Presentable {
  let change: BadgeChange

  func encode(to encoder: any Encoder) throws { try change.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["count": String(change.count), "version": String(change.version)]
    return [.line(StyledText(catalogue.text("text.badges-changed", values)))]
  }
}

/// Badges by their targets, a line each.
struct BadgeEntryList: Presentable {
  let badges: [BadgeEntry]

  func document(_ catalogue: Catalogue) -> Document {
    guard !badges.isEmpty else { return [.line(StyledText(catalogue.text("text.badges-none"), .faint))] }
    let names = ["badge", "target", "style", "temporary", "persistent", "version"]
    let columns = names.map {
      Table.Column(
        catalogue.text("text.badges-\($0)"), isNumeric: ["temporary", "persistent", "version"].contains($0))
    }
    let rows = badges.map { entry in
      let kind = catalogue.text("text.badges-\(entry.target.kind.rawValue)")
      return [
        StyledText(entry.badge.badgeID, .emphasis),
        StyledText(entry.target.name.isEmpty ? kind : "\(kind) \(entry.target.name)"), StyledText(entry.badge.style),
        StyledText(String(entry.badge.temporary), .number), StyledText(String(entry.badge.persistent), .number),
        StyledText(String(entry.version), .number),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}
