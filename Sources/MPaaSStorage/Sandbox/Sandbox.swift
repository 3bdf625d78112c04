import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folders of an app: what it may write where, and what of it the system keeps.
///
/// On Apple's systems they are those of the app's container. Elsewhere they are the folders of the XDG Base Directory
/// specification, below them one of the app's name. No folder is made by looking for it.
///
/// ```swift
/// let sandbox = try Sandbox(app: "orderbook")
/// let caches = try sandbox.touch(sandbox.caches)
/// ```
public struct Sandbox: Sendable, Equatable {
  /// The folder of the program itself, in which nothing can be kept.
  public let app: String
  /// The folder of the user's own documents, which is backed up.
  public let documents: String
  /// The folder of the app's own files, which is backed up.
  public let library: String
  /// The folder of settings.
  public let preferences: String
  /// The folder of files that can be made again; the system may empty it while the app does not run.
  public let caches: String
  /// The folder of files that go when the app ends.
  public let temporary: String

  /// Creates the sandbox of this program.
  ///
  /// - Parameter name: The app's name on systems without containers, one plain name; elsewhere it does not count.
  /// - Throws: `storage-path-outside` where the name is none, or the user has no home.
  public init(app name: String) throws(StorageError) {
    #if canImport(Darwin)
      let home = NSHomeDirectory()
      self.init(home: home, app: Bundle.main.bundlePath, temporary: NSTemporaryDirectory())
    #else
      try self.init(app: name, environment: ProcessInfo.processInfo.environment)
    #endif
  }

  #if canImport(Darwin)
    /// Creates the sandbox of a container.
    init(home: String, app: String, temporary: String) {
      self.app = app
      documents = home + "/Documents"
      library = home + "/Library"
      preferences = home + "/Library/Preferences"
      caches = home + "/Library/Caches"
      self.temporary = temporary.hasSuffix("/") ? String(temporary.dropLast()) : temporary
    }
  #endif

  /// Creates the sandbox of an environment.
  package init(
    app name: String, environment: [String: String], accountHome: () -> String? = Directories.accountHome
  ) throws(StorageError) {
    guard Self.isName(name) else { throw StorageError(.pathOutside, ["path": name]) }
    let base = BaseFolders(environment: environment, accountHome: accountHome)
    guard base.home != nil, let configuration = base.configuration, let data = base.data, let cache = base.cache else {
      throw StorageError(.pathOutside, ["path": "~"])
    }
    app = FileSystem.resolved("/proc/self/exe").map(FileSystem.folder) ?? "/"
    library = data + "/" + name
    documents = library + "/Documents"
    preferences = configuration + "/" + name
    caches = cache + "/" + name
    // Others could be first in /tmp itself.
    temporary = base.runtime.map { $0 + "/" + name } ?? caches + "/tmp"
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.allSatisfy { $0 > 0x1f && $0 != UInt8(ascii: "/") }
  }

  private var writable: [String] { [documents, library, preferences, caches, temporary] }

  /// Makes a folder of the sandbox where it is missing, for its owner alone, with those above it.
  ///
  /// - Returns: The folder.
  /// - Throws: `storage-path-outside` where it is none of the sandbox.
  @discardableResult
  public func touch(_ folder: String) throws(StorageError) -> String {
    try check(folder, allowsRoots: true)
    do throws(FileError) { try PrivateFolder.create(folder) } catch { throw StorageError(error) }
    return folder
  }

  /// Makes an empty file where it is missing, for its owner alone, with the folders above it; else has it be changed now.
  ///
  /// - Returns: The file.
  /// - Throws: `storage-path-outside` where it is none of the sandbox.
  @discardableResult
  public func touch(file: String) throws(StorageError) -> String {
    try check(file, allowsRoots: false)
    do throws(FileError) {
      try PrivateFolder.create(FileSystem.folder(of: file))
      guard FileStatus(file) == nil else {
        _ = FileSystem.touch(file)
        return file
      }
      _ = try OpenFile(file, .making(0o600))
    } catch { throw StorageError(error) }
    return file
  }

  /// Removes a file, a link or a folder with all that is in it; one that is not there is fine.
  ///
  /// - Throws: `storage-path-outside` where it is none of the sandbox, or one of its folders itself.
  public func remove(_ path: String) throws(StorageError) {
    try check(path, allowsRoots: false)
    guard let status = FileStatus(ofLink: path) else { return }
    if status.kind == .folder { return FileSystem.removeTree(path) }
    do throws(FileError) { try FileSystem.remove(path) } catch { throw StorageError(error) }
  }

  /// Refuses paths that lead out of the sandbox, also by `..`.
  private func check(_ path: String, allowsRoots: Bool) throws(StorageError) {
    let isWithin = writable.contains { root in
      guard path.hasPrefix(root) else { return false }
      let rest = path.dropFirst(root.count)
      return rest.isEmpty ? allowsRoots : rest.hasPrefix("/") && rest.count > 1
    }
    let isPlain = !path.split(separator: "/").contains("..")
    let isRoot = writable.contains(path)
    guard isWithin, isPlain, allowsRoots || !isRoot else {
      throw StorageError(.pathOutside, ["path": path], at: .file(path))
    }
  }
}
