import Foundation
import MPaaSDigests
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Two projects with the same lock, whose modules are in a store; no registry is needed.
struct LockedProjects {
  let home: TemporaryFolder
  let store: ModuleStore
  var folders: [String] { [home.path + "/one", home.path + "/two"] }
  private let directories: Directories

  init(_ method: PlaceMethod) throws {
    home = try TemporaryFolder()
    directories = Directories(environment: ["MPAAS_HOME": home.path + "/user"])
    store = ModuleStore(folder: directories.modules)
    // Both have a file of the same content.
    let modules = [
      try add("Demo", "f('A/a', 'content'), f('A/run', '#!', mode=0o755)"), try add("Twin", "f('t', 'content')"),
    ]
    let lock = ProjectLock(
      modules: modules.map {
        LockedModule(name: $0.name, version: $0.version, registry: "main", sha256: $0.sha256, size: $0.archiveSize)
      })
    for folder in folders {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let manifest = """
        [project]
        name = "Shop"
        place = "\(method.rawValue)"
        [registries.main]
        url = "https://modules.invalid/"
        [modules]
        Demo = "*"
        Twin = "*"
        """
      try Data(manifest.utf8).write(to: URL(filePath: folder + "/mpaas.toml"))
      try Data(lock.text.utf8).write(to: URL(filePath: folder + "/mpaas.lock"))
    }
  }

  private func add(_ name: String, _ entries: String) throws -> StoredModule {
    let path = "\(home.path)/\(name).tar"
    try SampleArchive.make("tar(module('\(name)'), \(entries))", at: path)
    let bytes = try Bytes.mapping(path)
    let release = ModuleRelease(
      manifest: ModuleManifest(name: name, version: ModuleVersion(numbers: [1, 0])),
      archive: ModuleArchiveFile(
        name: name + ".tar", size: UInt64(bytes.count), sha256: bytes.sha256.hexadecimal, unpackedSize: 1 << 20,
        fileCount: 10), released: 0)
    return try store.add(archive: path, as: release)
  }

  func sync(_ folder: String, frozen: Bool = false, force: Bool = false) async throws -> SyncOutcome {
    var options = SyncOptions()
    (options.frozen, options.force, options.offline) = (frozen, force, true)
    return try await ModuleSync(folder: folder, directories: directories, userAgent: "test").run(options)
  }

  /// The identifier of the error with which `sync --frozen` ends.
  func frozenRefusal(_ folder: String) async throws -> ModuleError.Code? {
    do {
      _ = try await sync(folder, frozen: true)
      return nil
    } catch let error as ModuleError {
      return error.code
    }
  }

  func isWhole(_ folder: String, _ module: String = "Demo") -> Bool {
    let path = "\(folder)/MPaaS/Modules/\(module)"
    return module == "Twin"
      ? text(path + "/t") == "content"
      : text(path + "/A/a") == "content" && FileStatus(ofLink: path + "/A/a")?.kind == .file
        && text(path + "/A/run") == "#!" && FileStatus(path + "/A/new") == nil
  }
}

/// Ways to change a placed file, as scripts; `p` is its path.
private let edits: [(name: String, script: String)] = [
  ("write in place", "open(p, 'r+b').write(b'CONTENT')"),
  ("append", "open(p, 'ab').write(b'more')"),
  ("truncate", "os.truncate(p, 3)"),
  ("replace by rename", "open(p + '~', 'wb').write(b'CONTENT'); os.rename(p + '~', p)"),
  ("chmod", "os.chmod(p, 0o777)"),
  ("delete", "os.unlink(p)"),
  ("map", "f = open(p, 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'C'; m.flush(); m.close()"),
  (
    "write and set the times back",
    "s = os.stat(p); open(p, 'r+b').write(b'CONTENT'); os.utime(p, ns=(s.st_atime_ns, s.st_mtime_ns))"
  ),
  ("add a file", "open(os.path.dirname(p) + '/new', 'wb').write(b'x')"),
  ("swap for a link", "os.rename(p, p + '~'); os.symlink('run', p); os.unlink(p + '~')"),
  ("empty and fill", "open(p, 'wb').write(b'CONTENT')"),
]

