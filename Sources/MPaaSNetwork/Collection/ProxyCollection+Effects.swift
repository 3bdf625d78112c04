extension ProxyCollection {
  /// Throws where nothing of a profile or a timeline does anything on the proxies that it is put on.
  ///
  /// A profile tells of a network, and each proxy takes of it what it can: one that some proxy takes is taken. Where there
  /// are no proxies yet, those to come may be of any kind.
  /// - Parameters:
  ///   - name: What errors call the profile or the timeline.
  ///   - proxies: By name; nil for all.
  func checkEffects(of toxics: [Toxic], _ name: String, on proxies: [String]?) throws(NetworkError) {
    let meant = all.filter { proxies?.contains($0.name) ?? true }
    guard !meant.isEmpty, !toxics.isEmpty else { return }
    guard !meant.contains(where: { proxy in toxics.contains { proxy.kind.takes($0.condition.kind) } }) else { return }
    let works = ProxyDefinition.Kind.allCases.filter { kind in toxics.contains { kind.takes($0.condition.kind) } }
    throw NetworkError(
      .profileWithoutEffect,
      [
        "profile": name, "proxies": meant.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", "),
        "kinds": works.map(\.rawValue).joined(separator: ", "),
      ])
  }
}
