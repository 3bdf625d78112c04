package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The use that a user allows of a key, and until when.
package struct KeyUse {
  /// Empty for every role, or for those that a key from elsewhere has.
  package let roles: [KeyRole]
  /// Gives the end of its use, which is read only after what is known without it; nil for none.
  package let expires: () throws -> Date?

  package init(roles: [KeyRole] = [], expires: @escaping () throws -> Date? = { nil }) {
    self.roles = roles
    self.expires = expires
  }
}
