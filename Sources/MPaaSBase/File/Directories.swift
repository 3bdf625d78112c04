#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folders where the command keeps things, by the XDG Base Directory specification; `MPAAS_HOME` puts all three
/// under one folder.
///
/// Without `HOME` the password database says where the user is at home. Where that has no home either, the folders lie
/// at `nowhere`, in which nothing can be made: never in a folder that others can write.
package struct Directories: Sendable, Equatable {
  package let configuration: String
  package let data: String
  package let cache: String
  /// The folder that `TMPDIR` names for files that go again; nil where it names none.
  package let chosenTemporary: String?

  /// A folder that is never there, since its parent is a device.
  package static let nowhere = "/dev/null/mpaas"

  /// - Parameter accountHome: The home folder of the user in the password database, asked where `HOME` is no full path.
  package init(environment: [String: String], accountHome: () -> String? = Self.accountHome) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    chosenTemporary = value("TMPDIR")
    if let home = value("MPAAS_HOME") {
      configuration = home + "/config"
      data = home + "/data"
      cache = home + "/cache"
      return
    }
    let base = BaseFolders(environment: environment, accountHome: accountHome)
    func own(_ folder: String?) -> String { folder.map { $0 + "/mpaas" } ?? Self.nowhere }
    configuration = own(base.configuration)
    data = own(base.data)
    cache = own(base.cache)
  }

  /// The symbol store.
  package var symbols: String { data + "/symbols" }
  /// Indexes of debug files that are not in the store.
  package var indexes: String { cache + "/indexes" }
  /// Crash reports that the capture commands wrote without being told where.
  package var crashes: String { data + "/crashes" }

  /// The home folder that the password database has for the user who runs this process; nil where it has none.
  package static func accountHome() -> String? {
    UserAccount(geteuid())?.home
  }

  /// Makes a directory and those above it; one that is there already is fine.
  package static func create(_ path: String) throws(FileError) {
    guard !path.isEmpty else { return }
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      throw .last(.create, path)
    }
    try create(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .last(.create, path) }
  }
}
