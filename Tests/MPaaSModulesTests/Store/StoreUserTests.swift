import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The built command, run by an ordinary user: by another one where root runs the tests.
private struct OrdinaryUser {
  static let number = "65534"
  static let command = Command.mpaas.path

  /// True if that user may run the command, which a clone below a private folder forbids.
  static let isPossible = (try? run(["--version"], home: "/nonexistent").status) == 0

  static func run(_ arguments: [String], home: String) throws -> Command.Outcome {
    let user = ["setpriv", "--reuid", number, "--regid", number, "--clear-groups", "--inh-caps=-all"]
    let line =
      (geteuid() == 0 ? user : []) + ["env", "MPAAS_HOME=" + home, "LC_ALL=C", "MPAAS_LANG=", command] + arguments
    return try Command.run(line[0], Array(line.dropFirst()), directory: URL(filePath: "/"))
  }

  /// Gives folders to that user.
  static func own(_ folders: [String]) throws {
    guard geteuid() == 0 else { return }
    #expect(try Command.run("chown", ["-R", "\(number):\(number)"] + folders).status == 0)
  }
}

@Suite(
  "Modules for an ordinary user, by the built command",
  .enabled(if: OrdinaryUser.isPossible, "an ordinary user cannot run the built command"))
struct StoreUserTests {
  private func sync(_ folder: String, _ projects: LockedProjects, _ more: String...) throws -> Command.Outcome {
    try OrdinaryUser.run(
      ["module", "sync", "--offline", "--json", "--project", folder] + more, home: projects.home.path + "/user")
  }

  private func list(_ outcome: Command.Outcome, _ name: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return try #require(value?[name] as? [String], "\(outcome)")
  }

  private static let edits = [
    ("write in place", "open(p, 'r+b').write(b'CONTENT')"),
    ("replace by rename", "open(p + '~', 'wb').write(b'CONTENT'); os.rename(p + '~', p)"),
    (
      "write and set the times back",
      "s = os.stat(p); open(p, 'r+b').write(b'CONTENT'); os.utime(p, ns=(s.st_atime_ns, s.st_mtime_ns))"
    ), ("add a file", "open(os.path.dirname(p) + '/new', 'wb').write(b'x')"),
  ]

  @Test(
    "that were changed fail a frozen sync, are told by every sync, and are put back", .tool("python3"),
    arguments: PlaceMethod.allCases)
  func edited(method: PlaceMethod) throws {
    let projects = try LockedProjects(method)
    let (one, two) = (projects.folders[0], projects.folders[1])
    try OrdinaryUser.own([projects.home.path])
    for folder in projects.folders {
      let placed = try sync(folder, projects)
      #expect(placed.status == 0, "\(placed)")
      #expect(try list(placed, "placed").count == 2, "\(placed)")
      #expect(try sync(folder, projects, "--frozen").status == 0)
    }
    for (name, script) in Self.edits {
      let path = one + "/MPaaS/Modules/Demo/A/a"
      let edit = "import os, sys; p = sys.argv[1]; os.chmod(p, 0o644)\n" + script
      #expect(try Command.run("python3", ["-c", edit, path]).status == 0, "\(name)")
      try OrdinaryUser.own([projects.home.path])
      let frozen = try sync(one, projects, "--frozen")
      #expect(frozen.status == 1, "\(method) \(name): \(frozen)")
      #expect(frozen.errors.contains("module-not-as-locked"), "\(method) \(name): \(frozen)")
      let told = try sync(one, projects)
      #expect(told.status == 0, "\(method) \(name)")
      #expect(try !list(told, method == .shared ? "placed" : "kept").isEmpty, "\(method) \(name)")
      #expect(projects.isWhole(two), "\(method) \(name)")
      #expect(try sync(one, projects, "--force").status == 0)
      #expect(projects.isWhole(one), "\(method) \(name)")
      #expect(try sync(one, projects, "--frozen").status == 0, "\(method) \(name)")
    }
  }

  @Test("come from a store that cannot be written, by a frozen sync", arguments: PlaceMethod.allCases)
  func readOnlyStore(method: PlaceMethod) throws {
    let projects = try LockedProjects(method)
    let (one, store) = (projects.folders[0], projects.store.folder)
    // The store is root's, or cannot be written.
    try OrdinaryUser.own(projects.folders)
    #expect(try Command.run("chmod", ["-R", "a-w", store]).status == 0)
    defer { _ = try? Command.run("chmod", ["-R", "u+w", store]) }
    let before = try Command.run("find", [store, "-printf", "%p %s %T@ %m\n"]).output
    let first = try sync(one, projects, "--frozen")
    #expect(first.status == 0, "\(first)")
    #expect(try list(first, "placed").count == 2, "\(first)")
    #expect(projects.isWhole(one))
    #expect(projects.isWhole(one, "Twin"))
    let second = try sync(one, projects, "--frozen")
    #expect(second.status == 0, "\(second)")
    #expect(try list(second, "placed").isEmpty, "\(second)")
    #expect(try Command.run("find", [store, "-printf", "%p %s %T@ %m\n"]).output == before)
    try Data("changed".utf8).write(to: URL(filePath: one + "/MPaaS/Modules/Demo/new"))
    let changed = try sync(one, projects, "--frozen")
    #expect(changed.status == 1, "\(changed)")
    #expect(changed.errors.contains("module-not-as-locked"), "\(changed)")
  }
}
