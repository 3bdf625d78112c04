package import MPaaSSupport

extension CodedError<TemplateDomain>.Code {
  // Faults of a manifest.

  package static var fieldMissing: Self { malformed("template-field-missing") }
  package static var fieldType: Self { malformed("template-field-type") }
  package static var fieldText: Self { malformed("template-field-text") }
  /// A word that is none of those that may stand there.
  package static var fieldWord: Self { malformed("template-field-word") }
  package static var condition: Self { malformed("template-condition") }
  /// A regular expression that is none.
  package static var expression: Self { malformed("template-expression") }
  package static var extendsItself: Self { malformed("template-extends-itself") }

  // Faults of its files.

  /// A mustache tag that is not one.
  package static var tag: Self { malformed("template-tag") }
  package static var variableUnknown: Self { malformed("template-variable-unknown") }
  package static var notText: Self { malformed("template-not-text") }
  package static var link: Self { Self("template-link", exit: .notPermitted) }
  /// A path that leads elsewhere, or that no file should have.
  package static var path: Self { Self("template-path", exit: .notPermitted) }
  /// Two paths that are one on some file systems.
  package static var pathClash: Self { malformed("template-path-clash") }
  package static var tooLarge: Self { Self("template-too-large", exit: .notPermitted) }

  // Sources of templates.

  package static var unknown: Self { Self("template-unknown", exit: .inputMissing) }
  package static var unknownNear: Self { Self("template-unknown-near", exit: .inputMissing) }
  package static var manifestMissing: Self { Self("template-manifest-missing", exit: .inputMissing) }
  package static var sourceMissing: Self { Self("template-source-missing", exit: .inputMissing) }
  package static var gitFailed: Self { Self("template-git-failed", exit: .unreachable) }
  package static var gitMissing: Self { Self("template-git-missing", exit: .inputMissing) }
  package static var wrongKind: Self { Self("template-kind", exit: .usage) }
  package static var kitMissing: Self { Self("kit-missing", exit: .inputMissing) }
  package static var notTheKit: Self { Self("kit-not-there", exit: .inputMissing) }

  // Answers to its questions.

  package static var answerMissing: Self { Self("template-answer-missing", exit: .usage) }
  package static var answerWrong: Self { Self("template-answer-wrong", exit: .usage) }
  package static var answerUnknown: Self { Self("template-answer-unknown", exit: .usage) }

  // The name, identifier and folder of a new project.

  package static var nameEmpty: Self { Self("project-name-empty", exit: .usage) }
  package static var nameSeparator: Self { Self("project-name-separator", exit: .usage) }
  package static var nameControl: Self { Self("project-name-control", exit: .usage) }
  package static var nameDot: Self { Self("project-name-dot", exit: .usage) }
  package static var nameCharacter: Self { Self("project-name-character", exit: .usage) }
  package static var nameLong: Self { Self("project-name-long", exit: .usage) }
  package static var identifierWrong: Self { Self("project-identifier-wrong", exit: .usage) }
  package static var targetExists: Self { Self("project-folder-exists", exit: .cannotCreate) }
}
