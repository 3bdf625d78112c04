import MPaaSSupport

/// Adds a rule to targets that says how files of a kind are built, or gives the rule for that kind other words.
package struct AddBuildRule: ProjectOperation {
  package static var word: String { "add-build-rule" }

  /// The files of a rule: by their names (`*.proto`), or by Xcode's name of their type (`sourcecode.yacc`).
  package enum Files: Sendable, Equatable {
    case pattern(String)
    case type(String)
  }

  /// The builder: a script, or a compiler of Xcode's by its identifier.
  package enum Builder: Sendable, Equatable {
    case script(String)
    case compiler(String)
  }

  package var files = Files.pattern("")
  package var builder = Builder.script("")
  package var name: String?
  package var inputs: [String] = []
  package var outputs: [String] = []
  /// Flags of the compiler for each output, in their order.
  package var outputFlags: [String] = []
  package var dependencyFile: String?
  package var runsOncePerArchitecture = false
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      EditParameter("pattern", .option("add-build-rule.pattern", "pattern")) { (input, rule) throws(ProjectEditError) in
        try input.expectOne(of: "pattern", "type", expected: "--pattern, --type")
        if let type = try input.text("type") {
          rule.files = .type(type)
        } else {
          rule.files = .pattern(try input.required("pattern"))
        }
      },
      EditParameter("type", .option("add-build-rule.type", "type")),
      EditParameter("script", .option("add-build-rule.script", "text")) { (input, rule) throws(ProjectEditError) in
        try input.expectOne(
          of: "script", "script_file", "compiler", expected: "--script, --script-file, --compiler")
        if let compiler = try input.text("compiler") {
          rule.builder = .compiler(compiler)
        } else {
          rule.builder = .script(try input.script())
        }
      },
      .scriptFile, EditParameter("compiler", .option("add-build-rule.compiler", "id")),
      .text("name", \.name, .option("add-build-rule.name", "name")),
      .texts("inputs", \.inputs, .option("add-script.input", "path")),
      .texts("outputs", \.outputs, .option("add-script.output", "path")),
      .texts("output_flags", \.outputFlags, .option("add-build-rule.output-flags", "flags", named: "output-flags")),
      .text("dependency_file", \.dependencyFile, .option("add-script.dependency-file", "path")),
      .flag(
        "once_per_architecture", \.runsOncePerArchitecture, .option("add-build-rule.once-per-architecture")),
      .targets(\.targets),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let members = members
    let keys = Set(members.map(\.0))
    for target in try editor.needed(targets) {
      if let known = editor.buildRules(of: target).first(where: { isSame($0, editor) }) {
        for (key, value) in members { editor.set(known, key, value) }
        for key in Self.optional where !keys.contains(key) { editor.set(known, key, PBXValue?.none) }
        continue
      }
      let seed = target + " " + (members.first { $0.0 == "filePatterns" || $0.0 == "fileType" }?.1.string ?? "")
      let id = editor.add("PBXBuildRule", seed: seed + " " + matched, members)
      try editor.insert(id, into: "buildRules", of: target)
    }
  }

  private var matched: String {
    switch files {
    case .pattern(let pattern): pattern
    case .type(let type): type
    }
  }

  private func isSame(_ rule: ProjectEditor.ID, _ editor: ProjectEditor) -> Bool {
    switch files {
    case .pattern(let pattern): editor.text(rule, "filePatterns") == pattern
    case .type(let type): editor.text(rule, "fileType") == type
    }
  }

  private static let optional = [
    "dependencyFile", "filePatterns", "inputFiles", "name", "outputFiles", "outputFilesCompilerFlags", "script",
  ]

  private var members: [(String, PBXValue)] {
    var members: [(String, PBXValue)] = [
      ("isEditable", "1"), ("outputFiles", .strings(outputs)),
      ("runOncePerArchitecture", runsOncePerArchitecture ? "1" : "0"),
    ]
    switch files {
    case .pattern(let pattern): members += [("filePatterns", .string(pattern)), ("fileType", "pattern.proxy")]
    case .type(let type): members.append(("fileType", .string(type)))
    }
    switch builder {
    case .script(let script):
      members += [
        ("compilerSpec", "com.apple.compilers.proxy.script"), ("inputFiles", .strings(inputs)),
        ("script", .string(script.hasSuffix("\n") ? script : script + "\n")),
      ]
    case .compiler(let compiler): members.append(("compilerSpec", .string(compiler)))
    }
    if let name { members.append(("name", .string(name))) }
    if !outputFlags.isEmpty { members.append(("outputFilesCompilerFlags", .strings(outputFlags))) }
    if let dependencyFile { members.append(("dependencyFile", .string(dependencyFile))) }
    return members
  }
}

/// Takes build rules out of targets.
package struct RemoveBuildRule: ProjectOperation {
  package static var word: String { "remove-build-rule" }

  /// Patterns, types, names or ids.
  package var names: [String] = []
  /// All where none is named.
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .requiredTexts("names", \.names, .argument("remove-build-rule.names", "name")),
      .targets(\.targets, "all-target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try targets == .unnamed ? editor.targets() : editor.named(targets)
    for name in names {
      var isThere = false
      for target in owners {
        for rule in editor.buildRules(of: target) where isMeant(rule, name, editor) {
          isThere = true
          editor.remove(rule, from: "buildRules", of: target)
          editor.drop(rule)
        }
      }
      if !isThere { editor.note(.absent, name) }
    }
  }

  private func isMeant(_ rule: ProjectEditor.ID, _ name: String, _ editor: ProjectEditor) -> Bool {
    rule == name || ["filePatterns", "fileType", "name"].contains { editor.text(rule, $0) == name }
  }
}

extension ProjectEditor {
  func buildRules(of target: ID) -> [ID] { list(target, "buildRules").filter { object($0) != nil } }
}
