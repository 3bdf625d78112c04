import MPaaSJSON
import MPaaSSupport

/// A kind of edit, described once: its word, its parameters, and the operation that they make.
///
/// Commands and files of operations follow from the description.
package protocol ProjectEdit: SendableMetatype {
  associatedtype Operation: ProjectOperation
  /// The word of its command, and of an operation in a file: `add-file`.
  static var word: String { get }
  /// The parameters in the order of the command's arguments.
  static var parameters: [EditParameter<Operation>] { get }
  /// The members in a file of operations, in the order in which they are read and told.
  static var members: [String] { get }
}

extension ProjectEdit {
  package static var members: [String] { parameters.filter(\.isMember).map(\.key) }

  /// Makes the operation of the words of a command.
  package static func operation(_ words: EditWords) throws(ProjectEditError) -> Operation {
    var operation = Operation()
    for parameter in parameters { try parameter.read(words, &operation) }
    return operation
  }
}

/// One change of a project, as a command or an object of a file of operations asks for it.
///
/// Every operation may be done again: where all is as it asks, nothing changes.
package protocol ProjectOperation: ProjectEdit, Sendable where Operation == Self {
  /// The operation before its parameters are read.
  init()
  func apply(to editor: inout ProjectEditor) throws(ProjectEditError)
}

extension ProjectOperation {
  /// Reads it from a file of operations.
  init(reading table: EditTable) throws(ProjectEditError) {
    let members = Self.members
    try table.allow(members)
    self.init()
    let parameters = Self.parameters
    for member in members {
      try parameters.first { $0.key == member }?.read(table, &self)
    }
  }
}

/// All operations by their words.
package enum ProjectOperations {
  package static let all: [any ProjectOperation.Type] = [
    AddFile.self, RemoveFile.self, RenameFile.self, MoveFile.self, AddGroup.self, AddFramework.self,
    RemoveFramework.self, AddPackage.self, RemovePackage.self, SetBuildSettings.self, UnsetBuildSettings.self,
    AddSettingValues.self, RemoveSettingValues.self, AddScript.self, RemoveScript.self, AddSynchronizedFolder.self,
    RemoveSynchronizedFolder.self, ExcludeFiles.self, IncludeFiles.self, SetBaseConfiguration.self,
    SetProjectAttributes.self, SetFormat.self, SetDefaultConfiguration.self, AddDependency.self, RemoveDependency.self,
    AddTarget.self, RemoveTarget.self, AddConfiguration.self, RemoveConfiguration.self, AddBuildRule.self,
    RemoveBuildRule.self, SetEntitlements.self, RemoveEntitlements.self, AddScheme.self, RemoveScheme.self,
  ]

  /// Reads a JSON array of operations: `[{"operation": "add-file", "paths": ["A.swift"], "targets": ["App"]}, …]`.
  ///
  /// - Throws: `ProjectEditError` with line and column.
  package static func reading(_ bytes: [UInt8], file: String) throws(ProjectEditError) -> [any ProjectOperation] {
    let source: JSONSource
    do throws(GenerationError) {
      source = try JSONSource(bytes, file: file, .annotated)
    } catch {
      throw ProjectEditError(error)
    }
    let nodes = source.root.elements ?? source.root["operations"]?.elements
    guard let nodes else { throw ProjectEditError(.operationsMalformed, ["file": file], at: source.place(source.root)) }
    var operations: [any ProjectOperation] = []
    for node in nodes {
      guard node.members != nil else {
        throw ProjectEditError(.operationsMalformed, ["file": file], at: source.place(node))
      }
      let table = EditTable(source, node)
      let word = try table.required("operation")
      guard let type = all.first(where: { $0.word == word }) else {
        let known = all.map { $0.word }
        let near = closestMatch(to: word, among: known) ?? "–"
        let values = ["operation": word, "suggestion": near, "known": known.joined(separator: ", ")]
        throw ProjectEditError(.noOperation, values, at: table.place("operation"))
      }
      operations.append(try type.init(reading: table))
    }
    return operations
  }
}

/// The project that a run of operations made of a project.
package struct EditedProject: Sendable {
  package let old: PBXProjectFile
  /// The text, or the one from before where nothing changed.
  package let bytes: [UInt8]
  package let notes: [EditNote]
  /// The files beside the project that are to be written or removed, by their paths.
  package let files: [SurroundingFile]
  /// Tells whether the project's own text is another.
  package var isProjectChanged: Bool { !bytes.elementsEqual(old.bytes) }
  package var isChanged: Bool { isProjectChanged || !files.isEmpty }
}

extension PBXProjectFile {
  /// Does operations one after the other, and writes what they changed.
  ///
  /// - Parameter files: What lies around the project.
  package func edited(
    by operations: [any ProjectOperation], files: ProjectSurroundings = .none()
  ) throws(ProjectEditError) -> EditedProject {
    var editor = ProjectEditor(self, files: files)
    for operation in operations { try operation.apply(to: &editor) }
    return try editor.result()
  }
}
