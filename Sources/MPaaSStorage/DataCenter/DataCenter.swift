import MPaaSLock
import MPaaSSupport

/// The key-value stores of an app under one folder: one for all, and one for each user.
///
/// A store belongs to its user for good: who holds one while another user signs in goes on in the file of the first.
///
///     let center = try DataCenter(root: documents + "/Preferences", appVersion: "1.2.0")
///     try center.common.set(3, forKey: "launches")
///     center.switchUser(to: "2088001")
///     try center.user?.set("Ann", forKey: "name")
public final class DataCenter: Sendable {
  /// The folder that everything lies in; only its owner may read it.
  public let root: String
  /// The version of the app whose storage `currentVersionStorage` is.
  public let appVersion: String
  let folders: StorageFolders
  let state: Lock<OpenStores>
  let observers = Lock(UserObservers())
  private let switching = Lock(())
  private let logs: AtomicFlag
  private let log: @Sendable (String) -> Void

  /// Creates a data center in a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - appVersion: The version of the app; with another one than before, `currentVersionStorage` is empty.
  ///   - options: The options of all its stores.
  ///   - log: Takes a line for each store that is opened, user that is switched, and folder that is emptied.
  /// - Throws: `StorageError` where the folder cannot be made.
  public init(
    root: String, appVersion: String, options: KeyValueOptions = KeyValueOptions(),
    log: (@Sendable (String) -> Void)? = nil
  ) throws(StorageError) {
    do throws(FileError) {
      try PrivateFolder.create(root)
      try PrivateFolder.close(root)
    } catch { throw StorageError(error) }
    self.root = FileSystem.resolved(root) ?? root
    self.appVersion = appVersion
    folders = StorageFolders(root: self.root)
    folders.tidy(version: appVersion)
    state = Lock(OpenStores(options: options))
    logs = AtomicFlag(log != nil)
    self.log = log ?? { _ in }
  }

  deinit { observers.withLock { observers in observers.finish() } }

  /// True while lines are logged; it may be changed at any time.
  public var isLogging: Bool {
    get { logs.load() }
    set { logs.store(newValue) }
  }

  func note(_ line: @autoclosure () -> String) { if isLogging { log(line()) } }

  /// The id of the user who is signed in; nil where none is.
  public var currentUser: String? { state.withLock { state in state.user } }

  /// Signs a user in, or with nil or an empty id out.
  ///
  /// Parts of the storage that follow the user know before this returns, and before `events` do. It must not be called
  /// by one of them.
  public func switchUser(to id: String?) {
    let id = id?.isEmpty == true ? nil : id
    switching.withLock { _ in
      let former = currentUser
      if let former, let id, former.utf8.elementsEqual(id.utf8) { return tell(.didRenew(user: id)) }
      guard former != nil || id != nil else { return }
      if let former { tell(.willResign(user: former)) }
      state.withLock { state in state.user = id }
      note("user switched")
      tell(.didSwitch(from: former, to: id))
    }
  }

  private func tell(_ event: UserEvent) {
    // A copy: an observer may add or remove others.
    let all = observers.withLock { observers in observers }
    all.tell(event)
  }

  /// The switches of users from now on, in their order; the storage has been told of each before.
  public var events: AsyncStream<UserEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: UserEvent.self)
    let number = observers.withLock { observers in observers.add(continuation) }
    continuation.onTermination = { [weak self] _ in self?.removeObserver(number) }
    return stream
  }

  /// Adds a part of the storage that is told of each event at once.
  package func addObserver(_ observer: @escaping @Sendable (UserEvent) -> Void) -> Int {
    observers.withLock { observers in observers.add(observer) }
  }

  package func removeObserver(_ number: Int) { observers.withLock { observers in observers.remove(number) } }
}
