import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Changes to a project's files") struct ProjectChangesTests {
  private typealias Change = ProjectChanges.Change

  /// A folder with files, and what is in it and below it.
  private struct Sample {
    let folder: TemporaryFolder

    init(_ files: [String: String]) throws {
      folder = try TemporaryFolder()
      for (path, text) in files { try SampleTemplates.write(text, to: folder.url.appending(path: path)) }
    }

    var path: String { folder.path }

    /// Each file with its text and whether it may be executed; each folder by its name alone.
    func state() throws -> [String: String] {
      var state: [String: String] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        let place = path + "/" + name
        let isRun = (FileStatus(place)?.permissions ?? 0) & 0o100 != 0
        let isFile = FileStatus(place)?.kind == .file
        state[name] = isFile ? (isRun ? "x:" : "-:") + (try String(contentsOfFile: place, encoding: .utf8)) : "/"
      }
      return state
    }
  }

  private func changes(_ root: String, _ list: [(String, ProjectChanges.Kind, String?, String?)]) -> ProjectChanges {
    var changes = ProjectChanges(root: root)
    for (path, kind, old, new) in list {
      changes.append(
        Change(
          path: path, kind: kind, old: old.map { Array($0.utf8) }, new: new.map { .init(bytes: Array($0.utf8)) }))
    }
    return changes
  }

  @Test("are planned by what is there: made, left as it is, kept or replaced; nothing is touched by that")
  func plan() throws {
    let sample = try Sample(["same": "1", "other": "mine"])
    let before = try sample.state()
    for (replaces, kinds) in [(false, [.created, .unchanged, .kept]), (true, [.created, .unchanged, .replaced])]
      as [(Bool, [ProjectChanges.Kind])]
    {
      var changes = ProjectChanges(root: sample.path)
      for path in ["new", "same", "other"] {
        try changes.make(path, .init(bytes: Array("1".utf8)), replaces: replaces)
      }
      #expect(changes.changes.map(\.kind) == kinds)
      #expect(!changes.isEmpty)
    }
    #expect(try sample.state() == before)
  }

  @Test("make folders, edit, replace and remove; what is kept, unchanged or deleted stays")
  func applied() throws {
    let sample = try Sample(["a": "1", "b": "2", "gone": "3", "kept": "4"])
    let all = changes(
      sample.path,
      [
        ("new/deep/文", .created, nil, "n"), ("a", .edited, "1", "1!"), ("b", .replaced, "2", "2!"),
        ("gone", .removed, "3", nil), ("kept", .kept, "4", "5"), ("never", .deleted, nil, "6"),
      ])
    try all.apply()
    #expect(
      try sample.state() == [
        "new": "/", "new/deep": "/", "new/deep/文": "-:n", "a": "-:1!", "b": "-:2!", "kept": "-:4",
      ])
    #expect(all.changes.map { $0.diff == nil } == [false, false, false, false, true, true])
  }

  @Test("that fail midway are all taken back: texts, permissions, folders")
  func rollback() throws {
    let sample = try Sample(["a": "1", "run": "#!", "tool": "t", "file": ""])
    for name in ["run", "tool"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sample.path + "/" + name)
    }
    let before = try sample.state()
    var all = changes(
      sample.path,
      [
        ("a", .edited, "1", "2"), ("run", .removed, "#!", nil), ("tool", .edited, "t", "u"),
        ("d/e/f", .created, nil, "x"),
      ])
    all.append(Change(path: "b", kind: .created, old: nil, new: .init(bytes: [], isExecutable: true)))
    // A file is where a folder would have to be.
    all.append(Change(path: "file/x", kind: .created, old: nil, new: .init(bytes: [])))
    #expect(throws: TemplateError.self) { try all.apply() }
    #expect(try sample.state() == before)
  }

  @Test("that replace a file by one that may be executed are taken back with its permissions")
  func permissions() throws {
    let sample = try Sample(["a": "1", "file": ""])
    let before = try sample.state()
    var all = ProjectChanges(root: sample.path)
    all.append(
      Change(path: "a", kind: .replaced, old: Array("1".utf8), new: .init(bytes: [0x32], isExecutable: true)))
    all.append(Change(path: "file/x", kind: .created, old: nil, new: .init(bytes: [])))
    #expect(throws: TemplateError.self) { try all.apply() }
    #expect(try sample.state() == before)
  }

  @Test("keep the permission to execute of what they edit, and give it to what is made with it")
  func executable() throws {
    let sample = try Sample(["run": "1"])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sample.path + "/run")
    var all = changes(sample.path, [("run", .edited, "1", "2")])
    all.append(Change(path: "new", kind: .created, old: nil, new: .init(bytes: [0x33], isExecutable: true)))
    try all.apply()
    #expect(try sample.state() == ["run": "x:2", "new": "x:3"])
  }

  @Test("have diffs of texts, of what was made and what was removed, and none of bytes")
  func diffs() throws {
    func diff(_ old: [UInt8]?, _ new: [UInt8]?, _ kind: ProjectChanges.Kind = .edited) -> Int? {
      Change(path: "f", kind: kind, old: old, new: new.map { .init(bytes: $0) }).diff?.count
    }
    #expect(diff(Array("a\nb\n".utf8), Array("a\nc\n".utf8)) != nil)
    #expect(diff(nil, Array("a\n".utf8), .created) != nil)
    #expect(diff(Array("a\n".utf8), nil, .removed) != nil)
    #expect(diff([0], [1]) == nil)
    #expect(diff([0xff], Array("a".utf8)) == nil)
    #expect(diff(Array("a".utf8), Array("b".utf8), .kept) == nil)
    #expect(Change(path: "f", kind: .conflict, old: [1], new: .init(bytes: [1])).isWritten == false)
    #expect(Change(path: "f", kind: .conflict, old: [1], new: .init(bytes: [2])).isWritten)
  }

  @Test("refuse to read a folder as a file")
  func folders() throws {
    let sample = try Sample(["d/x": ""])
    let changes = ProjectChanges(root: sample.path)
    #expect(try changes.bytes("none") == nil)
    let error = #expect(throws: TemplateError.self) { try changes.bytes("d") }
    #expect(error?.code == .link)
  }
}

