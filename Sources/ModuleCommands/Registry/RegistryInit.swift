import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension RegistryCommand {
  /// `mpaas registry init DIR`: a new repository, with its keys.
  struct Init: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("init", key: "registry.init") }

    @Argument(help: .text("command.registry.init.folder"), completion: .directory)
    var folder: String

    @OptionGroup var keys: RegistryKeyOptions

    @Option(help: .text("command.registry.init.threshold", valueName: "count"))
    var threshold: Int?

    @Option(
      name: .customLong("online-key"), help: .text("command.registry.init.online-key", valueName: "name"),
      completion: .keyNames)
    var onlineKeys: [String] = []

    @Option(
      name: .customLong("key-for-role"), help: .text("command.registry.init.key-for-role", valueName: "role=name"))
    var roleKeys: [RoleAssignment] = []

    @Option(help: .text("command.registry.init.expires", valueName: "role=days"))
    var expires: [RoleAssignment] = []

    @Option(help: .text("command.registry.init.director", valueName: "pattern"))
    var director: [String] = []

    @Flag(help: .text("command.registry.init.no-director"))
    var noDirector = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let offline = try offlineWords(context).map { try RegistryKey($0, in: context) }
      let assigned = try Dictionary(grouping: roleKeys, by: \.role).mapValues { list in
        try list.map { try RegistryKey($0.value, in: context) }
      }
      for role in assigned.keys where TopRole(rawValue: role) == nil {
        throw TrustError(.roleUnknown, ["role": role])
      }
      var settings = RepositorySettings()
      for entry in expires {
        guard let days = Int(entry.value), (1...36_500).contains(days) else {
          throw Diagnostic("registry-bad-days", ["role": entry.role, "value": entry.value], exit: .usage)
        }
        settings.days[entry.role] = days
      }
      guard !isTaken else { throw TrustError(.repositoryExists, ["path": folder]) }
      try check(offline, for: ["root", "targets"].filter { assigned[$0] == nil }, context)
      for (role, keys) in assigned { try check(keys, for: [role], context) }
      let named = try onlineKeys.map { try RegistryKey($0, in: context) }
      var all: [RegistryKey] = []
      for key in offline + assigned.values.joined() + named where !all.contains(where: { $0.word == key.word }) {
        all.append(key)
      }
      var signers = try keys.open(all, holders: [:], in: context)
      // A key is made only when the passphrases of the others were right.
      let made = onlineKeys.isEmpty ? try makeOnlineKey(context) : nil
      do {
        let online = try made.map { [try RegistryKey($0, in: context)] } ?? named
        try check(online, for: ["snapshot", "timestamp"].filter { assigned[$0] == nil }, context)
        if made != nil { signers += try keys.open(online, holders: [:], in: context) }
        settings.onlineKeys = made.map { [$0] } ?? onlineKeys
        let editor = RepositoryEditor(folder, now: context.now)
        let plan = plan(settings, offline: offline, online: online, assigned: assigned)
        let outcome = try editor.create(plan, keys: signers)
        if let made {
          context.terminal.note(StyledText(context.catalogue.text("text.registry-online-key", ["name": made])))
        }
        return RegistryOutcome(outcome, repository: folder, in: context)
      } catch {
        // No repository has it.
        if let made, FileStatus(folder + "/registry.json") == nil { try? context.keys.remove(made) }
        throw error
      }
    }

    /// Whether a repository is there, or files of somebody else stand where its metadata would.
    private var isTaken: Bool {
      let place = RepositoryFolder(folder)
      return place.isBegun || (try? FileSystem.names(in: place.metadata))?.isEmpty == false
    }

    private func plan(
      _ settings: RepositorySettings, offline: [RegistryKey], online: [RegistryKey],
      assigned: [String: [RegistryKey]]
    ) -> RepositoryEditor.Plan {
      var plan = RepositoryEditor.Plan(
        offline: offline.map(\.publicKey), online: online.map(\.publicKey))
      plan.settings = settings
      if let keys = assigned["root"] { plan.root = keys.map(\.publicKey) }
      if let keys = assigned["targets"] { plan.targets = keys.map(\.publicKey) }
      plan.threshold = threshold ?? (plan.root.count / 2 + 1)
      plan.targetsThreshold = min(threshold ?? (plan.targets.count / 2 + 1), plan.targets.count)
      plan.snapshot = assigned["snapshot"]?.map(\.publicKey)
      plan.timestamp = assigned["timestamp"]?.map(\.publicKey)
      if noDirector { plan.directorPaths = [] } else if !director.isEmpty { plan.directorPaths = director }
      return plan
    }

    private func check(_ keys: [RegistryKey], for roles: [String], _ context: Context) throws {
      for key in keys { for role in roles { try key.check(for: role, at: context) } }
    }

    /// The keys of root and targets: those that were named, else the only one that this machine has for it.
    private func offlineWords(_ context: Context) throws -> [String] {
      let named = Set(roleKeys.map(\.role))
      if !keys.keys.isEmpty || named.isSuperset(of: ["root", "targets"]) { return keys.keys }
      let able = try context.keys.names().filter { name in
        guard let record = try? context.keys.record(name), (try? record.publicKey.verificationKey()) != nil else {
          return false
        }
        return [KeyRole.root, .targets].allSatisfy { (try? record.check(for: $0, at: context.now())) != nil }
      }
      guard able.count == 1 else {
        throw Diagnostic("registry-keys-needed", ["count": String(able.count)], exit: .usage)
      }
      return able
    }

    /// Makes a key of the online roles, without a passphrase.
    private func makeOnlineKey(_ context: Context) throws -> String {
      let resolved = FileSystem.resolved(folder) ?? folder
      let allowed = FileSystem.name(of: resolved).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      let base = (allowed.first == "-" || allowed.isEmpty ? "repository" : String(allowed.prefix(40))) + "-online"
      let taken = Set(try context.keys.names())
      let name = taken.contains(base) ? (2...999).map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base : base
      _ = try context.keys.generate(name, roles: [.snapshot, .timestamp, .director], passphrase: nil)
      return name
    }
  }
}
