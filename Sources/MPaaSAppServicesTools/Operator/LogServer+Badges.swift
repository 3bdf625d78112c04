package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol

extension LogServer {
  /// Gives targets badges, in the place of those with the same path.
  package func push(_ push: BadgePush) async throws(LogError) -> BadgeChange {
    try await ask("POST", ServerPaths.badgeTargets, json: push)
  }

  /// Badges by their targets, those changed last first.
  ///
  /// - Parameters:
  ///   - target: Only those of a target; nil for all that there are.
  ///   - before: Only those that changed before this version.
  package func badges(
    _ target: BadgeTarget?, before: Int64? = nil, limit: Int? = nil
  ) async throws(LogError) -> [BadgeEntry] {
    let words = [("before", before.map { String($0) }), ("limit", limit.map { String($0) })] + Self.words(target)
    let page: BadgePage = try await ask("GET", ServerPaths.badgeTargets + AddressWords.text(words))
    return page.badges
  }

  /// Takes badges away: those of a target, those of a path and below it, or both.
  package func clearBadges(_ target: BadgeTarget?, path: String?, app: String?) async throws(LogError) -> BadgeChange {
    let words = [("path", path), ("app", app)] + Self.words(target)
    return try await ask("DELETE", ServerPaths.badgeTargets + AddressWords.text(words))
  }

  private static func words(_ target: BadgeTarget?) -> [(String, String?)] {
    switch target?.kind {
    case nil: []
    case .all: [("all", "1")]
    case .user: [("user", target?.name)]
    case .segment: [("segment", target?.name)]
    }
  }
}
