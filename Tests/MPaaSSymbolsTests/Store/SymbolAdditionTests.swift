import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("An addition of symbols", .fixtures) struct SymbolAdditionTests {
  let folder: TemporaryFolder
  let store: SymbolStore

  init() throws {
    folder = try TemporaryFolder()
    store = SymbolStore(folder.path + "/symbols")
    try FileManager.default.createDirectory(atPath: folder.path + "/given", withIntermediateDirectories: true)
    try Fixture.data("crash/elf/matrix/split.debug").write(to: URL(filePath: given("split.debug")))
    try Data("text".utf8).write(to: URL(filePath: given("README")))
  }

  private func given(_ name: String) -> String { folder.path + "/given/" + name }

  /// Each file with the names of what was taken of it; nil for one that failed.
  private func run(_ paths: String...) throws -> [(file: String, names: [String]?)] {
    var told: [(file: String, names: [String]?)] = []
    try SymbolAddition(paths).run(in: store) { file, outcome in
      switch outcome {
      case .taken(let results): told.append((file, results.map(\.stored.name)))
      case .failed: told.append((file, nil))
      }
    }
    return told
  }

  @Test("takes the object files below a folder, and says nothing of others there")
  func folders() throws {
    let told = try run(folder.path + "/given")
    #expect(told.map(\.file) == [given("split.debug")])
    #expect(told.map(\.names) == [["split.debug"]])
    #expect(try store.list().count == 1)
  }

  @Test("tells of a file that was named and is of no use, and goes on with the others")
  func named() throws {
    let told = try run(given("README"), given("split.debug"), given("nowhere"))
    #expect(told.map(\.file) == [given("README"), given("split.debug"), given("nowhere")])
    #expect(told.map(\.names) == [nil, ["split.debug"], nil])
  }

  @Test("throws the error of the only file")
  func only() {
    #expect(throws: StoreError.self) { try run(given("README")) }
  }

  @Test("knows a build the second time")
  func known() throws {
    var isNew: [Bool] = []
    for _ in 0..<2 {
      try SymbolAddition([given("split.debug")]).run(in: store) { _, outcome in
        if case .taken(let results) = outcome { isNew += results.map(\.isNew) }
      }
    }
    #expect(isNew == [true, false])
  }
}
