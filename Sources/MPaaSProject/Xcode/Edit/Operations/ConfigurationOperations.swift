import MPaaSSupport

/// Adds a build configuration to the project and to all its targets: `Staging`, made of what another one says.
package struct AddConfiguration: ProjectOperation {
  package static var word: String { "add-configuration" }

  package var name = ""
  /// The configuration whose settings and `.xcconfig` it begins with; the default one where it is nil.
  package var model: String?

  package init() {}

  package init(_ name: String, like model: String? = nil) {
    self.name = name
    self.model = model
  }

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .argument("add-configuration.name", "name")),
      .text("like", \.model, .option("add-configuration.like", "name")),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    try ProjectEditor.expectName(name)
    let lists = try editor.configurationLists()
    if let model, !lists.contains(where: { editor.configuration(model, in: $0) != nil }) {
      throw editor.unknownConfiguration(model, lists)
    }
    for list in lists where editor.configuration(name, in: list) == nil {
      guard let source = editor.configuration(model, in: list) ?? editor.configuration(nil, in: list),
        let object = editor.object(source)
      else { continue }
      var members = object.members.filter { $0.key != "isa" && $0.key != "name" }.map { ($0.key, $0.value) }
      members.append(("name", .string(name)))
      let id = editor.add("XCBuildConfiguration", seed: list + " " + name, members)
      try editor.insert(id, into: "buildConfigurations", of: list)
    }
  }
}

/// Takes a build configuration out of the project and all its targets.
package struct RemoveConfiguration: ProjectOperation {
  package static var word: String { "remove-configuration" }

  package var names: [String] = []

  package init() {}

  package init(_ names: [String]) {
    self.names = names
  }

  package static var parameters: [EditParameter<Self>] {
    [.requiredTexts("names", \.names, .argument("remove-configuration.names", "name"))]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for name in names { try remove(name, &editor) }
  }

  private func remove(_ name: String, _ editor: inout ProjectEditor) throws(ProjectEditError) {
    let lists = try editor.configurationLists().filter { editor.configuration(name, in: $0) != nil }
    guard !lists.isEmpty else { return editor.note(.absent, name) }
    for list in lists {
      guard let id = editor.configuration(name, in: list) else { continue }
      let others = editor.list(list, "buildConfigurations").filter { $0 != id }
      guard !others.isEmpty else { throw ProjectEditError(.lastConfiguration, ["configuration": name]) }
      editor.set(list, "buildConfigurations", others)
      editor.drop(id)
      if editor.text(list, "defaultConfigurationName") == name {
        let left = others.compactMap { editor.text($0, "name") }
        let next = left.contains("Release") ? "Release" : left.last
        editor.set(list, "defaultConfigurationName", next)
      }
    }
    for scheme in try editor.schemes(holding: "buildConfiguration = \"\(name.escapedMarkup(.attribute))\"") {
      editor.note(.schemeConfiguration, scheme)
    }
  }
}

extension ProjectEditor {
  /// The configuration lists of the project and of its targets, the project's first.
  func configurationLists() throws(ProjectEditError) -> [ID] {
    let owners = [try project()] + (try targets())
    return owners.compactMap { text($0, "buildConfigurationList") }.filter { object($0) != nil }
  }

  /// The configuration of a name in a list; without a name the default one, else the last.
  func configuration(_ name: String?, in list: ID) -> ID? {
    let all = self.list(list, "buildConfigurations").filter { object($0) != nil }
    if let name { return all.first { text($0, "name") == name } }
    let standard = text(list, "defaultConfigurationName")
    return all.first { text($0, "name") == standard } ?? all.last
  }

  func unknownConfiguration(_ name: String, _ lists: [ID]) -> ProjectEditError {
    var known: [String] = []
    for id in lists.flatMap({ self.list($0, "buildConfigurations") }) {
      if let name = text(id, "name"), !known.contains(name) { known.append(name) }
    }
    let values = [
      "configuration": name, "configurations": Self.shown(known),
      "suggestion": closestMatch(to: name, among: known) ?? "–",
    ]
    return ProjectEditError(.noConfiguration, values)
  }
}
