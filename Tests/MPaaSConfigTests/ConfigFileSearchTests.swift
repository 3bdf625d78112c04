import MPaaSConfig
import MPaaSSupport
import Testing

@Suite("The search for a configuration file") struct ConfigFileSearchTests {
  /// A search through folders that a test has; names that end in a slash are folders, in `@` links to folders.
  private static func search(_ folders: [String: [String]]) -> ConfigFileSearch {
    ConfigFileSearch(
      entries: { folder in
        (folders[folder] ?? []).map { name in
          name.hasSuffix("/") || name.hasSuffix("@") ? (String(name.dropLast()), .folder) : (name, .file)
        }
      },
      isOwnFolder: { path in
        let parts = path.split(separator: "/")
        let folder = parts.dropLast().map { $0 + "/" }.joined()
        return folders[folder.isEmpty ? "." : folder]?.contains("\(parts.last ?? "")/") == true
      })
  }

  @Test("finds the file here or below, not behind links, dots or in what is built and fetched")
  func finds() throws {
    let folders = [
      ".": ["App/", "Pods/", ".git/", "Linked@"], "App/": ["a.plist", "b.plist"], "Pods/": ["a.plist"],
      ".git/": ["a.plist"], "Linked/": ["a.plist"],
    ]
    #expect(try Self.search(folders).file(named: "a.plist") == "App/a.plist")
    #expect(try Self.search([".": ["a.plist"]]).file(named: "a.plist") == "a.plist")
  }

  @Test("goes four levels deep")
  func depth() throws {
    var folders = [".": ["1/"], "1/": ["2/"], "1/2/": ["3/"], "1/2/3/": ["4/"], "1/2/3/4/": ["a.plist", "5/"]]
    folders["1/2/3/4/5/"] = ["b.plist"]
    #expect(try Self.search(folders).file(named: "a.plist") == "1/2/3/4/a.plist")
    #expect(throws: ConfigError(.fileMissing, ["name": "b.plist"])) { try Self.search(folders).file(named: "b.plist") }
  }

  @Test("names the first five where there are several")
  func several() {
    let names = (1...6).map { "\($0)/" }
    var folders = [".": names]
    for name in names { folders[name] = ["a.plist"] }
    let files = "1/a.plist, 2/a.plist, 3/a.plist, 4/a.plist, 5/a.plist"
    #expect(throws: ConfigError(.fileAmbiguous, ["name": "a.plist", "files": files])) {
      try Self.search(folders).file(named: "a.plist")
    }
  }
}
