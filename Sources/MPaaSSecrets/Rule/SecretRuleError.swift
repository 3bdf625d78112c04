package import MPaaSSupport

/// The part of the kit that `SecretRuleError` belongs to.
package enum SecretRuleDomain {}

/// The reason why a file of rules could not be used.
package typealias SecretRuleError = CodedError<SecretRuleDomain>

extension SecretRuleError.Code {
  /// A file that is no TOML, or says what rules cannot say.
  package static var malformed: Self { .malformed("scan-secret-rules-malformed") }
  /// An expression that is none of RE2's language.
  package static var expression: Self { .malformed("scan-secret-rules-expression") }
}
