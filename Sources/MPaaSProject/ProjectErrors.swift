package import MPaaSSupport

/// The errors of templates and of what is made from them.
package enum TemplateDomain {}
/// The reason why a template cannot be read or rendered, or a project not be made.
package typealias TemplateError = CodedError<TemplateDomain>

/// The errors of generated code.
package enum GenerationDomain {}
/// The reason why no code can be generated from a file.
package typealias GenerationError = CodedError<GenerationDomain>
