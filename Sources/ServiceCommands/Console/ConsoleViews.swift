import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSTerminal
import MPaaSToolSupport

/// A table with names of columns from the catalogue.
func consoleTable(
  _ names: [String], _ rows: [[StyledText]], _ catalogue: Catalogue, numeric: Set<String> = []
) -> Document {
  guard !rows.isEmpty else { return [.line(StyledText(catalogue.text("text.console-none"), .faint))] }
  let columns = names.map {
    Table.Column(catalogue.text("text.console-column-\($0)"), isNumeric: numeric.contains($0), isOptional: false)
  }
  return [.table(Table(columns: columns, rows: rows))]
}

/// A token that was made, with itself.
struct TokenView: Presentable {
  let made: TokenMade

  func encode(to encoder: any Encoder) throws { try made.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(made.token))]
  }
}

/// Tokens, a line each.
struct TokenList: Presentable {
  let tokens: [TokenEntry]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = tokens.map { token in
      [
        StyledText(token.id, .emphasis), StyledText(token.name), StyledText(token.scopes.joined(separator: " ")),
        StyledText(token.apps.joined(separator: " ")), StyledText(MomentText.utc(token.expires), .faint),
      ]
    }
    return consoleTable(["id", "name", "scopes", "apps", "expires"], rows, catalogue)
  }
}

/// Things that are no more.
struct ConsoleRemoval: Presentable {
  let removed: [String]

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: removed.map { StyledText(catalogue.text("text.console-removed", ["id": $0]), .good) })
  }
}

/// Accounts, a line each.
struct PeopleList: Presentable {
  let people: [PersonEntry]

  init(people: [PersonEntry]) { self.people = people }

  /// Changes several accounts in the same way.
  init(changing names: [String], _ wish: PersonWish, _ server: LogServer) async throws {
    var people: [PersonEntry] = []
    for name in names { people.append(try await server.changePerson(name, wish)) }
    self.people = people
  }

  func document(_ catalogue: Catalogue) -> Document {
    let rows = people.map { person in
      [
        StyledText(person.name, .emphasis), StyledText(person.role ?? ""),
        StyledText(person.teams.joined(separator: ", ")), StyledText(person.mail),
        person.isDisabled
          ? StyledText(catalogue.text("text.console-disabled"), .warning)
          : StyledText(person.subject == nil ? "" : catalogue.text("text.console-external"), .faint),
        StyledText(person.seen.map(MomentText.utc) ?? "", .faint),
      ]
    }
    return consoleTable(["account", "role", "teams", "mail", "state", "seen"], rows, catalogue)
  }
}

/// Teams, a line each.
struct TeamList: Presentable {
  let teams: [TeamEntry]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = teams.map { team in
      [
        StyledText(team.name, .emphasis), StyledText(team.apps.joined(separator: " ")),
        StyledText(team.members.map { "\($0.person)=\($0.role)" }.joined(separator: " ")),
      ]
    }
    return consoleTable(["name", "apps", "members"], rows, catalogue)
  }
}

/// Sessions, a line each.
struct SessionList: Presentable {
  let sessions: [SessionEntry]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = sessions.map { session in
      [
        StyledText(session.id, .emphasis), StyledText(session.name), StyledText(session.agent),
        StyledText(MomentText.utc(session.seen), .faint),
      ]
    }
    return consoleTable(["id", "account", "browser", "seen"], rows, catalogue)
  }
}

/// An audit log whose entries hang together.
struct AuditVerdict: Presentable {
  let entries: Int64
  /// The number and the digest of the last entry, for `--head` later.
  let head: String

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["count": String(entries), "head": head]
    return [.line(StyledText(catalogue.text("text.console-audit-whole", values), .good))]
  }
}

/// Alerts, a line each; secrets that were made are told with them.
struct AlertList: Presentable {
  let alerts: [AlertEntry]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = alerts.map { alert in
      [
        StyledText(alert.id, .emphasis), StyledText(alert.name), StyledText(Self.word(alert.when)),
        StyledText(alert.to.map { $0.webhook ?? $0.mail ?? "" }.joined(separator: " ")),
        StyledText(String(alert.firing), .number),
      ]
    }
    let table = consoleTable(["id", "name", "when", "to", "firing"], rows, catalogue, numeric: ["firing"])
    let secrets = alerts.flatMap(\.to).compactMap(\.secret)
    let lines = secrets.map { StyledText(catalogue.text("text.console-secret", ["secret": $0])) }
    return Document(blocks: table.blocks + Document(lines: lines).blocks)
  }

  private static func word(_ when: AlertWhen) -> String {
    if when.new != nil { return "new" }
    if when.regressed != nil { return "regressed" }
    if let count = when.count { return "count > \(count.over) / \(count.minutes) min" }
    if let count = when.users { return "users > \(count.over) / \(count.minutes) min" }
    if let free = when.crashFreeBelow { return "crash-free < \(free.share * 100)%" }
    if let quota = when.quota { return "quota > \(quota.over * 100)%" }
    return when.adoption.map { "adoption > \($0.over * 100)%" } ?? ""
  }
}

/// Deliveries, a line each.
struct DeliveryList: Presentable {
  let deliveries: [AlertDelivery]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = deliveries.map { delivery in
      [
        StyledText(MomentText.utc(delivery.created), .faint), StyledText(delivery.kind.rawValue),
        StyledText(delivery.target),
        StyledText(delivery.state.rawValue, delivery.state == .sent ? .good : .warning),
        StyledText(String(delivery.attempts), .number),
        StyledText(
          [delivery.status.map { String($0) } ?? "", delivery.reason].filter { !$0.isEmpty }.joined(separator: " ")),
      ]
    }
    return consoleTable(
      ["time", "kind", "to", "state", "attempts", "answer"], rows, catalogue, numeric: ["attempts"])
  }
}
