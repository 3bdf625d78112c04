import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// Writes a value of each type that a description names, for previews and tests of apps.
struct SwiftSampleWriter {
  private let plan: OpenAPIPlan
  private let compiled: SchemaCompiler.Compiled
  private let options: SwiftModelWriter.Options
  /// The types for which no value was found.
  private(set) var notes: [GenerationError] = []

  init(_ plan: OpenAPIPlan, _ compiled: SchemaCompiler.Compiled, _ options: SwiftModelWriter.Options) {
    self.plan = plan
    self.compiled = compiled
    self.options = options
  }

  private var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  /// The text of each type's sample, in the order of the description.
  mutating func samples() -> [String] {
    let declared = Dictionary(compiled.set.declarations.map { ($0.name, $0) }) { first, _ in first }
    var samples = CheckedSamples(plan.document)
    var texts: [String] = []
    for (name, schema) in plan.document.components.schemas {
      guard let type = plan.bundle.typeName(of: schema), let declaration = declared[type] else { continue }
      guard let value = samples.sample(of: schema) else {
        let place = plan.document.library.place(schema.node, in: schema.location.file)
        notes.append(GenerationError(.apiSampleMissing, ["name": name], at: place))
        continue
      }
      texts.append(text(of: declaration, value))
    }
    return texts
  }

  private func text(of declaration: ModelDeclaration, _ value: JSONNode) -> String {
    var text = SwiftText()
    let access = access
    text.block("extension \(declaration.name)") { text in
      text.documentation(["A value as the description has it."])
      text.line("\(access)static var \(Self.name(in: declaration)): \(declaration.name) {")
      text.indented { text in
        text.line("get throws {")
        text.indented { text in
          text.line("let json = \(SwiftSpelling.literal(value.line))")
          text.line("return try \(declaration.name)(validating: APIText.json(Array(json.utf8)))")
        }
        text.line("}")
      }
      text.line("}")
    }
    return text.text
  }

  /// The name of the sample: a case of the type may be called so.
  private static func name(in declaration: ModelDeclaration) -> String {
    let cases: [String]
    switch declaration.kind {
    case .enumeration(let constants): cases = constants.map(\.name)
    case .union(let choices): cases = choices.map(\.name)
    default: cases = []
    }
    return cases.contains("sample") ? "sampleValue" : "sample"
  }
}
