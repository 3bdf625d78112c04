import MPaaSConfig
package import MPaaSSupport

/// A part that is to be made in a project.
package struct PieceOrder: Sendable {
  package let template: Template
  package let name: PieceName
  package let layout: ProjectLayout
  /// The folder that was named for it, from the project's root; nil for the layout's own.
  package let place: String?

  /// - Throws: `TemplateError` `piece-no-place`, `piece-no-objc`.
  package init(
    _ template: Template, name: PieceName, layout: ProjectLayout, place: String?, isObjectiveC: Bool
  ) throws(TemplateError) {
    self.template = template
    self.name = name
    self.layout = layout
    self.place = place
    let piece = template.manifest.piece
    if isObjectiveC, !piece.hasObjectiveC {
      throw TemplateError(.pieceNoObjectiveC, ["kind": template.manifest.name])
    }
    guard place != nil || Self.root(piece, layout, isObjectiveC) != nil else {
      throw TemplateError(.pieceNoPlace, ["path": layout.root], at: .file(layout.root))
    }
  }

  /// The folder that the kind's own folder lies in.
  private static func root(
    _ piece: TemplateManifest.Piece, _ layout: ProjectLayout, _ isObjectiveC: Bool
  ) -> String? {
    // A Swift target takes no Objective-C, the app's does.
    if isObjectiveC { return layout.app }
    return piece.belongsToApp ? layout.app ?? layout.core : layout.core
  }

  /// The variables that parts have besides those of all templates.
  package func builtIn(_ variables: BuiltInVariables) throws(TemplateError) -> TemplateValues {
    let piece = template.manifest.piece
    var values = variables.values
    values["base_name"] = .text(name.base)
    values["type_name"] = .text(name.type)
    values["module"] = .text(layout.module)
    values["app_module"] = .text(layout.identifier ?? layout.module)
    values["tests_path"] = .text(layout.tests ?? "")
    values["app_tests_path"] = .text(layout.app == nil ? "" : layout.appTests ?? "")
    values["self_registering"] = .flag(layout.runtimeFile == nil)
    if let place {
      values["place"] = .text(place)
    } else {
      let folder = try MustacheText.render(piece.folder, values, file: template.manifest.file)
      let root = Self.root(piece, layout, variables.isObjectiveC) ?? ""
      values["place"] = .text(folder.isEmpty ? root : root + "/" + folder)
    }
    return values
  }

  /// The changes of making it in the project.
  ///
  /// - Parameter replaces: Whether files that are there and differ are replaced; otherwise they stay.
  /// - Throws: `TemplateError`, also those of the runtime file.
  package func changes(_ values: TemplateValues, replaces: Bool) throws(TemplateError) -> ProjectChanges {
    var changes = ProjectChanges(root: layout.root)
    let tree = try template.render(values)
    for path in tree.paths {
      guard let file = tree[path] else { continue }
      try changes.make(path, file, replaces: replaces)
    }
    if let runtimeFile = layout.runtimeFile, !template.manifest.registrations.isEmpty {
      let old = try changes.bytes(runtimeFile) ?? []
      let new = try registered(old, ProjectLayout.path(layout.root, runtimeFile), values)
      changes.edit(runtimeFile, from: old, to: new)
    }
    return changes
  }

  private func registered(
    _ bytes: [UInt8], _ file: String, _ values: TemplateValues
  ) throws(TemplateError) -> [UInt8] {
    var entries: [(kind: TemplateManifest.Registration.Kind, fields: [String: String])] = []
    for registration in template.manifest.registrations where registration.when?.holds(values) != false {
      entries.append((registration.kind, try fields(registration, values)))
    }
    do throws(ConfigError) {
      var table = try MobileRuntimeFile(bytes, file: file)
      for (kind, entry) in entries {
        switch kind {
        case .application: table = try table.adding(Self.application(entry))
        case .service: table = try table.adding(Self.service(entry))
        case .module: table = try table.adding(Self.module(entry))
        }
      }
      return table.bytes
    } catch {
      throw TemplateError(error)
    }
  }

  private func fields(
    _ registration: TemplateManifest.Registration, _ values: TemplateValues
  ) throws(TemplateError) -> [String: String] {
    var fields: [String: String] = [:]
    for (key, text) in registration.fields {
      fields[key] = try MustacheText.render(text, values, file: template.manifest.file)
    }
    return fields
  }

  private static func application(_ fields: [String: String]) -> MobileRuntimeFile.Application {
    .init(
      name: fields["name"] ?? "", delegate: fields["delegate"] ?? fields["class"] ?? "",
      title: fields["title"] ?? fields["description"])
  }

  private static func service(_ fields: [String: String]) -> MobileRuntimeFile.Service {
    .init(
      name: fields["name"] ?? "", className: fields["class"] ?? "", interface: fields["protocol"],
      isLazy: fields["lazyLoading"] != "false", isSingleton: fields["singleton"] != "false")
  }

  private static func module(_ fields: [String: String]) -> MobileRuntimeFile.Module {
    .init(
      className: fields["class"] ?? "", level: fields["level"].flatMap { Int($0) } ?? 1,
      priority: fields["priority"].flatMap { Int($0) } ?? 0)
  }
}

extension CodedError<TemplateDomain>.Code {
  package static var pieceNoObjectiveC: Self { Self("piece-no-objc", exit: .usage) }
  /// No folder that the part would belong to.
  package static var pieceNoPlace: Self { Self("piece-no-place", exit: .usage) }
  package static var pieceNoProject: Self { Self("piece-no-project", exit: .inputMissing) }
}