@Suite("The record of a project's template") struct ProjectRecordTests {
  @Test("is read as it was written, whatever the values are")
  func roundTrip() throws {
    let values: TemplateValues = [
      "text": .text("a \"b\" \\ 中文 '"), "empty": .text(""), "flag": .flag(true), "list": .list(["a", "b,c", ""]),
      "keys": .records([["key_name": "x", "key_pem": "-----BEGIN\\n"]]), "none": .list([]), "odd name": .text("x"),
    ]
    let record = ProjectRecord(template: "app", version: "1.0", source: "https://e/r.git#v1", values: values)
    #expect(try ProjectRecord(record.text, file: "f") == record)
    let bare = ProjectRecord(template: "app", version: "1", source: "", values: [:])
    #expect(try ProjectRecord(bare.text, file: "f") == bare)
    #expect(try ProjectRecord(record.text, file: "f").text == record.text)
  }

  @Test(
    "that says what cannot be is refused with its line",
    arguments: [
      ("version = \"1\"", "template-field-missing", nil), ("template = 1", "template-field-type", 1),
      ("template = \"a\"\nsource = 3", "template-field-type", 2),
      ("template = \"a\"\n[values]\nx = 1", "template-field-type", 3), ("template = ", "toml-malformed", 1),
      ("template = \"a\"\nvalues = 1", "template-field-type", 2),
    ] as [(String, String, Int?)])
  func refused(text: String, code: String, line: Int?) {
    let error = #expect(throws: TemplateError.self) { try ProjectRecord(text, file: "f") }
    #expect(error?.code.id.name == code)
    guard let line else { return }
    guard case .text(_, line, _)? = error?.place else {
      Issue.record("\(error?.place as Any)")
      return
    }
  }
}

@Suite("The places of a project's parts") struct ProjectLayoutTests {
  private func project(_ files: [String], identifier: String? = nil) throws -> (TemporaryFolder, ProjectLayout) {
    let folder = try TemporaryFolder()
    for path in files { try SampleTemplates.write("", to: folder.url.appending(path: path)) }
    if let identifier {
      let record = ProjectRecord(
        template: "t", version: "1", source: "", values: ["name_identifier": .text(identifier)])
      try SampleTemplates.write(record.text, to: folder.url.appending(path: ProjectRecord.file))
    }
    return (folder, try ProjectLayout(root: folder.path))
  }

  @Test("are told by the identifier that the template made")
  func recorded() throws {
    let files = [
      "Sources/ShopCore/a.swift", "Sources/Other/b.swift", "Tests/ShopCoreTests/t.swift", "App/Shop/x",
      "App/ShopTests/y",
      "Sources/ShopCore/MobileRuntime.plist",
    ]
    let (_, layout) = try project(files, identifier: "Shop")
    #expect(layout.core == "Sources/ShopCore")
    #expect(layout.tests == "Tests/ShopCoreTests")
    #expect(layout.app == "App/Shop")
    #expect(layout.appTests == "App/ShopTests")
    #expect(layout.runtimeFile == "Sources/ShopCore/MobileRuntime.plist")
    #expect(layout.module == "ShopCore")
  }

  @Test("are guessed without one: the only target, or the one with a runtime file, and none among several")
  func guessed() throws {
    #expect(try project(["Sources/Only/a"]).1.core == "Sources/Only")
    #expect(try project(["Sources/A/a", "Sources/B/b"]).1.core == nil)
    let (_, layout) = try project(["Sources/A/a", "Sources/B/MobileRuntime.plist"])
    #expect(layout.core == "Sources/B")
    #expect(layout.runtimeFile == "Sources/B/MobileRuntime.plist")
    let (_, empty) = try project([])
    #expect(empty.core == nil)
    #expect(empty.module == "")
    #expect(empty.record == nil)
  }

  @Test("have the runtime file that is nearest above the named place")
  func runtime() throws {
    let files = [
      "Sources/A/x", "Sources/MobileRuntime.plist", "Sources/A/In/MobileRuntime.plist", "Sources/A/In/Deep/y",
    ]
    let (folder, _) = try project(files)
    func file(_ place: String) throws -> String? { try ProjectLayout(root: folder.path, place: place).runtimeFile }
    #expect(try file("Sources/A/In/Deep") == "Sources/A/In/MobileRuntime.plist")
    #expect(try file("Sources/A/In") == "Sources/A/In/MobileRuntime.plist")
    #expect(try file("Sources/A") == "Sources/MobileRuntime.plist")
  }

  @Test("begin at the nearest folder with a record, else with a package, from below and from what is not there yet")
  func root() throws {
    let (folder, _) = try project(["Package.swift", "in/Package.swift", "in/deep/x"], identifier: "Shop")
    let root = try #require(FileSystem.resolved(folder.path))
    #expect(ProjectLayout.root(above: root + "/in/deep") == root)
    #expect(ProjectLayout.root(above: root + "/in/new/folder") == root)
    let (other, _) = try project(["Package.swift", "in/Package.swift", "in/deep/x"])
    let base = try #require(FileSystem.resolved(other.path))
    #expect(ProjectLayout.root(above: base + "/in/deep") == base + "/in")
    #expect(ProjectLayout.root(above: base) == base)
  }
}
