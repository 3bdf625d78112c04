/// The time for which metadata of a role is valid, and how it is renewed.
package struct RoleValidity: Sendable, Equatable {
  package let role: String
  package let days: Int
  /// True where a key without a passphrase renews it, by `mpaas registry refresh` in a timer; else people sign.
  package let isOnline: Bool
}
