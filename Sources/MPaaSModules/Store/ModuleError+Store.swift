package import MPaaSSupport

extension ModuleError.Code {
  /// An archive that is not the one that the registry tells of, by size or digest.
  package static var archiveDigest: Self { refused("module-archive-digest") }
  /// An archive without `module.toml`.
  package static var archiveNoManifest: Self { malformed("module-archive-no-manifest") }
  /// An archive whose `module.toml` tells another name or version than the registry.
  package static var notAsAnnounced: Self { refused("module-not-as-announced") }
  /// A file of the store that is not there or is another.
  package static var storeDamaged: Self { Self("module-store-damaged", exit: .inputOutput) }
  /// Others use the store and do not end.
  package static var storeBusy: Self { Self("module-store-busy", exit: .tryAgain) }
  /// A placed module whose files somebody changed.
  package static var filesChanged: Self { Self("module-files-changed", exit: .negative) }
  /// A placed module that is not what the lock says, where it has to be.
  package static var notAsLocked: Self { Self("module-not-as-locked", exit: .negative) }
  /// A folder of somebody else where a module should stand.
  package static var placeTaken: Self { Self("module-place-taken", exit: .cannotCreate) }
}

/// Turns what a file operation throws into an error of modules.
func withFileErrors<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(ModuleError) -> Value {
  do throws(FileError) {
    return try body()
  } catch {
    throw ModuleError(error)
  }
}
