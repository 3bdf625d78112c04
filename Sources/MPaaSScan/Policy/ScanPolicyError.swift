package import MPaaSSupport

package enum ScanPolicyDomain {}

/// The reason why a policy or a baseline could not be used.
package typealias ScanPolicyError = CodedError<ScanPolicyDomain>

extension CodedError<ScanPolicyDomain>.Code {
  /// A file that is no TOML.
  static var policyText: Self { .malformed("scan-policy-text") }
  /// A member that a policy does not know, or a value that it cannot have.
  static var policyMember: Self { .malformed("scan-policy-member") }
  /// A file that is no baseline.
  static var baseline: Self { .malformed("scan-baseline") }
}