@Suite("Files of modules that somebody changes", .tool("python3")) struct StoreEditTests {
  /// Runs an edit as the user who runs the tests, or as one without rights.
  private func edit(_ path: String, _ script: String, asUser user: String?) throws {
    // A user who is not root makes a file writable first.
    let words = [
      "-c", "import mmap, os, sys; p = sys.argv[1]; os.geteuid() and os.chmod(p, 0o644)\n" + script, path,
    ]
    let outcome =
      if let user {
        try Command.run("setpriv", ["--reuid", user, "--regid", user, "--clear-groups", Self.python] + words)
      } else {
        try Command.run("python3", words)
      }
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func give(_ folder: String, to user: String?) throws {
    guard let user else { return }
    #expect(try Command.run("chown", ["-R", "\(user):\(user)", folder]).status == 0)
  }

  /// One without permission to run it, too.
  private static let python = "/usr/bin/python3"

  private static var users: [String?] {
    geteuid() == 0 && FileStatus("/usr/bin/setpriv") != nil && FileStatus(python) != nil ? [nil, "65534"] : [nil]
  }

  @Test(
    "are told by every sync, fail a frozen one, reach no other project and no other module, and are put back",
    arguments: PlaceMethod.allCases, users)
  func matrix(method: PlaceMethod, user: String?) async throws {
    let projects = try LockedProjects(method)
    let (one, two) = (projects.folders[0], projects.folders[1])
    for folder in projects.folders { #expect(try await projects.sync(folder).placed.count == 2) }
    var silent = 0
    for (name, script) in edits {
      try give(projects.home.path, to: user)
      for folder in projects.folders {
        #expect(try await projects.frozenRefusal(folder) == nil, "before \(name)")
        #expect(try await projects.sync(folder).isUnchanged, "before \(name)")
      }
      try edit(one + "/MPaaS/Modules/Demo/A/a", script, asUser: user)
      #expect(!projects.isWhole(one) || name == "chmod", "\(name)")
      let refusal = try await projects.frozenRefusal(one)
      #expect(refusal == .notAsLocked, "\(method) \(name)")
      #expect(refusal?.exit == .negative, "\(method) \(name)")
      let told = try await projects.sync(one)
      // A file that only links can reach is the store's own and is made again; the files of a project stay.
      let isTold = method == .shared ? !told.placed.isEmpty && projects.isWhole(one) : !told.kept.isEmpty
      if !isTold || refusal == nil { silent += 1 }
      #expect(isTold, "\(method) \(name): \(told)")
      #expect(projects.isWhole(two), "\(method) \(name)")
      #expect(projects.isWhole(one, "Twin"), "\(method) \(name)")
      #expect(projects.isWhole(two, "Twin"), "\(method) \(name)")
      #expect(try await projects.store.verify(mending: false).isGood, "\(method) \(name)")
      _ = try await projects.sync(one, force: true)
      #expect(projects.isWhole(one), "\(method) \(name)")
    }
    #expect(silent == 0)
  }

  @Test("are named and put back by a verification, those of copies only when forced", arguments: PlaceMethod.allCases)
  func verified(method: PlaceMethod) async throws {
    let projects = try LockedProjects(method)
    let one = projects.folders[0]
    for folder in projects.folders { _ = try await projects.sync(folder) }
    #expect(try await projects.store.verifyProjects(mending: true).map(\.isGood) == [true, true])
    for (name, script) in edits {
      try edit(one + "/MPaaS/Modules/Demo/A/a", script, asUser: nil)
      func check(mending: Bool, force: Bool = false) async throws -> ProjectVerification.Place? {
        let found = try await projects.store.verifyProjects(mending: mending, force: force)
        #expect(found.map(\.folder) == projects.folders.compactMap(FileSystem.resolved))
        return found.first?.places.first { $0.name == "Demo" }
      }
      let found = try await check(mending: false)
      #expect(found?.state == .changed, "\(name)")
      #expect(found?.files == [name == "add a file" ? "A/new" : "A/a"], "\(name)")
      let mended = try await check(mending: true)
      #expect(mended?.state == (method == .copy ? .changed : .mended), "\(name)")
      if method == .copy { #expect(try await check(mending: true, force: true)?.state == .mended) }
      #expect(projects.isWhole(one), "\(name)")
      #expect(try await projects.frozenRefusal(one) == nil, "\(name)")
    }
  }

  @Test("that came back from elsewhere with the same content are no change", arguments: [PlaceMethod.link, .copy])
  func restored(method: PlaceMethod) async throws {
    let projects = try LockedProjects(method)
    let one = projects.folders[0]
    _ = try await projects.sync(one)
    let script = "import shutil, sys; p = sys.argv[1]; shutil.move(p, p + '.old'); shutil.copytree(p + '.old', p)"
    #expect(try Command.run("python3", ["-c", script, one + "/MPaaS"]).status == 0)
    for _ in 0..<2 {
      #expect(try await projects.frozenRefusal(one) == nil)
      #expect(try await projects.sync(one).isUnchanged)
    }
  }

  @Test(
    "come from a store that cannot be written, too",
    .enabled(if: geteuid() != 0 || canUnshare, "no name space of mounts"),
    arguments: PlaceMethod.allCases)
  func readOnly(method: PlaceMethod) async throws {
    let projects = try LockedProjects(method)
    // Another project made it; there are no trees yet.
    let folder = projects.store.folder
    let subject = Command.products.appending(path: "StoreSubject").path
    let place = projects.home.path + "/place"
    let modules = try projects.store.modules().map(\.sha256).joined(separator: " ")
    let script = """
      set -e
      if [ "$(id -u)" = 0 ]; then
        mount --make-rprivate /; mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"
      else
        chmod -R a-w "$1"; trap 'chmod -R u+w "$1"' EXIT
      fi
      touch "$1/x" 2>/dev/null && exit 9
      "$2" "$1" "$3" serve \(method.rawValue) \(modules)
      """
    let words = ["sh", "-c", script, "sh", folder, subject, place]
    let outcome = try geteuid() == 0 ? Command.run("unshare", ["-m"] + words) : Command.run("env", words)
    #expect(outcome.status == 0, "\(outcome.errors) \(outcome.output)")
    #expect(text(place + "/Demo/A/a") == "content")
    #expect(text(place + "/Twin/t") == "content")
  }

  private static let canUnshare = (try? Command.run("unshare", ["-m", "true"]).status) == 0
}
