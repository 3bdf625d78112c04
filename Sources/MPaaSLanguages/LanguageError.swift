package import MPaaSSupport

/// The errors of an app's texts in its languages.
package enum LanguageDomain {}

/// The reason why a source or a table of texts cannot be read or written.
package typealias LanguageError = CodedError<LanguageDomain>
