import MPaaSSupport

/// Adds a phase to targets that runs a script, or gives the one of that name another script.
package struct AddScript: ProjectOperation {
  package static var word: String { "add-script" }

  /// Xcode's name for the phase; nil for a phase without a name.
  package var name: String?
  package var script = ""
  package var shell: String?
  package var inputs: [String] = []
  package var outputs: [String] = []
  package var inputLists: [String] = []
  package var outputLists: [String] = []
  package var dependencyFile: String?
  /// Tells whether it runs in each build, whatever its inputs say.
  package var alwaysRuns = false
  /// Tells whether it runs only where a product is installed.
  package var onlyInstalls = false
  package var targets = TargetWords.unnamed
  package var position: EditPosition?

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .option("add-script.name", "name")),
      EditParameter("script", .option("add-script.script", "text")) { (input, phase) throws(ProjectEditError) in
        try input.expectOne(of: "script", "script_file", expected: "--script, --script-file")
        phase.script = try input.script()
      },
      .scriptFile, .text("shell", \.shell, .option("add-script.shell", "path")),
      .texts("inputs", \.inputs, .option("add-script.input", "path")),
      .texts("outputs", \.outputs, .option("add-script.output", "path")),
      .texts("input_lists", \.inputLists, .option("add-script.input-list", "path")),
      .texts("output_lists", \.outputLists, .option("add-script.output-list", "path")),
      .text("dependency_file", \.dependencyFile, .option("add-script.dependency-file", "path")),
      .flag("always_run", \.alwaysRuns, .option("add-script.always-run")),
      .flag("only_install", \.onlyInstalls, .option("add-script.only-install")), .targets(\.targets),
      .position(\.position, "add-script.position"),
    ]
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

extension EditInput {
  /// The script itself, or the content of the file that a command names.
  func script() throws(ProjectEditError) -> String {
    if let script = try content("script_file") { return script }
    return try required("script")
  }
}

extension EditParameter {
  /// A file with the script.
  static var scriptFile: Self {
    Self("script_file", isMember: false, .option("add-script.file", "file", .file([])))
  }
}

/// Takes script phases away.
package struct RemoveScript: ProjectOperation {
  package static var word: String { "remove-script" }

  package var names: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .requiredTexts("names", \.names, .argument("remove-script.names", "name")), .targets(\.targets, "all-target"),
    ]
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
