import MPaaSSupport

extension ModuleIndex {
  /// The members of an `index.json` that a list of very many modules needs.
  struct Skim {
    let name: String
    /// That of `ModuleIndex.newest`; nil where there is no release.
    let newest: ModuleVersion?

    /// Reads no more than names, versions and what was withdrawn; the rest is not checked.
    ///
    /// - Returns: nil where the bytes are not such an index, or one whose releases are only for systems that are not
    ///   known: then `ModuleIndex(reading:)` tells more.
    init?(_ bytes: UnsafeRawBufferPointer) {
      var skim = JSONSkim(bytes)
      var name: String?
      var format: UInt64?
      var found = Newest()
      let isObject = skim.object { member, skim in
        if skim.isName(member, "name") {
          name = skim.string()
          return name != nil
        }
        if skim.isName(member, "format") {
          format = skim.unsigned()
          return format != nil
        }
        guard skim.isName(member, "releases") else { return skim.skip() }
        return skim.array { _, skim in found.take(&skim) }
      }
      guard isObject, skim.isAtEnd(), format == ModuleIndex.format, let name else { return nil }
      self.name = name
      newest = found.newest
    }
  }

  /// The newest release of those that were seen, by the same order as `ModuleIndex.newest`.
  private struct Newest {
    private var stable: ModuleVersion?
    private var offered: ModuleVersion?
    private var any: ModuleVersion?

    var newest: ModuleVersion? { stable ?? offered ?? any }

    /// Takes the release that is next; false where it has to be read in full.
    mutating func take(_ skim: inout JSONSkim) -> Bool {
      var version: ModuleVersion?
      var isYanked = false
      var isForKnown = true
      let isObject = skim.object { member, skim in
        if skim.isName(member, "version") {
          version = skim.string().flatMap { ModuleVersion($0) }
          return version != nil
        }
        if skim.isName(member, "platforms") {
          isForKnown = false
          return skim.object { platform, skim in
            if skim.text(platform).flatMap({ ModulePlatform(rawValue: $0) }) != nil { isForKnown = true }
            return skim.skip()
          }
        }
        if skim.isName(member, "yanked") { isYanked = true }
        return skim.skip()
      }
      guard isObject, isForKnown, let version else { return false }
      if any.map({ $0 < version }) ?? true { any = version }
      guard !isYanked else { return true }
      if offered.map({ $0 < version }) ?? true { offered = version }
      if !version.isPrerelease, stable.map({ $0 < version }) ?? true { stable = version }
      return true
    }
  }
}
