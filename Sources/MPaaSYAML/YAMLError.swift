package import MPaaSSupport

/// The part of the kit that `YAMLError` belongs to.
package enum YAMLDomain {}

/// The reason why a text is no YAML, or none that JSON could say.
package typealias YAMLError = CodedError<YAMLDomain>

extension YAMLError.Code {
  /// A text that breaks YAML's grammar; `problem` says how in English.
  package static var syntax: Self { .malformed("yaml-syntax") }
  /// Collections that lie deeper in each other than the limit.
  package static var tooDeep: Self { .malformed("yaml-too-deep") }
  /// A second document behind the first.
  package static var documents: Self { .malformed("yaml-documents") }
  /// An alias whose anchor does not stand before it.
  package static var anchorMissing: Self { .malformed("yaml-anchor-missing") }
  /// An alias inside of what its own anchor names.
  package static var anchorInside: Self { .malformed("yaml-anchor-inside") }
  /// Aliases that stand for more values than the limit.
  package static var expansion: Self { .malformed("yaml-expansion") }
  /// A key that is no plain value.
  package static var key: Self { .malformed("yaml-key") }
  /// A key that stands twice in a mapping.
  package static var keyTwice: Self { .malformed("yaml-key-twice") }
  /// A merge key whose value is no mapping.
  package static var merge: Self { .malformed("yaml-merge") }
  /// A value that JSON does not know, such as `.inf`.
  package static var value: Self { .malformed("yaml-value") }
  /// A tag outside YAML's core schema, or one that its value does not fit.
  package static var tag: Self { .malformed("yaml-tag") }
}
