import Foundation
import MPaaSStorage
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTime
import Testing

/// A file that remembers each write since the last one that was synced, so that a loss of power can be played.
///
/// `@unchecked Sendable`: one thread uses it.
private final class CutFile: KeyValueFile, @unchecked Sendable {
  enum Step {
    case write([UInt8], Int)
    case resize(Int)
  }

  let live = LiveWords()
  var content: [UInt8]
  /// The content as it is on the disk for sure, and what came after.
  var safe: [UInt8]
  var steps: [Step] = []

  init(_ content: [UInt8]) { (self.content, safe) = (content, content) }

  func size() throws(FileError) -> UInt64 { UInt64(content.count) }

  func read(_ target: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
    let part = content.dropFirst(Int(offset)).prefix(target.count)
    target.copyBytes(from: part)
    return part.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    take(.write(Array(bytes), Int(offset)))
  }
  func resize(to size: UInt64) throws(FileError) { take(.resize(Int(size))) }

  func sync() throws(FileError) {
    safe = content
    steps = []
  }

  func lock(until deadline: MonotonicInstant) throws(FileError) -> Bool { true }
  func unlock() {}
  var hasName: Bool { true }
  func window(at offset: UInt64, size: Int) -> FileWindow? { nil }

  private func take(_ step: Step) {
    steps.append(step)
    Self.apply(step, to: &content)
  }

  static func apply(_ step: Step, to content: inout [UInt8]) {
    switch step {
    case .resize(let size):
      content = Array(content.prefix(size)) + [UInt8](repeating: 0, count: max(size - content.count, 0))
    case .write(let bytes, let offset):
      if content.count < offset + bytes.count {
        content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
      }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  /// The content after a loss of power that takes some of the steps, and tears others.
  func afterCut(_ random: inout SeededRandom) -> [UInt8] {
    var result = safe
    for step in steps {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: continue
      case 1:
        guard case .write(let bytes, let offset) = step else { continue }
        Self.apply(.write(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), offset), to: &result)
      default: Self.apply(step, to: &result)
      }
    }
    return result
  }

  /// The content where the first steps came to the disk and no other did.
  func prefix(_ count: Int) -> [UInt8] {
    var result = safe
    for step in steps.prefix(count) { Self.apply(step, to: &result) }
    return result
  }
}

@Suite("A loss of power") struct PowerCutTests {
  private static func store(
    _ file: CutFile, _ options: KeyValueOptions
  ) throws -> KeyValueStore {
    try KeyValueStore(
      path: "/nowhere/store", options: options,
      in: KeyValueFolder(
        open: { _, _ in file }, make: { path throws(FileError) in throw FileError(.create, path, .noSpace) }))
  }

  @Test("takes nothing that a store of its kind had written", arguments: [false, true])
  func power(_ isEncrypted: Bool) throws {
    let options = KeyValueOptions(key: isEncrypted ? StoreForm.key : nil, durability: .power)
    let file = CutFile([UInt8](repeating: 0, count: 4096))
    let store = try Self.store(file, options)
    var random = SeededRandom(seed: 5)
    for round in 0..<SeededRandom.rounds(or: 60) {
      try store.set(round, forKey: "key \(round % 7)")
      let cut = try Self.store(CutFile(file.afterCut(&random)), options)
      for before in max(0, round - 6)...round { #expect(try cut.integer(forKey: "key \(before % 7)") == before) }
    }
  }

  @Test("leaves what was synced, and after it records that are whole or none", arguments: [false, true])
  func subsets(_ isEncrypted: Bool) throws {
    let options = KeyValueOptions(key: isEncrypted ? StoreForm.key : nil)
    let file = CutFile([UInt8](repeating: 0, count: 4096))
    let store = try Self.store(file, options)
    for number in 0..<20 { try store.set("safe \(number)", forKey: "safe \(number)") }
    try store.synchronize()
    for number in 0..<40 { try store.set("late \(number)", forKey: "late \(number)") }
    func check(_ content: [UInt8]) throws {
      let cut = try Self.store(CutFile(content), options)
      for number in 0..<20 { #expect(try cut.string(forKey: "safe \(number)") == "safe \(number)") }
      for key in try cut.allKeys() { #expect(try cut.string(forKey: key) == key) }
      try cut.set("new", forKey: "new")
      #expect(try cut.string(forKey: "new") == "new")
    }
    for count in 0...file.steps.count { try check(file.prefix(count)) }
    var random = SeededRandom(seed: 6)
    for _ in 0..<SeededRandom.rounds(or: 60) { try check(file.afterCut(&random)) }
  }
}
