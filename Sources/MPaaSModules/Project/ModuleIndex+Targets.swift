extension ModuleIndex {
  /// The newest version that all targets can use; a pre-release only where there is nothing else.
  package func newest(for targets: [ProjectTarget]) -> ModuleVersion? {
    let usable = releases.filter { release in
      release.yanked == nil
        && targets.allSatisfy { target in
          guard let platform = target.platform, !release.manifest.platforms.isEmpty else { return true }
          guard let lowest = release.manifest.platforms[platform] else { return false }
          return target.minimum.map { lowest <= $0 } ?? true
        }
    }
    return (usable.first { !$0.version.isPrerelease } ?? usable.first)?.version
  }
}
