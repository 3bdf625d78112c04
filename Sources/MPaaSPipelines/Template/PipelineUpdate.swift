package import MPaaSProject
package import MPaaSSupport
package import MPaaSToolSupport

/// The writing of a project's pipelines: at first, and again when the template or the steps have changed.
package struct PipelineUpdate: Sendable {
  /// The name of the template.
  package static let template = "ci"

  /// As it is named to the user.
  package let root: String
  /// The record that the project keeps of earlier pipelines; nil before the first.
  package let record: ProjectRecord?
  let temporary: TemporaryPlace
  let processes: ProcessRunner

  /// - Parameters:
  ///   - temporary: The place of texts that are merged.
  ///   - processes: Runs git.
  /// - Throws: `TemplateError` of a record that cannot be read.
  package init(
    in root: String, temporary: TemporaryPlace, processes: ProcessRunner = .live
  ) throws(TemplateError) {
    self.root = root
    self.temporary = temporary
    self.processes = processes
    record = try ProjectRecord.read(root, .pipeline)
  }

  /// The systems that have a pipeline, those that are asked for with them.
  ///
  /// - Throws: `PipelineError` `ci-systems-missing`.
  package func systems(adding asked: [PipelineSystem]) throws(PipelineError) -> [PipelineSystem] {
    var names = Set(asked.map(\.rawValue))
    if case .list(let known)? = record?.values["systems"] { names.formUnion(known) }
    let systems = PipelineSystem.allCases.filter { names.contains($0.rawValue) }
    guard !systems.isEmpty else {
      throw PipelineError(.systemsMissing, ["known": PipelineSystem.allCases.map(\.rawValue).joined(separator: ", ")])
    }
    return systems
  }

  /// The variables of the template but for the steps: those that were set, else those of earlier, else their defaults.
  ///
  /// - Throws: `TemplateError` as of `Template.values`.
  package func values(
    of template: Template, systems: [PipelineSystem], traits: ProjectTraits, settings: [String: String],
    builtIn: BuiltInVariables
  ) throws(TemplateError) -> TemplateValues {
    var builtIn = builtIn
    if let language = record?.values["lang"]?.json.string { builtIn.language = language }
    if let year = record?.values["year"]?.json.string { builtIn.year = year }
    var answers = TemplateAnswers()
    answers.settings = settings
    answers.recorded = record?.values ?? [:]
    answers.recorded["systems"] = .list(systems.map(\.rawValue))
    let others = traits.values.merging(["steps": .records([])]) { $1 }
    return try template.values(builtIn, answers, adding: others) { _ in nil }
  }
}

extension PipelineError.Code {
  package static var systemsMissing: Self { Self("ci-systems-missing", exit: .usage) }
  package static var fileExists: Self { Self("ci-file-exists", exit: .cannotCreate) }
}
