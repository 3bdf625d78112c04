import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Placing modules from the store", .tool("python3")) struct StorePlaceTests {
  let sample: SampleStore
  private var place: String { sample.project + "/Modules/Demo" }

  init() throws {
    sample = try SampleStore()
  }

  private func refusal(_ module: StoredModule, _ method: PlaceMethod) -> ModuleError? {
    do throws(ModuleError) {
      try sample.store.place(module, at: place, by: method)
      return nil
    } catch {
      return error
    }
  }

  private func expectWhole() throws {
    #expect(text(place + "/A/a") == "content")
    #expect(text(place + "/A/l") == "content")
    #expect(text(place + "/twice") == "content")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place + "/A/l") == "a")
    #expect(FileStatus(place + "/empty")?.kind == .folder)
    #expect(mode(place + "/A/bin/run") & 0o111 != 0)
    // Nothing is left beside it.
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.project + "/Modules") == ["Demo"])
  }

  @Test("gives the whole tree by each method, and nothing to do the second time", arguments: PlaceMethod.allCases)
  func methods(method: PlaceMethod) throws {
    let module = try sample.add()
    let first = try sample.store.place(module, at: place, by: method)
    #expect(first.outcome == .placed)
    try expectWhole()
    #expect(try sample.store.place(module, at: place, by: method).outcome == .unchanged)
    let stored = try FileStatus(sample.file("A/a", of: module))
    let placed = FileStatus(place + "/A/a")
    switch method {
    case .link:
      #expect(mode(place + "/A/a") == 0o444)
      #expect(placed?.identity != stored?.identity)
    case .copy:
      #expect(mode(place + "/A/a") & 0o200 != 0)
      #expect(placed?.identity != stored?.identity)
    case .shared:
      #expect(FileStatus(ofLink: place)?.kind == .other)
      #expect(first.way == .shared)
      #expect(mode(place + "/A/a") == 0o444)
      #expect(placed?.identity != stored?.identity)
    }
    #expect(PlacedFolder(at: place)?.sha256 == module.sha256)
  }

  @Test("changes from each method to each other, and from one version to the next")
  func replaces() throws {
    let module = try sample.add()
    for method in PlaceMethod.allCases + PlaceMethod.allCases.reversed() {
      try sample.store.place(module, at: place, by: method)
      try expectWhole()
    }
    let next = try sample.add("Demo", "2.0", "f('A/a', 'new')")
    #expect(try sample.store.place(next, at: place, by: .link).outcome == .replaced)
    #expect(text(place + "/A/a") == "new")
    #expect(text(place + "/twice") == nil)
  }

  @Test(
    "never overwrites what somebody changed, names it, and does so when forced", arguments: [PlaceMethod.link, .copy])
  func changed(method: PlaceMethod) throws {
    let module = try sample.add()
    let next = try sample.add("Demo", "2.0")
    for change in ["edit", "add", "remove", "same size"] {
      try sample.store.place(module, at: place, by: method, force: true)
      let path = place + "/A/a"
      switch change {
      case "add": try Data("mine".utf8).write(to: URL(filePath: place + "/A/mine"))
      case "remove": try FileManager.default.removeItem(atPath: path)
      default:
        try FileManager.default.removeItem(atPath: path)
        try Data((change == "edit" ? "longer content" : "CONTENT").utf8).write(to: URL(filePath: path))
      }
      for wanted in [module, next] {
        let error = refusal(wanted, method)
        #expect(error?.code == .filesChanged, "\(change)")
        #expect(error?.values["files"] == (change == "add" ? "A/mine" : "A/a"), "\(change)")
      }
      if change == "add" { #expect(text(place + "/A/mine") == "mine") }
    }
    #expect(try sample.store.place(next, at: place, by: method, force: true).outcome == .replaced)
    try expectWhole()
  }

  @Test("takes files that were only touched, as a checkout does, for what they are")
  func touched() throws {
    let module = try sample.add()
    try sample.store.place(module, at: place, by: .copy)
    #expect(FileSystem.touch(place + "/A/a"))
    #expect(try sample.store.place(module, at: place, by: .copy).outcome == .unchanged)
    #expect(PlacedFolder(at: place)?.isUntouched(at: place) == true)
  }

  @Test(
    "hands out nothing but what the module's list tells, whatever became of the store's file",
    arguments: PlaceMethod.allCases)
  func proves(method: PlaceMethod) throws {
    let module = try sample.add()
    let file = try sample.file("A/a", of: module)
    for content in ["CONTENT", "content and more", "con", ""] {
      #expect(chmod(file, 0o644) == 0)
      try Data(content.utf8).write(to: URL(filePath: file))
      #expect(chmod(file, 0o444) == 0)
      #expect(refusal(module, method)?.code == .storeDamaged, "\(content)")
      #expect(FileStatus(ofLink: place) == nil, "\(content)")
    }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
    #expect(refusal(module, method)?.code == .storeDamaged)
  }

  @Test("leaves folders and links of others alone")
  func taken() throws {
    let module = try sample.add()
    try FileManager.default.createDirectory(atPath: place + "/mine", withIntermediateDirectories: true)
    #expect(refusal(module, .link)?.code == .placeTaken)
    #expect(FileStatus(place + "/mine")?.kind == .folder)
    #expect(throws: ModuleError.self) { try ModuleStore.removePlaced(at: place) }
    try FileManager.default.removeItem(atPath: place + "/mine")
    #expect(try sample.store.place(module, at: place, by: .link).outcome == .replaced)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: sample.home.path)
    #expect(refusal(module, .shared)?.code == .placeTaken)
  }

  @Test("takes a module away again, not one that was changed", arguments: PlaceMethod.allCases)
  func removes(method: PlaceMethod) throws {
    let module = try sample.add()
    try sample.store.place(module, at: place, by: method)
    try ModuleStore.removePlaced(at: place)
    #expect(FileStatus(ofLink: place) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.project + "/Modules").isEmpty)
    try ModuleStore.removePlaced(at: place)
    guard method != .shared else { return }
    try sample.store.place(module, at: place, by: method)
    try Data("mine".utf8).write(to: URL(filePath: place + "/mine"))
    #expect(throws: ModuleError.self) { try ModuleStore.removePlaced(at: place) }
    #expect(text(place + "/mine") == "mine")
  }

  @Test(
    "copies read-only where the project is on another file system",
    .enabled(
      if: FileStatus("/dev/shm")?.identity.first != FileStatus(NSTemporaryDirectory())?.identity.first,
      "no second file system"))
  func fileSystems() throws {
    let module = try sample.add()
    let folder = "/dev/shm/mpaas-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try sample.store.place(module, at: folder + "/Demo", by: .link).way == .readOnlyCopy)
    #expect(text(folder + "/Demo/A/a") == "content")
    #expect(mode(folder + "/Demo/A/a") == 0o444)
    #expect(try sample.store.place(module, at: folder + "/Demo", by: .link).outcome == .unchanged)
  }

  @Test("says where the store lacks a file, and leaves what stood there")
  func storeDamaged() throws {
    let module = try sample.add()
    try sample.store.place(module, at: place, by: .link)
    let next = try sample.add("Demo", "2.0", "f('A/a', 'new')")
    try FileManager.default.removeItem(atPath: sample.file("A/a", of: next))
    #expect(refusal(next, .link)?.code == .storeDamaged)
    try expectWhole()
  }
}
