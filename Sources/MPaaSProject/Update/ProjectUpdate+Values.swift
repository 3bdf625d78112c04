import MPaaSSupport

extension ProjectUpdate {
  /// The variables of the template as it is now: those that were set, else those that the project was made with, else
  /// their defaults, else what a person answers.
  ///
  /// - Parameters:
  ///   - settings: By the variable.
  ///   - kit: The kit that is asked for; nil where the one stays that the project was made with.
  ///   - ask: Asks a person; nil where there is none.
  /// - Throws: `TemplateError`: a recorded name that is none, and as of `Template.values`.
  package func values(
    of template: Template, settings: [String: String], kit: Kit?, kitVersion: String,
    ask: (TemplateVariable) -> String?
  ) throws(TemplateError) -> TemplateValues {
    func text(_ name: String) -> String { record.values[name]?.json.string ?? "" }
    func something(_ name: String) -> String? { text(name).isEmpty ? nil : text(name) }
    var name = try ProjectName(text("name"))
    if text("name_identifier") != name.identifier { name = try name.named(text("name_identifier")) }
    var builtIn = BuiltInVariables(name: name, year: text("year"), kitVersion: kitVersion)
    builtIn.kit = kit ?? Kit(path: something("kit_path"), url: something("kit_url"), templates: nil)
    builtIn.author = text("author")
    builtIn.organization = text("organization")
    builtIn.appKey = text("app_key")
    builtIn.language = text("lang")
    builtIn.isObjectiveC = record.values["objc"]?.isSomething ?? false
    if case .records(let keys)? = record.values["hotpatch_keys"] { builtIn.hotpatchKeys = keys }
    var answers = TemplateAnswers()
    answers.settings = settings
    answers.recorded = record.values
    return try template.values(builtIn, answers) { (variable) throws(TemplateError) in ask(variable) }
  }
}
