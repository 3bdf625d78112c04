import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSSymbols

@Suite("Indexes of symbols") final class SymbolIndexesTests: Sendable {
  private let folder: TemporaryFolder
  private let store: SymbolStore
  private let events = Mutex<[IndexEvents.Event]>([])

  init() throws {
    folder = try TemporaryFolder()
    store = SymbolStore(folder.path + "/symbols")
  }

  private func objects(_ policy: SymbolIndexes.Policy, paths: [String] = []) -> ObjectLookup {
    var search = DebugFileSearch(paths: paths, store: store, roots: [])
    search.indexes = SymbolIndexes(store: store, cache: folder.path + "/indexes")
    search.indexes?.policy = policy
    search.indexes?.events.tell = { event in self.events.withLock { $0.append(event) } }
    return ObjectLookup(search: search)
  }

  private func taken() -> [IndexEvents.Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  private var cached: [String] { (try? FileSystem.names(in: folder.path + "/indexes")) ?? [] }

  @Test("are made at the first use of a stored build, used afterwards, and go with it", .fixtures)
  func stored() throws {
    let added = try store.add(Fixture.path("crash/elf/matrix/split.debug"))
    guard case .added(let entry)? = added.first else {
      Issue.record("not added")
      return
    }
    let place = store.folder(of: entry.buildID) + "/index"
    let first = try objects(.automatic).open(build: entry.buildID)
    #expect(taken() == [.made(path: place), .used(path: place)])
    let second = try objects(.automatic).open(build: entry.buildID)
    #expect(taken() == [.used(path: place)])
    #expect(second.lookup is IndexedLookup)
    #expect(second.status == .complete)
    #expect(second.addressSize == first.addressSize)
    let direct = try objects(.never).open(build: entry.buildID)
    #expect(direct.lookup is AddressLookup)
    for address: UInt64 in [0x1139, 0x1180, 0x11a9] {
      #expect(second.lookup.frames(at: address) == direct.lookup.frames(at: address))
    }
    #expect(try store.collect(olderThan: nil).orphans == [])
    #expect(FileStatus(place) != nil)
    _ = try store.remove(entry.buildID)
    #expect(FileStatus(place) == nil)
  }

  @Test("need no search where the store has Breakpad's file too, until better files come", .fixtures)
  func severalRoles() throws {
    let indexes = SymbolIndexes(store: store, cache: nil)
    let text = try Fixture.path("crash/macho/symbolic_crash.sym")
    guard case .added(let entry)? = try store.add(text).first else { return }
    let id = entry.buildID
    func isFast() throws -> Bool {
      _ = try objects(.automatic).open(build: id)
      return indexes.lookup(build: id, reserve: { nil }) != nil
    }
    #expect(try isFast())
    _ = try store.add(Fixture.path("crash/macho/symbolic_crash.dSYM/Contents/Resources/DWARF/crash"))
    // The index of the text counts no more.
    #expect(indexes.lookup(build: id, reserve: { nil }) == nil)
    #expect(try isFast())
    let files = indexes.lookup(build: id, reserve: { nil })?.file.files?.map(\.path)
    #expect(files == [store.path(of: id, .debugInfo)])
  }

  @Test("that are damaged or of another version are made again", .fixtures)
  func rebuilt() throws {
    guard case .added(let entry)? = try store.add(Fixture.path("crash/elf/matrix/split.debug")).first else { return }
    let place = store.folder(of: entry.buildID) + "/index"
    _ = try objects(.automatic).open(build: entry.buildID)
    let good = try Bytes.mapping(place).array
    for offset in [8, 20, 70] {
      var bad = good
      bad[offset] ^= 0xff
      try Bytes(bad).write(to: place)
      _ = taken()
      let opened = try objects(.automatic).open(build: entry.buildID)
      #expect(opened.lookup is IndexedLookup)
      #expect(taken().contains(.made(path: place)))
      #expect(try Bytes.mapping(place).array == good)
    }
  }

  @Test("of loose files are made when asked for or when many addresses come, and kept in the cache", .fixtures)
  func loose() throws {
    let path = try Fixture.path("crash/elf/matrix/gcc-dwarf5")
    let direct = try objects(.automatic).open(path)
    _ = direct.lookup.frames(at: 0x1180)
    #expect(cached == [])
    #expect(direct.lookup.index == nil)
    for address in 0..<UInt64(AdaptiveLookup.worthwhile) { _ = direct.lookup.frames(at: 0x1000 + address & 0xfff) }
    #expect(direct.lookup.index != nil)
    #expect(cached.count == 1)
    #expect(try objects(.automatic).open(path).lookup is IndexedLookup)
    #expect(try objects(.never).open(path).lookup is AddressLookup)
    #expect(try objects(.always).open(path).lookup is IndexedLookup)
  }

  @Test("of a stripped file are not preferred when its debug information appears", .fixtures)
  func debugInfoAppears() throws {
    let file = folder.path + "/split"
    try Bytes.mapping(Fixture.path("crash/elf/matrix/split")).write(to: file)
    let before = try objects(.always).open(file)
    #expect(before.status != .complete)
    let after = try objects(.always, paths: [Fixture.path("crash/elf/matrix/split.debug")]).open(file)
    #expect(after.status == .complete)
    #expect(after.lookup.hasDebugInfo)
    // Now that there is one with lines, no search is needed.
    #expect(try objects(.automatic).open(file).lookup.hasDebugInfo)
  }

  @Test("of a file that changed count no more", .fixtures)
  func changed() throws {
    let file = folder.path + "/program"
    try Bytes.mapping(Fixture.path("crash/elf/matrix/split")).write(to: file)
    let debug = folder.path + "/split.debug"
    try Bytes.mapping(Fixture.path("crash/elf/matrix/split.debug")).write(to: debug)
    #expect(try objects(.always).open(file).lookup is IndexedLookup)
    try Bytes(try Bytes.mapping(debug).array + [0]).write(to: debug)
    _ = taken()
    #expect(try objects(.automatic).open(file).lookup.index == nil)
  }

  @Test("that cannot be kept are done without", .fixtures)
  func unwritable() throws {
    let path = try Fixture.path("crash/elf/matrix/gcc-dwarf5")
    try Bytes(Array("no folder".utf8)).write(to: folder.path + "/indexes")
    let opened = try objects(.always).open(path)
    #expect(!opened.lookup.frames(at: 0x1180).isEmpty)
    #expect(taken().contains { if case .notWritten = $0 { true } else { false } })
  }

  @Test("of the cache are collected when nobody used them for long", .fixtures)
  func collected() throws {
    _ = try objects(.always).open(Fixture.path("crash/elf/matrix/gcc-dwarf5"))
    let indexes = SymbolIndexes(store: store, cache: folder.path + "/indexes")
    let now = Int64(Date().timeIntervalSince1970)
    #expect(indexes.collect(olderThan: 3600, now: now, dryRun: false).isEmpty)
    #expect(indexes.collect(olderThan: 3600, now: now + 4000, dryRun: true).count == 1)
    #expect(cached.count == 1)
    #expect(indexes.collect(olderThan: 3600, now: now + 4000, dryRun: false).count == 1)
    #expect(cached == [])
  }
}
