import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// A command that changes an Xcode project.
protocol ProjectEditCommand: MPaaSCommand where Output == ProjectEdited {
  var edit: ProjectEditOptions { get }
  func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation]
}

extension ProjectEditCommand {
  func run(in context: Context) async throws -> ProjectEdited {
    let place = try edit.place()
    let operations = try operations(place)
    let bytes = try Bytes.reading(place.file, limit: 1 << 30).array
    let file = try await context.timed("read") { try PBXProjectFile(bytes, file: place.file) }
    let edited = try await context.timed("edit") {
      try file.edited(by: operations, files: ProjectSurroundings(file: place.file))
    }
    if !edit.dryRun { try edited.write(place) }
    return ProjectEdited(edited, place, isDryRun: edit.dryRun)
  }
}

/// Which project is changed, and how.
struct ProjectEditOptions: ParsableArguments {
  @Argument(help: .text("command.project.edit.project"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
  var project: String

  @Flag(name: .customLong("dry-run"), help: .text("command.project.edit.dry-run"))
  var dryRun = false

  func place() throws -> XcodeProjectPlace { try XcodeProjectPlace(project) }
}

/// Targets by name.
struct ProjectTargetOptions: ParsableArguments {
  @Option(name: .long, help: .text("command.project.edit.target", valueName: "name"))
  var target: [String] = []

  var words: TargetWords { TargetWords(target) }
}

/// Configurations by name, of targets or of the project.
struct ProjectConfigurationOptions: ParsableArguments {
  @Option(name: .long, help: .text("command.project.edit.settings-target", valueName: "name"))
  var target: [String] = []

  @Option(name: .long, help: .text("command.project.edit.configuration", valueName: "name"))
  var configuration: [String] = []

  var words: TargetWords { TargetWords(target) }
}

/// Permission to take what is not on disk.
struct ProjectDiskOptions: ParsableArguments {
  @Flag(name: .long, help: .text("command.project.edit.missing"))
  var missing = false
}

/// Where something comes in its group and in its phase.
struct ProjectPositionOptions: ParsableArguments {
  @Option(name: .long, help: .text("command.project.edit.position", valueName: "place"))
  var position: EditPosition?

  @Option(name: .customLong("phase-position"), help: .text("command.project.edit.phase-position", valueName: "place"))
  var phasePosition: EditPosition?
}

extension EditedProject {
  /// Writes what lies beside the project first: a run that is cut off leaves nothing that the project names in vain.
  fileprivate func write(_ place: XcodeProjectPlace) throws {
    for file in files {
      guard let bytes = file.new else { continue }
      let path = place.folder + "/" + file.path
      try Directories.create(FileSystem.folder(of: path))
      try Bytes(bytes).write(to: path)
    }
    if isProjectChanged { try Bytes(bytes).write(to: place.file) }
    for file in files where file.new == nil { try FileSystem.remove(place.folder + "/" + file.path) }
  }
}
