import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk verify [NAME…]`: reads the modules of this machine and its projects again, and mends what is damaged.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "sdk.verify") }

    @Argument(help: .text("command.sdk.verify.names"), completion: .storedModules)
    var names: [String] = []

    @Flag(inversion: .prefixedNo, help: .text("command.sdk.verify.mend"))
    var mend = true

    @Flag(help: .text("command.sdk.verify.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> StoreVerificationView {
      let selection = try StoredSelection(names, in: ModuleStore(folder: context.directories.modules))
      let progress = context.terminal.progress(
        context.catalogue.text("text.store-verify"), total: selection.size, isBytes: true)
      defer { progress.finish() }
      let (store, projects) = try await selection.verify(mending: mend, force: force) { progress.advance(by: $0) }
      return StoreVerificationView(verification: store, projects: projects)
    }
  }
}

/// The findings of a verification.
struct StoreVerificationView: Presentable {
  let verification: StoreVerification
  let projects: [ProjectVerification]

  private var isGood: Bool { verification.isGood && projects.allSatisfy(\.isGood) }

  var exit: ExitStatus { isGood ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    func faults(_ files: [StoreVerification.File]) -> JSONValue {
      .array(files.map { ["path": .string($0.path), "fault": .string($0.fault.rawValue)] })
    }
    let modules = verification.modules.map { found -> JSONValue in
      var object: JSONValue.Object = [
        "name": .string(found.module.name), "version": .string(found.module.version.text),
        "sha256": .string(found.module.sha256), "state": .string(found.state.rawValue),
        "faults": faults(found.faults),
      ]
      if found.state == .lost { object["command"] = .string(Self.command(found.module)) }
      return .object(object)
    }
    let document: JSONValue = [
      "good": .bool(isGood), "files": JSONValue(verification.fileCount),
      "size": .unsigned(verification.size), "modules": .array(modules), "others": faults(verification.others),
      "projects": .array(projects.map(Self.encoded)),
    ]
    try document.encode(to: encoder)
  }

  private static func encoded(_ project: ProjectVerification) -> JSONValue {
    let places = project.places.map { place -> JSONValue in
      [
        "path": .string(place.path), "name": .string(place.name), "version": .string(place.version.text),
        "method": .string(place.method.rawValue), "state": .string(place.state.rawValue),
        "files": .array(place.files.map(JSONValue.string)),
      ]
    }
    var object: JSONValue.Object = ["path": .string(project.folder), "places": .array(places)]
    if let problem = project.problem { object["problem"] = .string(problem.id.name) }
    return .object(object)
  }

  private static func command(_ module: StoredModule) -> String {
    "mpaas sdk download \(module.name)@\(module.version.text)"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let found = verification.modules.filter { $0.state != .good }
    if !found.isEmpty { document.table(table(found, catalogue)) }
    for file in verification.others { document.line(Self.line(file, catalogue)) }
    if verification.others.contains(where: { $0.fault == .extra }) {
      document.line(StyledText(catalogue.text("text.store-extra-hint"), .faint))
    }
    for line in projectLines(catalogue) { document.line(line) }
    for line in summary(found, catalogue) { document.line(line) }
    return document
  }

  /// The files that are not as they were placed, project by project.
  private func projectLines(_ catalogue: Catalogue) -> [StyledText] {
    var lines: [StyledText] = []
    for project in projects {
      let changed = project.places.filter { $0.state != .good }
      if !changed.isEmpty {
        lines.append(StyledText(catalogue.text("text.store-project", ["path": project.folder]), .emphasis))
      }
      for place in changed {
        let files = place.files.prefix(3).joined(separator: ", ")
        let more = place.files.count > 3 ? ", … (\(place.files.count))" : ""
        let state = catalogue.text("text.store-place-" + place.state.rawValue)
        lines.append(
          StyledText("  \(place.path)  ", .path) + StyledText(state, place.state == .mended ? .good : .bad)
            + StyledText("  " + files + more))
      }
      if let problem = project.problem {
        let values = [
          "path": project.folder, "reason": catalogue.clause(problem.id.name, problem.values),
        ]
        lines.append(StyledText(catalogue.text("text.store-place-problem", values), .warning))
      }
    }
    if projects.contains(where: { $0.places.contains { $0.state == .changed && $0.method == .copy } }) {
      lines.append(StyledText(catalogue.text("text.store-place-hint"), .faint))
    }
    return lines
  }

  private func table(_ found: [StoreVerification.Module], _ catalogue: Catalogue) -> Table {
    func heading(_ key: String) -> String { catalogue.text("text.store-" + key) }
    let rows = found.map { module -> [StyledText] in
      let files = module.faults.prefix(3).map { fault in
        let path = fault.path.isEmpty ? catalogue.text("text.store-tree") : fault.path
        return "\(path) (\(catalogue.text("text.store-fault-" + fault.fault.rawValue)))"
      }
      let more = module.faults.count > 3 ? ", … (\(module.faults.count))" : ""
      return [
        StyledText(module.module.name), StyledText(module.module.version.text),
        StyledText(
          catalogue.text("text.store-state-" + module.state.rawValue), module.state == .mended ? .good : .bad),
        StyledText(files.joined(separator: ", ") + more),
      ]
    }
    return Table(
      columns: [
        .init(heading("module")), .init(heading("version")), .init(heading("state")), .init(heading("files")),
      ], rows: rows)
  }

  private static func line(_ file: StoreVerification.File, _ catalogue: Catalogue) -> StyledText {
    let role: TextRole = file.fault == .extra ? .faint : .bad
    return StyledText(file.path, .path) + "  "
      + StyledText(catalogue.text("text.store-fault-" + file.fault.rawValue), role)
  }

  private func summary(_ found: [StoreVerification.Module], _ catalogue: Catalogue) -> [StyledText] {
    let all = String(verification.modules.count)
    let left = found.count { $0.state != .mended }
    guard !found.isEmpty else {
      guard isGood else { return [] }
      let values = [
        "modules": all, "files": String(verification.fileCount), "size": ByteCount(verification.size).description,
      ]
      return [StyledText(catalogue.text("text.store-good", values), .good)]
    }
    guard left > 0 else {
      return [StyledText(catalogue.text("text.store-mended", ["count": String(found.count), "modules": all]), .good)]
    }
    var lines = [
      StyledText(catalogue.text("text.store-left", ["count": String(left), "modules": all]), .emphasis)
    ]
    if found.contains(where: { $0.state == .faulty }) {
      lines.append(StyledText(catalogue.text("text.store-mend-hint")))
    }
    for module in found where module.state == .lost {
      lines.append(StyledText(catalogue.text("text.store-download-hint") + " " + Self.command(module.module)))
    }
    return lines
  }
}
