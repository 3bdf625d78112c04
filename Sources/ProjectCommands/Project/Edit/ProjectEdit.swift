import ArgumentParser
import CommandKit

extension ProjectCommand {
  /// `mpaas project edit OPERATION PROJECT …`: changes of an Xcode project.
  struct Edit: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "edit", key: "project.edit",
        subcommands: [
          AddFile.self, RemoveFile.self, Rename.self, Move.self, AddGroup.self,
          AddFramework.self, RemoveFramework.self, AddLibrary.self, RemoveLibrary.self,
          AddPackage.self, RemovePackage.self,
          SetSettings.self, UnsetSettings.self, AddFlag.self, RemoveFlag.self, AddSearchPath.self,
          RemoveSearchPath.self,
          BaseConfiguration.self,
          AddScript.self, RemoveScript.self,
          AddSyncedFolder.self, RemoveSyncedFolder.self, Exclude.self, Include.self,
          AddTarget.self, RemoveTarget.self, AddDependency.self, RemoveDependency.self,
          AddConfiguration.self, RemoveConfiguration.self, AddBuildRule.self, RemoveBuildRule.self,
          SetEntitlement.self, RemoveEntitlement.self, AddScheme.self, RemoveScheme.self,
          SetAttribute.self, SetFormat.self, SetDefaultConfiguration.self,
          Apply.self,
        ])
    }
  }
}
