import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net profiles [NAME]`: the kinds of network that there are, with their numbers.
  struct Profiles: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("profiles", key: "net.profiles") }

    @Argument(
      help: .text("command.net.profiles.name", valueName: "name"),
      completion: .networkProfiles)
    var name: String?

    @OptionGroup var options: NetworkProfileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ListedProfiles {
      let catalogue = try options.catalogue(in: context)
      guard let name else { return ListedProfiles(profiles: catalogue.profiles, catalogue: catalogue, isOne: false) }
      return ListedProfiles(profiles: [try catalogue.named(name)], catalogue: catalogue, isOne: true)
    }
  }
}

/// The output of `mpaas net profiles`.
struct ListedProfiles: Presentable {
  let profiles: [NetworkProfile]
  let catalogue: ProfileCatalogue
  /// Tells whether one was asked for by name: then all is told of it.
  let isOne: Bool

  func encode(to encoder: any Encoder) throws {
    let objects = profiles.map { JSONValue.object($0.json(profiles: catalogue)) }
    try (isOne ? objects.first ?? .null : JSONValue.object(["profiles": .array(objects)])).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard isOne, let profile = profiles.first else { return list(catalogue) }
    var document = Document()
    document.line(StyledText(profile.name, .heading) + StyledText(": " + Self.title(of: profile, catalogue)))
    document.line(StyledText(profile.source, .faint))
    document.table(Self.directions(of: profile, catalogue))
    let rest = profile.conditionText
    document.line(StyledText(catalogue.text("text.net-profile-as-phrase"), .faint) + StyledText(" \(rest)"))
    guard let timeline = profile.timeline else { return document }
    document.line(StyledText(catalogue.text("text.net-profile-timeline"), .emphasis))
    for line in timeline.text(profiles: self.catalogue).split(separator: "\n") {
      document.line(StyledText("  \(line)"))
    }
    return document
  }

  private func list(_ catalogue: Catalogue) -> Document {
    let names = ["profile", "rate", "delay", "loss", "what"].map { catalogue.text("text.net-profile-\($0)") }
    let rows = profiles.map { profile in
      [
        StyledText(profile.name, .emphasis), StyledText(Self.pair(profile, Self.rate)),
        StyledText(Self.pair(profile, Self.delay)), StyledText(Self.pair(profile, Self.loss)),
        StyledText(Self.title(of: profile, catalogue)),
      ]
    }
    let columns = names.enumerated().map { Table.Column($1, isNumeric: (1...3).contains($0)) }
    return [
      .table(Table(columns: columns, rows: rows)),
      .line(StyledText(catalogue.text("text.net-profile-units"), .faint)),
    ]
  }

  /// The title in the language in force; a user's profile has one only.
  static func title(of profile: NetworkProfile, _ catalogue: Catalogue) -> String {
    let isBuiltIn = ProfileCatalogue.builtIn.profiles.contains { $0.name == profile.name && $0.title == profile.title }
    return (isBuiltIn ? catalogue.optionalText("text.net-profile-title-\(profile.name)") : nil) ?? profile.title
  }

  private static func directions(of profile: NetworkProfile, _ catalogue: Catalogue) -> Table {
    let names = ["direction", "rate", "delay", "loss"].map { catalogue.text("text.net-profile-\($0)") }
    func row(_ key: String, _ conditions: [Condition]) -> [StyledText] {
      [
        StyledText(catalogue.text("text.net-profile-\(key)")), StyledText(rate(conditions) ?? "–"),
        StyledText(delay(conditions) ?? "–"), StyledText(loss(conditions) ?? "–"),
      ]
    }
    return Table(
      columns: names.enumerated().map { Table.Column($1, isNumeric: $0 > 0) },
      rows: [row("down", profile.downstream), row("up", profile.upstream)])
  }

  /// `780/330`, or one number where both are the same.
  private static func pair(_ profile: NetworkProfile, _ text: ([Condition]) -> String?) -> String {
    let (down, up) = (text(profile.downstream), text(profile.upstream))
    if down == nil, up == nil { return "–" }
    return down == up ? down ?? "–" : "\(down ?? "–")/\(up ?? "–")"
  }

  private static func rate(_ conditions: [Condition]) -> String? {
    for case .bandwidth(let bandwidth) in conditions {
      return Quantity.text(number: Double(bandwidth.rate) / 1000)
    }
    return nil
  }

  private static func delay(_ conditions: [Condition]) -> String? {
    for case .latency(let latency) in conditions {
      let jitter = latency.jitter == .zero ? "" : "±" + Quantity.text(number: latency.jitter.inMilliseconds)
      return Quantity.text(number: latency.delay.inMilliseconds) + jitter
    }
    return nil
  }

  private static func loss(_ conditions: [Condition]) -> String? {
    for case .loss(let loss) in conditions { return Quantity.text(share: loss.probability) }
    return nil
  }
}
