package import MPaaSSupport

/// The errors of edits of Xcode projects.
package enum ProjectEditDomain {}
/// The reason why a project cannot be edited as asked.
package typealias ProjectEditError = CodedError<ProjectEditDomain>

extension ProjectEditError.Code {
  /// A target that the project does not have.
  package static var noTarget: Self { ProjectEditError.Code("edit-no-target", exit: .inputMissing) }
  /// None was named, and there are several.
  package static var whichTarget: Self { ProjectEditError.Code("edit-which-target", exit: .usage) }
  package static var noConfiguration: Self { ProjectEditError.Code("edit-no-configuration", exit: .inputMissing) }
  package static var noGroup: Self { ProjectEditError.Code("edit-no-group", exit: .inputMissing) }
  package static var noFile: Self { ProjectEditError.Code("edit-no-file", exit: .inputMissing) }
  /// A path that leads to nothing on disk.
  package static var missingFile: Self { ProjectEditError.Code("edit-missing-file", exit: .inputMissing) }
  /// A file of a synchronized folder cannot be built in another way than its kind is.
  package static var syncedOption: Self { ProjectEditError.Code("edit-synced-option", exit: .usage) }
  /// A name that several things have.
  package static var ambiguous: Self { ProjectEditError.Code("edit-ambiguous", exit: .usage) }
  /// Nothing stands in the list by whose name a position was asked for.
  package static var noPosition: Self { ProjectEditError.Code("edit-no-position", exit: .inputMissing) }
  /// A word that is not what an operation needs there.
  package static var badWord: Self { ProjectEditError.Code("edit-bad-word", exit: .usage) }
  /// The error for the product of a target, which cannot be taken out of the project without the target.
  package static var product: Self { refused("edit-product") }
  /// A target of the name makes something else.
  package static var otherKind: Self { refused("edit-other-kind") }
  /// A project cannot do without any configuration.
  package static var lastConfiguration: Self { refused("edit-last-configuration") }
  /// A scheme of the name says something else.
  package static var schemeExists: Self { refused("edit-scheme-exists") }
  /// A path that holds a setting which only the build knows.
  package static var variablePath: Self { refused("edit-variable-path") }
  /// A project of Xcode 27 in its new format.
  package static var jsonProject: Self { refused("edit-json-project") }
  /// The project lacks what every project has.
  package static var brokenProject: Self { malformed("edit-broken-project") }

  // A file of operations:
  package static var operationsMalformed: Self { malformed("edit-operations-malformed") }
  package static var noOperation: Self { malformed("edit-no-operation") }
  package static var keyMissing: Self { malformed("edit-key-missing") }
  package static var unknownKey: Self { malformed("edit-unknown-key") }
  package static var badValue: Self { malformed("edit-bad-value") }
}
