import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// `mpaas project edit <word> PROJECT …`: the command of an edit, as the edit describes itself.
struct ProjectEditCommand<Edit: ProjectEdit>: MPaaSCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(Edit.word, key: "project.edit.\(Edit.word)")
  }

  @OptionGroup var edit: ProjectEditOptions

  @OptionGroup var arguments: ProjectEditArguments<Edit>

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ProjectEdited {
    try await edit.run(in: context) { [try Edit.operation(arguments.words(in: $0))] }
  }
}

extension ProjectCommand.Edit {
  /// `mpaas project edit apply PROJECT FILE`: all operations of a file, or none.
  struct Apply: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("apply", key: "project.edit.apply") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(
      help: .text("command.project.edit.apply.file", valueName: "file.json"), completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ProjectEdited {
      try await edit.run(in: context) { _ in
        let path = file == "-" ? "/dev/stdin" : file
        return try ProjectOperations.reading(
          try Bytes.reading(path, limit: 64 << 20).array, file: file == "-" ? "stdin" : file)
      }
    }
  }
}

/// The project that is changed, and how.
struct ProjectEditOptions: ParsableArguments {
  @Argument(help: .text("command.project.edit.project"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
  var project: String

  @Flag(name: .customLong("dry-run"), help: .text("command.project.edit.dry-run"))
  var dryRun = false

  /// Does the operations on the project, and writes what they changed.
  func run(
    in context: Context, _ operations: (XcodeProjectPlace) throws -> [any ProjectOperation]
  ) async throws -> ProjectEdited {
    let place = try XcodeProjectPlace(project)
    let operations = try operations(place)
    let bytes = try Bytes.reading(place.file, limit: 1 << 30).array
    let file = try await context.timed("read") { try PBXProjectFile(bytes, file: place.file) }
    let edited = try await context.timed("edit") {
      try file.edited(by: operations, files: ProjectSurroundings(file: place.file))
    }
    if !dryRun { try edited.write(place) }
    return ProjectEdited(edited, place, isDryRun: dryRun)
  }
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
