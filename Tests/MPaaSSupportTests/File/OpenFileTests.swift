import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("An open file") struct OpenFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/file"
  }

  private func content() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  @Test("is opened or made as it is told, and errors name its path")
  func openings() throws {
    #expect(throws: FileError.self) { _ = try OpenFile(path) }
    #expect(throws: FileError.self) { _ = try OpenFile(path, .writing) }
    _ = try OpenFile(path, .making(0o600))
    #expect(FileStatus(path)?.permissions == 0o600)
    #expect(throws: FileError.self) { _ = try OpenFile(path, .folder) }
    _ = try OpenFile(folder.path, .folder)
    do throws(FileError) {
      _ = try OpenFile(folder.path + "/none/file", .making(0o600))
      Issue.record("a file in no folder")
    } catch {
      #expect(error.operation == .create)
      #expect(error.path == folder.path + "/none/file")
    }
  }

  @Test("is closed with its owner, and once")
  func closing() throws {
    try Data([1]).write(to: URL(fileURLWithPath: path))
    #expect(try OtherDescriptors.lost(rounds: 5000) { _ = try OpenFile(path) } == 0)
  }

  @Test("takes bytes at a place, at its end, and gives them up again")
  func writing() throws {
    let file = try OpenFile(path, .making(0o600))
    try file.append([1, 2, 3])
    try file.write([9, 8], at: 1)
    #expect(try content() == [1, 9, 8])
    try file.resize(to: 5)
    #expect(try content() == [1, 9, 8, 0, 0])
    try file.resize(to: 1)
    try file.settle()
    try file.settleContent()
    #expect(try content() == [1])
    let end = try OpenFile(path, .appending(0o600))
    try end.append([4])
    #expect(try content() == [1, 4])
    #expect(file.status?.size == 2)
    _ = try OpenFile(path, .emptying(0o600))
    #expect(try content().isEmpty)
  }

  @Test("hands over its bytes in pieces: all from a place, or a range that must be there")
  func passing() throws {
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try OpenFile(path)
    var found: [UInt8] = []
    try file.pass(5...) { found += $0 }
    #expect(found == Array(bytes[5...]))
    found = []
    try file.pass(262_000..<530_001) { found += $0 }
    #expect(found == Array(bytes[262_000..<530_001]))
    found = []
    let small = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
    defer { small.deallocate() }
    var pieces = 0
    try file.pass(0..., through: small) {
      found += $0
      pieces += 1
    }
    #expect(found == bytes)
    #expect(pieces == 600)
    #expect(throws: FileError.self) { try file.pass(0..<600_001) { _ in } }
    try file.pass(0..<600_001, while: { false }) { _ in Issue.record("nothing is wanted") }
  }

  @Test("fills memory as far as it has bytes")
  func filling() throws {
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let file = try OpenFile(path)
    var target = [UInt8](repeating: 0, count: 4)
    #expect(target.withUnsafeMutableBytes { file.fill($0, at: 1) } == 2)
    #expect(target == [2, 3, 0, 0])
    #expect(target.withUnsafeMutableBytes { file.fill($0, at: 3) } == 0)
  }

  @Test("of a unique name is another each time, and its owner's alone")
  func unique() throws {
    let one = try OpenFile(unique: path, called: path), two = try OpenFile(unique: path, called: path)
    #expect(one.path != two.path)
    #expect(one.path.hasPrefix(path + "."))
    #expect(FileStatus(one.path)?.permissions == 0o600)
    #expect(throws: FileError.self) { _ = try OpenFile(unique: folder.path + "/none/file", called: path) }
  }

  @Test("has no name any more when another file has its place")
  func names() throws {
    let file = try OpenFile(path, .making(0o600))
    let before = file.hasName
    #expect(before)
    try Data([1]).write(to: URL(fileURLWithPath: path), options: .atomic)
    let after = file.hasName
    #expect(!after)
  }

  @Test("is locked by one owner at a time, until it gives the lock back")
  func locking() throws {
    let one = try OpenFile(path, .making(0o600)), two = try OpenFile(path)
    #expect(one.lock() == .taken)
    #expect(two.lock() == .busy)
    #expect(two.lock(isShared: true) == .busy)
    one.unlock()
    #expect(two.lock(waits: true) == .taken)
  }
}
