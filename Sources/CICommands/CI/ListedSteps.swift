import CommandKit
import MPaaSPipelines
import MPaaSProject
import MPaaSTerminal

/// The steps of a pipeline.
struct ListedSteps: Presentable {
  struct Step: Encodable, Sendable {
    let name: String
    let title: String
    let run: String
    let needs: [String]
    /// Variables that are not set; the step would be passed over.
    let missing: [String]
  }

  let steps: [Step]

  init(_ steps: [PipelineStep], _ context: Context) {
    self.steps = steps.map {
      Step(
        name: $0.name, title: $0.title.text(context.catalogue.language.rawValue), run: $0.line, needs: $0.needs,
        missing: $0.missing(in: context.environment))
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    [
      .table(
        Table(
          columns: [.init(catalogue.text("text.ci-column-step")), .init(catalogue.text("text.ci-column-line"))],
          rows: steps.map { [StyledText($0.name, $0.missing.isEmpty ? .emphasis : .faint), StyledText($0.run)] }))
    ]
  }
}
