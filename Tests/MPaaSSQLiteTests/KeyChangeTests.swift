import Foundation
import MPaaSSQLite
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTime
import Testing

@Suite("The key of an encrypted database") struct KeyChangeTests {
  private static let other = EncryptedFolder.key(2)

  @Test("can be changed while others have it open, and then the former one opens nothing")
  func change() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<2000)
    let beside = try folder.open()
    try database.changeKey(to: Self.other)
    #expect(try database.texts() == (0..<2000).map(SQLiteDatabase.text))
    try database.run("INSERT INTO t VALUES (2000, ?)", [.text(SQLiteDatabase.text(2000))])
    #expect(throws: SQLiteError(.keyWrong, ["file": folder.path])) { try folder.open() }
    #expect(try folder.open(key: Self.other).texts() == (0...2000).map(SQLiteDatabase.text))
    // A connection that slept all the time has nothing to read the new pages with.
    #expect(throws: SQLiteError(.keyWrong, ["file": folder.path])) { try beside.texts() }
  }

  @Test("opens the database beside the new one until the last page is written, and the change goes on after an end")
  func interrupted() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<2000)
    let reader = try folder.open(.readOnly)
    // A reader of what was before keeps the change from its end.
    try reader.execute("BEGIN")
    #expect(try reader.texts().count == 2000)
    #expect(throws: SQLiteError.self) { try database.changeKey(to: Self.other, patience: .milliseconds(50)) }
    #expect(database.isChangingKey)
    #expect(try reader.texts().count == 2000)
    for key in [folder.key, Self.other] {
      let left = try folder.copy()
      let opened = try left.open(key: key)
      #expect(try opened.texts() == (0..<2000).map(SQLiteDatabase.text))
      try opened.run("INSERT INTO t VALUES (2000, 'more')")
      try opened.changeKey(to: Self.other)
      #expect(!opened.isChangingKey)
      #expect(try left.open(key: Self.other).texts().last == "more")
      #expect(throws: SQLiteError.self) { try left.open() }
    }
    try reader.execute("COMMIT")
    try database.changeKey(to: Self.other)
    #expect(throws: SQLiteError.self) { try folder.open() }
    #expect(try folder.open(key: Self.other).texts().count == 2000)
  }

  @Test("is taken away and given again")
  func conversion() throws {
    let folder = try EncryptedFolder()
    let path = folder.path
    do {
      let plain = try SQLiteDatabase(path)
      try plain.fill(0..<2000)
      try plain.execute("CREATE INDEX i ON t (v); PRAGMA user_version = 7")
      #expect(throws: SQLiteError.self) {
        try SQLiteDatabase.convert(path, from: nil, to: folder.key, patience: .milliseconds(1))
      }
    }
    try SQLiteDatabase.convert(path, from: nil, to: folder.key)
    #expect(try folder.files(with: ["the secret of row"]) == [])
    let encrypted = try folder.open()
    #expect(try encrypted.texts() == (0..<2000).map(SQLiteDatabase.text))
    #expect(try encrypted.row("PRAGMA user_version") { $0.integer(0) } == 7)
    #expect(throws: SQLiteError.self) {
      try SQLiteDatabase.convert(path, from: folder.key, to: nil, patience: .milliseconds(1))
    }
    withExtendedLifetime(encrypted) {}
  }

  @Test("leaves a plain database where it is taken away")
  func decryption() throws {
    let folder = try EncryptedFolder()
    try folder.open().fill(0..<500)
    try SQLiteDatabase.convert(folder.path, from: folder.key, to: nil)
    #expect(try SQLiteDatabase(folder.path).texts() == (0..<500).map(SQLiteDatabase.text))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) == ["a.sqlite"])
    #expect(throws: SQLiteError(.notEncrypted, ["file": folder.path])) {
      try SQLiteDatabase.convert(folder.path, from: folder.key, to: nil)
    }
  }
}
