import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatch

@Suite("A state that was damaged") struct StateDamageTests {
  let repository = FakeRepository()
  let folder: TemporaryFolder
  let store: PatchStore
  /// The SHA-256 of the known-bad version.
  let bad: String

  /// A device that runs version 2 after 1, and has found 3 to be bad.
  init() throws {
    folder = try TemporaryFolder()
    store = PatchStore(folder.path)
    for version in ["1", "2", "3"] {
      try repository.publish(version)
      for _ in 0..<(version == "3" ? 2 : 1) {
        var core = try repository.launch(folder)
        core.sync(runsNew: true)
        if version != "3" { try core.confirmHealthy() }
        repository.contents.withLock { $0.end = version == "3" ? .crashed : .quit }
      }
    }
    let core = try repository.launch(folder)
    bad = try #require(core.state.knownBad.first?.sha256)
  }

  /// The files of the folder that are the state.
  private func files() throws -> [(path: String, bytes: Data)] {
    try [store.stateFile, store.stateCopy].map { ($0, try Data(contentsOf: URL(filePath: $0))) }
  }

  private func put(_ files: [(path: String, bytes: Data)]) throws {
    for (path, bytes) in files { try bytes.write(to: URL(filePath: path)) }
  }

  /// Begins to load what was damaged, and looks whether all is there that must be.
  private func check(_ what: String) {
    let state: ClientState
    do throws(TrustError) {
      state = try store.load()
    } catch {
      state = store.rescued { bytes throws(TrustError) in try repository.effects.verify(bytes, Sample.start).manifest }
    }
    #expect(state.knownBad.map(\.sha256) == [bad], "\(what)")
    #expect(state.slots["cart"]?.current?.version.text == "2", "\(what)")
    for installed in state.slots.values.compactMap(\.current) {
      #expect((try? store.read(installed)) != nil, "\(what)")
    }
  }

  @Test("cut off anywhere, alone or with its copy, it loses neither known-bad patches nor bundles")
  func truncated() throws {
    let files = try files()
    for length in 0..<max(files[0].bytes.count, files[1].bytes.count) {
      try put([(files[0].path, files[0].bytes.prefix(length)), files[1]])
      check("state of \(length)")
      try put([files[0], (files[1].path, files[1].bytes.prefix(length))])
      check("copy of \(length)")
      try put(files.map { ($0.path, $0.bytes.prefix(length)) })
      check("both of \(length)")
    }
  }

  @Test("with any byte changed, alone or with its copy, it loses neither known-bad patches nor bundles")
  func changed() throws {
    let files = try files()
    var random = SeededRandom(seed: 31)
    let isLong = SeededRandom.rounds(or: 0) > 0
    for place in 0..<max(files[0].bytes.count, files[1].bytes.count) {
      for bit in isLong ? Array(0..<8) : [Int.random(in: 0..<8, using: &random)] {
        let damaged = files.map { file in
          var bytes = file.bytes
          if place < bytes.count { bytes[place] ^= 1 << bit }
          return (file.path, bytes)
        }
        try put([damaged[0], files[1]])
        check("byte \(place) of the state")
        try put(damaged)
        check("byte \(place) of both")
      }
    }
  }

  @Test("cut off anywhere, alone or with its copy, it knows what rests, until when, and for which time")
  func putAside() throws {
    let (repository, folder) = (FakeRepository(), try TemporaryFolder())
    let before = try #require(try PutAsideTests.device(repository, folder).state.slots["cart"]?.current)
    #expect(before.version.text == "2")
    #expect(before.aside != nil)
    #expect(before.timesAside == 1)
    let store = PatchStore(folder.path)
    let files = try [store.stateFile, store.stateCopy].map { ($0, try Data(contentsOf: URL(filePath: $0))) }
    let longest = max(files[0].1.count, files[1].1.count)
    for length in 0..<longest {
      for both in [false, true] {
        for (index, (path, bytes)) in files.enumerated() {
          try (both || index == 0 ? bytes.prefix(length) : bytes).write(to: URL(filePath: path))
        }
        let state: ClientState
        do throws(TrustError) {
          state = try store.load()
        } catch {
          let verify = repository.effects.verify
          state = store.rescued { bytes throws(TrustError) in try verify(bytes, Sample.start).manifest }
        }
        let current = state.slots["cart"]?.current
        #expect(current?.sha256 == before.sha256, "\(length) \(both)")
        #expect(current?.timesAside == 1, "\(length) \(both)")
        #expect(current?.aside?.until == before.aside?.until, "\(length) \(both)")
        #expect(state.runnable.map(\.version.text) == ["1"], "\(length) \(both)")
      }
    }
    // Its rest is over by the mark as by the state.
    for (path, _) in files { try Data().write(to: URL(filePath: path)) }
    repository.contents.withLock { $0.time += ClientState.firstRest }
    _ = try repository.launch(folder)
    #expect(repository.running == "2")
    #expect(try FileSystem.names(in: store.asideMarks).isEmpty)
  }

  @Test("a start with it runs what was good, fetches nothing, refuses the bad one, and writes it whole again")
  func started() throws {
    let files = try files()
    for both in [false, true] {
      for length in [0, 1, files[0].bytes.count / 2, files[0].bytes.count - 1] {
        try put([(files[0].path, files[0].bytes.prefix(length)), both ? (files[1].path, Data()) : files[1]])
        let downloads = repository.contents.withLock(\.downloads)
        repository.contents.withLock { $0.end = .quit }
        var core = try repository.launch(folder)
        #expect(repository.refusals == ["client-state-malformed"])
        #expect(repository.running == "2")
        core.sync(runsNew: true)
        #expect(repository.refusals.last == "patch-known-bad")
        #expect(repository.contents.withLock(\.downloads) == downloads)
        try core.confirmHealthy()
        _ = try repository.launch(folder)
        #expect(repository.refusals.isEmpty)
        #expect(repository.running == "2")
      }
    }
  }
}
