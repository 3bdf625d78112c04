package import MPaaSSupport

/// The actions of bringing a project into step did, or would do.
package struct SyncOutcome: Sendable, Equatable {
  package var changes: [SyncChange] = []
  /// Modules that the project has now.
  package var modules: [SyncedModule] = []
  /// Bytes that came, or would come, over the line.
  package var downloaded: UInt64 = 0
  package var downloads = 0
  /// Folders that were placed.
  package var placed: [String] = []
  /// Folders that were taken away.
  package var removed: [String] = []
  /// Paths of files that the user changed and that stayed.
  package var kept: [String] = []
  /// Folders that are no longer used and stayed, as somebody changed files in them.
  package var left: [String] = []
  /// The needs of the project's targets need of the modules; nil where that is not known before these have come.
  package var wirings: [ModuleWiring]?
  /// Files with build settings that were written or taken away.
  package var settings: [String] = []
  package var wroteLock = false
  package var wroteManifest = false
  /// The warnings, which stopped nothing.
  package var warnings: [Diagnostic] = []
  package var isDryRun = false
  /// The manifest's choice of the Xcode project.
  package var xcode: ProjectXcode = .automatic

  package init() {}

  /// Tells whether the project was, and is, as its manifest says.
  package var isUnchanged: Bool {
    changes.isEmpty && placed.isEmpty && removed.isEmpty && settings.isEmpty && !wroteLock && !wroteManifest
      && downloads == 0
  }
}

/// A module that a project has in a version that it did not have.
package struct SyncChange: Sendable, Equatable {
  package var name: String
  /// nil for a module that is added.
  package var from: ModuleVersion?
  /// nil for one that is removed.
  package var to: ModuleVersion?
  /// Targets that it concerns; empty for all.
  package var targets: [String]
  /// The news of each version up to `to`, newest first; of a step back what goes.
  package var notes: [ReleaseNotes]

  package init(
    _ name: String, from: ModuleVersion?, to: ModuleVersion?, targets: [String] = [], notes: [ReleaseNotes] = []
  ) {
    self.name = name
    self.from = from
    self.to = to
    self.targets = targets
    self.notes = notes
  }
}

/// The publisher's notes on a release.
package struct ReleaseNotes: Sendable, Equatable {
  package var version: ModuleVersion
  /// Seconds since 1970.
  package var released: Int64
  package var notes: LocalizedText
  package var yanked: String?

  package init(_ release: ModuleRelease) {
    version = release.version
    released = release.released
    notes = release.manifest.notes
    yanked = release.yanked
  }
}

package struct SyncedModule: Sendable, Equatable {
  package var name: String
  package var version: ModuleVersion
  package var registry: String
  package var size: UInt64
  /// Empty for all.
  package var targets: [String]

  package init(name: String, version: ModuleVersion, registry: String, size: UInt64, targets: [String]) {
    self.name = name
    self.version = version
    self.registry = registry
    self.size = size
    self.targets = targets
  }
}

extension ModuleIndex {
  /// The releases between two versions, newest first: those that somebody has not seen who goes from one to the other.
  package func notes(from old: ModuleVersion?, to new: ModuleVersion?) -> [ReleaseNotes] {
    switch (old, new) {
    case (let old?, let new?):
      let (low, high) = old < new ? (old, new) : (new, old)
      return releases.filter {
        low < $0.version && $0.version <= high && (!$0.version.isPrerelease || $0.version == high)
      }
      .map(ReleaseNotes.init)
    case (nil, let new?): return release(new).map { [ReleaseNotes($0)] } ?? []
    case (_, nil): return []
    }
  }
}
