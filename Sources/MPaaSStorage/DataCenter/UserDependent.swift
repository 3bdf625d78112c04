import MPaaSLock
import MPaaSSupport

/// Objects in the folders of a data center, one for each user: databases of a DAO document, indexes, files.
///
/// An object belongs to its user for good: who holds one while another user signs in goes on in the folder of the first.
/// The latest four stay open.
///
///     let notes = center.userDependent { folder in
///       try DAO(document: "notes.xml", databasePath: folder + "/notes.sqlite")
///     }
///     try notes.current?.update("add", ["a line"])
public final class UserDependent<Object: Sendable>: Sendable {
  private struct Kept: Sendable {
    var objects: [(folder: String, object: Object)] = []
    /// The number of resets when they were made.
    var resets = 0

    /// The object of a folder; nil where none was made since the last reset.
    mutating func object(in folder: String, _ resets: Int) -> Object? {
      if resets != self.resets { (objects, self.resets) = ([], resets) }
      return objects.first { $0.folder == folder }?.object
    }
  }

  private let center: DataCenter
  private let make: @Sendable (_ folder: String) throws -> Object
  private let kept = Lock(Kept())

  init(_ center: DataCenter, _ make: @escaping @Sendable (_ folder: String) throws -> Object) {
    self.center = center
    self.make = make
  }

  /// The object of the user who is signed in; nil where none is.
  ///
  /// It stays with its user: take it anew for each piece of work.
  public var current: Object? {
    get throws { try center.currentUser.map { user in try object(forUser: user) } }
  }

  /// The object of any user, whether signed in or not.
  public func object(forUser id: String) throws -> Object { try object(in: center.folder(forUser: id)) }

  /// The object of the folder that belongs to no user.
  public var common: Object {
    get throws { try object(in: center.commonFolder) }
  }

  private func object(in folder: String) throws -> Object {
    let resets = center.resets
    if let known = kept.withLock({ kept in kept.object(in: folder, resets) }) { return known }
    do throws(FileError) { try PrivateFolder.create(folder) } catch { throw StorageError(error) }
    let made = try make(folder)
    return kept.withLock { kept in
      // Another thread may have been faster.
      if let known = kept.object(in: folder, resets) { return known }
      kept.objects.append((folder, made))
      if kept.objects.count > 4 { kept.objects.removeFirst() }
      return made
    }
  }
}

extension DataCenter {
  /// The objects that `make` makes in the folders of users, and in the one of all: `daoWithPath:userDependent:`.
  ///
  /// - Parameter make: Opens or makes the object in a folder, which is there; more than one thread may call it.
  public func userDependent<Object>(
    _ make: @escaping @Sendable (_ folder: String) throws -> Object
  ) -> UserDependent<Object> { UserDependent(self, make) }

  /// The number of times that something was reset.
  var resets: Int { state.withLock { state in state.resets } }
}
