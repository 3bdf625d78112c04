package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The content of a repository, role by role, with what is staged.
package struct RepositoryStatus: Sendable, Equatable {
  package struct Role: Sendable, Equatable {
    package let name: String
    /// nil where it was never published.
    package let version: Int?
    package let expires: Date?
    /// The quorum from now on.
    package let threshold: Int
    package let keyIDs: [String]
    /// nil for the roles that list none.
    package let targets: Int?
  }

  /// The four roles of every repository, then those that are delegated to; bins, which are all alike, are left out.
  package let roles: [Role]
  /// Targets in all roles.
  package let targets: Int
  package let pending: [PendingRole]

  package init(of draft: inout RepositoryDraft) throws(TrustError) {
    var headers: [String: (header: MetadataHeader, targets: Int?)] = [:]
    if let body = draft.root?.body { headers["root"] = (body.header, nil) }
    if let body = draft.snapshot?.body { headers["snapshot"] = (body.header, nil) }
    if let body = draft.timestamp?.body { headers["timestamp"] = (body.header, nil) }
    let holders = try draft.keyHolders()
    let delegated = try draft.delegations()
    for role in ["targets"] + delegated.map(\.name) {
      if let body = try draft.publishedRole(role)?.body { headers[role] = (body.header, body.targets.count) }
    }
    let shown = TopRole.allCases.map(\.rawValue) + delegated.filter { !$0.isBin }.map(\.name)
    roles = shown.map { name in
      let keys = holders[name]?.last?.keys
      return Role(
        name: name, version: headers[name]?.header.version, expires: headers[name]?.header.expires,
        threshold: keys?.threshold ?? 0, keyIDs: keys?.keyIDs ?? [], targets: headers[name]?.targets)
    }
    targets = headers.values.reduce(0) { $0 + ($1.targets ?? 0) }
    pending = try draft.pending()
  }
}
