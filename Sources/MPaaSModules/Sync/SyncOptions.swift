/// The ways in which a project is brought into step.
package struct SyncOptions: Sendable, Equatable {
  /// The modules that may leave the versions of the lock.
  package var update: ProjectResolver.Update = .none
  /// The only target whose modules may leave them; nil for all.
  package var updatedTarget: String?
  /// Registries are not asked: what is known and stored has to do.
  package var offline = false
  /// The lock has to fit, and is never written.
  package var frozen = false
  /// Nothing is downloaded or changed; the outcome says what would be.
  package var dryRun = false
  /// Files that the user changed are replaced.
  package var force = false
  /// Registries are asked even if they were a moment ago.
  package var refresh = false
  /// The way in which modules are placed, whatever the project says.
  package var place: ProjectPlace?

  package init() {}
}
