import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Files that are moved and renamed") struct MovedFileTests {
  /// A project whose groups have folders, have none, or begin elsewhere.
  private static func project() throws -> PBXProjectFile {
    let edits = """
      [{"operation": "add-file", "paths": ["App/Deep/B.swift", "Other/C.swift", "Top.swift", "../Out/D.swift", "/abs/E.m"]},
       {"operation": "add-group", "name": "Bare", "group": "App"},
       {"operation": "add-group", "name": "Inner", "group": "Bare"},
       {"operation": "add-file", "paths": ["App/F.swift"], "group": "Bare"},
       {"operation": "add-file", "paths": ["App/Deep/G.swift"], "group": "Inner"},
       {"operation": "add-group", "name": "文", "path": "App/Deep/文", "group": "Inner"},
       {"operation": "add-file", "paths": ["App/Deep/文/H.swift"]},
       {"operation": "add-file", "paths": "usr/lib/libz.tbd", "source_tree": "SDKROOT"}]
      """
    let file = try PBXProjectFile(Array(BrokenProject.whole.utf8), file: "p")
    return try PBXProjectFile(file.edited(by: operations(edits)).bytes, file: "p")
  }

  private static func operations(_ text: String) throws -> [any ProjectOperation] {
    try ProjectOperations.reading(Array(text.utf8), file: "edits.json")
  }

  private func edited(_ file: PBXProjectFile, _ edit: String) throws -> PBXProjectFile {
    try PBXProjectFile(file.edited(by: Self.operations("[\(edit)]")).bytes, file: "p")
  }

  /// The places of all files on disk.
  private func places(_ file: PBXProjectFile) throws -> [String] {
    let main = try #require(file.mainGroup)
    return ProjectTree(file, from: main.id).nodes.filter { !$0.isGroup }.map(\.path).sorted()
  }

  private func rules(_ file: PBXProjectFile) -> [ProjectFinding.Rule] {
    ProjectCheck.findings(in: file).filter { $0.severity == .error }.map(\.rule)
  }

  private func groups(_ file: PBXProjectFile) throws -> [String] {
    let main = try #require(file.mainGroup)
    return ProjectTree(file, from: main.id).nodes.filter { $0.isGroup && !$0.names.isEmpty }.map(\.names)
  }

  @Test("begin with the places that the edits say")
  func start() throws {
    let file = try Self.project()
    #expect(
      try places(file) == [
        "$(SDKROOT)/usr/lib/libz.tbd", "../Out/D.swift", "/abs/E.m", "App/A.swift", "App/Deep/B.swift",
        "App/Deep/G.swift", "App/Deep/文/H.swift", "App/F.swift", "Other/C.swift", "Top.swift",
      ])
    #expect(Set(try groups(file)).isSuperset(of: ["App", "App/Bare", "App/Bare/Inner", "App/Bare/Inner/文", "Other"]))
  }

  @Test(
    "stay where they are on disk when a file comes into another group",
    arguments: [
      "App/A.swift", "App/Deep/B.swift", "App/F.swift", "App/Deep/G.swift", "Top.swift", "../Out/D.swift", "/abs/E.m",
      "Other/C.swift",
    ])
  func files(path: String) throws {
    let file = try Self.project()
    let before = try places(file)
    for group in try [""] + groups(file) {
      let edit = #"{"operation": "move", "paths": "\#(path)", "group": "\#(group)"}"#
      let moved = try edited(file, edit)
      #expect(try places(moved) == before, "\(group)")
      #expect(try !moved.edited(by: Self.operations("[\(edit)]")).isChanged, "\(group)")
    }
  }

  @Test(
    "stay where they are on disk when a group comes into another one, with all that is in it",
    arguments: [
      "App/Deep", "App/Bare", "App/Bare/Inner", "App/Bare/Inner/文", "Other",
    ])
  func movedGroups(names: String) throws {
    let file = try Self.project()
    let before = try places(file)
    for group in try [""] + groups(file) where group != names && !group.hasPrefix(names + "/") {
      let edit = #"{"operation": "move", "paths": "\#(names)", "group": "\#(group)"}"#
      let moved = try edited(file, edit)
      #expect(try places(moved) == before, "into \(group)")
      #expect(rules(moved) == rules(file), "into \(group)")
    }
  }

  @Test("are not moved into themselves or into what they hold", arguments: ["App", "App/Bare", "App/Bare/Inner"])
  func circles(group: String) throws {
    let file = try Self.project()
    #expect(throws: ProjectEditError.self) {
      try edited(file, #"{"operation": "move", "paths": "App", "group": "\#(group)"}"#)
    }
  }

  @Test("have their new name, and no other file has another place", arguments: InverseEdits.names)
  func renamed(name: String) throws {
    let file = try Self.project()
    let before = try places(file)
    let moved = try edited(file, #"{"operation": "rename", "path": "App/F.swift", "name": "\#(name).m"}"#)
    let after = try places(moved)
    #expect(Set(before).subtracting(after) == ["App/F.swift"])
    #expect(Set(after).subtracting(before) == ["App/\(name).m"])
    let reference = try #require(
      moved.objects("PBXFileReference").first {
        $0.string("path")?.hasSuffix(".m") == true && $0.displayName == "\(name).m"
      })
    #expect(reference.string("lastKnownFileType") == "sourcecode.c.objc")
  }

  @Test("take a path as their new place, and lose it by no move back")
  func paths() throws {
    let file = try Self.project()
    let moved = try edited(file, #"{"operation": "rename", "path": "App/F.swift", "name": "Other/New.swift"}"#)
    #expect(try places(moved).contains("Other/New.swift"))
    let back = try edited(moved, #"{"operation": "rename", "path": "Other/New.swift", "name": "App/F.swift"}"#)
    #expect(try places(back) == places(file))
  }

  @Test("are not given a name that is none")
  func refused() throws {
    let file = try Self.project()
    for name in ["", "/", "//"] {
      #expect(throws: ProjectEditError.self, "\(name)") {
        try edited(file, #"{"operation": "rename", "path": "App/F.swift", "name": "\#(name)"}"#)
      }
    }
  }

  @Test("change their place among others by position, and come back to it")
  func positions() throws {
    let file = try edited(
      try Self.project(), #"{"operation": "add-file", "paths": ["App/X.swift", "App/Y.swift", "App/Z.swift"]}"#)
    func order(_ file: PBXProjectFile) throws -> [String] {
      let group = try #require(file.objects("PBXGroup").first { $0.string("path") == "App" })
      return file.children(of: group).map { $0.displayName ?? "" }
    }
    let before = try order(file)
    let index = try #require(before.firstIndex(of: "Y.swift"))
    for position in ["first", "0", "last", "99", "before:A.swift", "after:Z.swift", "sorted"] {
      let moved = try edited(file, #"{"operation": "move", "paths": "App/Y.swift", "position": "\#(position)"}"#)
      let after = try order(moved)
      #expect(after.filter { $0 != "Y.swift" } == before.filter { $0 != "Y.swift" }, "\(position)")
      let place = try #require(after.firstIndex(of: "Y.swift"))
      switch position {
      case "first", "0": #expect(place == 0)
      case "last", "99": #expect(place == after.count - 1)
      case "before:A.swift": #expect(after[place + 1] == "A.swift")
      case "after:Z.swift": #expect(after[place - 1] == "Z.swift")
      default: break
      }
      let back = try edited(moved, #"{"operation": "move", "paths": "App/Y.swift", "position": "\#(index)"}"#)
      #expect(try order(back) == before, "\(position)")
    }
    #expect(throws: ProjectEditError.self) {
      try edited(file, #"{"operation": "move", "paths": "App/Y.swift", "position": "after:Nobody.swift"}"#)
    }
  }
}
