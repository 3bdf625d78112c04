/// The edits that have commands, in the order of their help.
package enum ProjectEdits {
  package static let commands: [any ProjectEdit.Type] = [
    AddFile.self, RemoveFile.self, RenameFile.self, MoveFile.self, AddGroup.self,
    AddFramework.self, RemoveFramework.self, AddLibrary.self, RemoveLibrary.self,
    AddPackage.self, RemovePackage.self,
    SetBuildSettings.self, UnsetBuildSettings.self, AddFlag.self, RemoveFlag.self, AddSearchPath.self,
    RemoveSearchPath.self, BaseConfiguration.self,
    AddScript.self, RemoveScript.self,
    AddSynchronizedFolder.self, RemoveSynchronizedFolder.self, ExcludeFiles.self, IncludeFiles.self,
    AddTarget.self, RemoveTarget.self, AddDependency.self, RemoveDependency.self,
    AddConfiguration.self, RemoveConfiguration.self, AddBuildRule.self, RemoveBuildRule.self,
    SetEntitlements.self, RemoveEntitlements.self, AddScheme.self, RemoveScheme.self,
    SetProjectAttributes.self, SetFormat.self, SetDefaultConfiguration.self,
  ]
}

/// Links libraries: the edit of frameworks with words for libraries.
package enum AddLibrary: ProjectEdit {
  package static var word: String { "add-library" }

  package static var parameters: [EditParameter<AddFramework>] {
    [
      .paths("names", \.words, .argument("add-library.names", "library", .file([]))), .library(\.isLibrary),
      .targets(\.targets), .flag("weak", \.isWeak, .option("add-framework.weak")),
      .group(\.group, "frameworks-group"), .position(\.position), .phasePosition(\.phasePosition), .missing(\.missing),
    ]
  }
}

/// Takes libraries out of what targets link.
package enum RemoveLibrary: ProjectEdit {
  package static var word: String { "remove-library" }

  package static var parameters: [EditParameter<RemoveFramework>] {
    [
      .paths("names", \.words, .argument("remove-library.names", "library")), .library(\.isLibrary),
      .targets(\.targets, "all-target"),
    ]
  }
}

/// Adds flags for the linker or a compiler.
package enum AddFlag: ProjectEdit {
  package static var word: String { "add-flag" }
  package static var parameters: [EditParameter<AddSettingValues>] { EditParameter.flags }
}

/// Takes flags away.
package enum RemoveFlag: ProjectEdit {
  package static var word: String { "remove-flag" }
  package static var parameters: [EditParameter<RemoveSettingValues>] { EditParameter.flags }
}

/// Adds folders that are searched.
package enum AddSearchPath: ProjectEdit {
  package static var word: String { "add-search-path" }
  package static var parameters: [EditParameter<AddSettingValues>] { EditParameter.searchPaths }
}

/// Takes folders away that are searched.
package enum RemoveSearchPath: ProjectEdit {
  package static var word: String { "remove-search-path" }
  package static var parameters: [EditParameter<RemoveSettingValues>] { EditParameter.searchPaths }
}

/// Has settings come from an `.xcconfig` first.
package enum BaseConfiguration: ProjectEdit {
  package static var word: String { "base-configuration" }
  package static var parameters: [EditParameter<SetBaseConfiguration>] { SetBaseConfiguration.parameters }
}

extension EditParameter {
  /// Takes all words for libraries.
  fileprivate static func library(_ property: Property<Bool>) -> Self {
    Self("library", isMember: false) { (_, operation) throws(ProjectEditError) in
      operation[keyPath: property] = true
    }
  }
}

extension EditParameter where Operation: SettingValues {
  fileprivate static var flags: [Self] {
    [
      .requiredTexts("values", \.values, .argument("flags", "flag")),
      Self(
        "for", isMember: false,
        .option("add-flag.for").kind(.choice(ListSetting.self), standard: ListSetting.linkerFlags.rawValue)
      ) { (input, operation) throws(ProjectEditError) in
        let tool: ListSetting = try input.requiredChoice("for")
        operation.key = tool.key
      },
    ] + common
  }

  fileprivate static var searchPaths: [Self] {
    [
      Self("values", EditArgument.argument("search-paths", "path").kind(.texts).required()) {
        (input, operation) throws(ProjectEditError) in
        // A setting of several paths has those with a blank in quotes.
        operation.values = try input.texts("values").map { path in
          path.contains(" ") && !path.hasPrefix("\"") ? "\"" + path + "\"" : path
        }
      },
      Self("kind", isMember: false, .option("add-search-path.kind").kind(.choice(ListSetting.self)).required()) {
        (input, operation) throws(ProjectEditError) in
        let kind: ListSetting = try input.requiredChoice("kind")
        operation.key = kind.key
      },
    ] + common
  }

  private static var common: [Self] {
    [.targets(\.targets, "settings-target"), .configurations(\.configurations)]
  }
}
