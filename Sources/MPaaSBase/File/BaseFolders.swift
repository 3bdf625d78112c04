/// The folders of a user by the XDG Base Directory specification, in which each program has one of its name.
///
/// A relative path in the environment is invalid and is ignored; a relative home would move with the working directory.
package struct BaseFolders: Sendable, Equatable {
  /// The home folder; nil where neither `HOME` nor the password database has one.
  package let home: String?
  /// The folder of settings; nil where it is neither named nor known by the home folder.
  package let configuration: String?
  /// The folder of files to keep; nil as above.
  package let data: String?
  /// The folder of files that can be made again; nil as above.
  package let cache: String?
  /// The folder of files that go when the user logs out; nil where none is named.
  package let runtime: String?

  /// - Parameter accountHome: The home folder of the user in the password database, asked where `HOME` is no full path.
  package init(environment: [String: String], accountHome: () -> String? = Directories.accountHome) {
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let home = absolute(environment["HOME"]) ?? absolute(accountHome())
    func folder(_ name: String, _ fallback: String) -> String? {
      absolute(environment[name]) ?? home.map { $0 + fallback }
    }
    self.home = home
    configuration = folder("XDG_CONFIG_HOME", "/.config")
    data = folder("XDG_DATA_HOME", "/.local/share")
    cache = folder("XDG_CACHE_HOME", "/.cache")
    runtime = absolute(environment["XDG_RUNTIME_DIR"])
  }
}
