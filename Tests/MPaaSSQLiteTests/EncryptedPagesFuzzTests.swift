import Foundation
import MPaaSSQLite
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The files of an encrypted database") struct EncryptedPagesFuzzTests {
  /// The content of a file after damage of any kind.
  private static func damaged(_ whole: Data, _ random: inout SeededRandom) -> Data {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard bytes.count > 4096 else { return bytes }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let pages = bytes.count / 4096
      let (one, other) = (Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random))
      let page = bytes.subdata(in: one * 4096..<one * 4096 + 4096)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 2: bytes.replaceSubrange(other * 4096..<other * 4096 + 4096, with: page)
      case 3: bytes.resetBytes(in: place..<min(place + Int.random(in: 1...9000, using: &random), bytes.count))
      case 4: bytes.removeSubrange(place..<min(place + Int.random(in: 1...5000, using: &random), bytes.count))
      case 5: bytes.insert(contentsOf: page.prefix(Int.random(in: 1...4096, using: &random)), at: place)
      default:
        bytes = Data((0..<Int.random(in: 0..<20_000, using: &random)).map { _ in .random(in: 0...255, using: &random) })
      }
    }
    return bytes
  }

  @Test("are refused with a typed error or have rows that were stored, whatever bytes they have")
  func anyBytes() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<300)
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for start in 0..<6 { try database.fill(300 + start * 20..<320 + start * 20) }
    let left = try folder.copy()
    let (pages, log) = (try left.bytes(), try left.bytes("-wal"))
    var random = SeededRandom(seed: 6)
    let copy = try EncryptedFolder()
    var readable = 0
    for round in 0..<SeededRandom.rounds(or: 150) {
      let kind = Int.random(in: 0..<3, using: &random)
      try? FileManager.default.removeItem(atPath: copy.path + "-shm")
      try copy.write(kind == 0 ? pages : Self.damaged(pages, &random))
      try copy.write(kind == 1 ? log : Self.damaged(log, &random), "-wal")
      do {
        let rows = try copy.open().rows("SELECT id, v FROM t") { (id: Int($0.integer(0)), text: $0.text(1)) }
        #expect(rows.allSatisfy { $0.text == SQLiteDatabase.text($0.id) }, "round \(round)")
        readable += 1
      } catch let error as SQLiteError {
        #expect("\(error.code)".contains("database-"), "round \(round): \(error)")
      }
    }
    #expect(readable > 0)
    withExtendedLifetime(database) {}
  }
}
