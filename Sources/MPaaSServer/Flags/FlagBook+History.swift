import MPaaSDatabase
import MPaaSFlagTools
import MPaaSProtocol
import MPaaSSupport

/// Versions: who made them, when and why, and what they changed.
extension FlagBook {
  /// Versions with the first of their changes, the newest first.
  ///
  /// - Parameters:
  ///   - before: Only versions before this one.
  ///   - flag: Only versions that changed this flag.
  func versions(in place: FlagPlace, before: Int?, flag: String?, limit: Int) async throws -> [FlagVersion] {
    let key = place.key
    return try await services.store.read { database in
      try FlagStore.versions(key, before: before, flag: flag, limit: limit, in: database).map { version in
        try FlagStore.listed(version, key, in: database)
      }
    }
  }

  /// A version by its number with all that it changed; 0 is the environment as it was made.
  ///
  /// - Throws: `flags-version-unknown`.
  func version(_ number: String, in place: FlagPlace) async throws -> FlagVersion {
    let (key, version) = (place.key, try await head(ofVersion: number, in: place))
    return try await services.store.read { database in
      version.with(try FlagStore.edits(key, of: version.version, in: database).map(FlagDifference.init))
    }
  }

  /// The same without what it changed.
  ///
  /// - Throws: `flags-version-unknown`.
  func head(ofVersion number: String, in place: FlagPlace) async throws -> FlagVersion {
    let key = place.key
    if let number = Int(number), number >= 0 {
      if number == 0 { return FlagVersion(version: 0, author: "", time: 0, comment: "") }
      if let found = try await services.store.read({ try FlagStore.version(key, number, in: $0) }) { return found }
    }
    throw ServerError(.flagsVersionUnknown, ["version": number])
  }
}

extension FlagStore {
  /// A version with the first of its changes.
  static func listed(
    _ version: FlagVersion, _ key: FlagPlace.Key, in database: any SQLDatabase
  ) throws -> FlagVersion {
    version.with(try differences(key, of: version.version, in: database)).shortened(to: FlagWire.shortened)
  }
}

extension FlagVersion {
  fileprivate func with(_ changes: [FlagDifference]) -> FlagVersion {
    FlagVersion(
      version: version, author: author, time: time, comment: comment, rollback: rollback, proposal: proposal,
      changes: changes)
  }
}
