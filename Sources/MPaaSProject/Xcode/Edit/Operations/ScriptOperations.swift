import MPaaSSupport

/// Adds a phase to targets that runs a script, or gives the one of that name another script.
package struct AddScript: ProjectOperation {
  package static var word: String { "add-script" }

  /// What Xcode calls the phase; nil for a phase without a name.
  package var name: String?
  package var script: String
  package var shell: String?
  package var inputs: [String] = []
  package var outputs: [String] = []
  package var inputLists: [String] = []
  package var outputLists: [String] = []
  package var dependencyFile: String?
  /// Whether it runs in each build, whatever its inputs say.
  package var alwaysRuns = false
  /// Whether it runs only where a product is installed.
  package var onlyInstalls = false
  package var targets = TargetWords.unnamed
  package var position: EditPosition?

  package init(_ script: String, name: String? = nil) {
    self.script = script
    self.name = name
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow(
      "name", "script", "shell", "inputs", "outputs", "input_lists", "output_lists", "dependency_file", "always_run",
      "only_install", "targets", "position")
    name = try table.text("name")
    script = try table.required("script")
    shell = try table.text("shell")
    inputs = try table.texts("inputs")
    outputs = try table.texts("outputs")
    inputLists = try table.texts("input_lists")
    outputLists = try table.texts("output_lists")
    dependencyFile = try table.text("dependency_file")
    alwaysRuns = try table.flag("always_run")
    onlyInstalls = try table.flag("only_install")
    targets = try table.targets()
    position = try table.position()
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for target in try editor.needed(targets) {
      if let known = known(in: target, editor) {
        for (key, value) in members where key != "files" { editor.set(known, key, value) }
        if !alwaysRuns { editor.set(known, "alwaysOutOfDate", PBXValue?.none) }
        if let position { try editor.move(known, in: "buildPhases", of: target, to: position) }
        continue
      }
      let id = editor.add("PBXShellScriptBuildPhase", seed: target + " " + (name ?? script), members)
      try editor.insert(id, into: "buildPhases", of: target, at: position ?? .last)
    }
  }

  /// Without a name only a phase that runs the same is meant.
  private func known(in target: ProjectEditor.ID, _ editor: ProjectEditor) -> ProjectEditor.ID? {
    editor.phases(target).first { phase in
      guard editor.isa(phase) == "PBXShellScriptBuildPhase", editor.text(phase, "name") == name else { return false }
      return name != nil || editor.text(phase, "shellScript") == text
    }
  }

  private var text: String { script.hasSuffix("\n") ? script : script + "\n" }

  private var members: [(String, PBXValue)] {
    var members: [(String, PBXValue)] = [
      ("buildActionMask", .string(onlyInstalls ? "8" : "2147483647")), ("files", []),
      ("inputFileListPaths", .strings(inputLists)), ("inputPaths", .strings(inputs)),
      ("outputFileListPaths", .strings(outputLists)), ("outputPaths", .strings(outputs)),
      ("runOnlyForDeploymentPostprocessing", onlyInstalls ? "1" : "0"), ("shellPath", .string(shell ?? "/bin/sh")),
      ("shellScript", .string(text)),
    ]
    if let name { members.append(("name", .string(name))) }
    if let dependencyFile { members.append(("dependencyFile", .string(dependencyFile))) }
    if alwaysRuns { members.append(("alwaysOutOfDate", "1")) }
    return members
  }
}

/// Takes script phases away.
package struct RemoveScript: ProjectOperation {
  package static var word: String { "remove-script" }

  package var names: [String]
  package var targets = TargetWords.unnamed

  package init(_ names: [String]) {
    self.names = names
  }

  package init(reading table: EditTable) throws(ProjectEditError) {
    try table.allow("names", "targets")
    names = try table.requiredTexts("names")
    targets = try table.targets()
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try targets == .unnamed ? editor.targets() : editor.named(targets)
    for name in names {
      var isThere = false
      for target in owners {
        for phase in editor.phases(target) where editor.isa(phase) == "PBXShellScriptBuildPhase" {
          guard phase == name || editor.phaseName(phase) == name else { continue }
          isThere = true
          editor.remove(phase, from: "buildPhases", of: target)
          editor.drop(phase)
        }
      }
      if !isThere { editor.note(.absent, name) }
    }
  }
}
