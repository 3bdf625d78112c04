import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("Stores of one file") struct SharingTests {
  @Test("see what the others wrote, through compaction and a change of the key", arguments: [false, true])
  func follow(_ isEncrypted: Bool) throws {
    let folder = try StoreFolder()
    let options = KeyValueOptions(key: isEncrypted ? StoreForm.key : nil)
    let (one, two) = (try folder.open(options), try folder.open(options))
    for round in 0..<50 {
      try one.set(round, forKey: "one")
      #expect(try two.integer(forKey: "one") == round)
      try two.set(round, forKey: "two \(round)")
      #expect(try one.integer(forKey: "two \(round)") == round)
      if round % 10 == 9 { try (round % 20 == 9 ? one : two).compact() }
    }
    try two.remove(forKey: "one")
    #expect(try one.integer(forKey: "one") == nil)
    #expect(try folder.open(options).allKeys().count == 50)
  }

  @Test("lose nothing of what threads write at once through several of them")
  func threads() async throws {
    let folder = try StoreFolder()
    let stores = try (0..<3).map { _ in try folder.open() }
    try await withThrowingTaskGroup { group in
      for (number, store) in stores.enumerated() {
        for part in 0..<2 {
          group.addTask {
            for round in 0..<300 { try store.set(round, forKey: "\(number) \(part) \(round)") }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try folder.open()
    #expect(try last.allKeys().count == 1800)
    #expect(last.report.isWhole)
    for store in stores { #expect(try store.allKeys().count == 1800) }
  }

  @Test("wait for one that has the file to itself no longer than the deadline, and read it meanwhile")
  func exclusive() throws {
    let folder = try StoreFolder()
    let owner = try folder.open(KeyValueOptions(sharing: .exclusive))
    try owner.set(1, forKey: "key")
    let busy = #expect(throws: StorageError.self) {
      try folder.open(KeyValueOptions(lockDeadline: .milliseconds(20)))
    }
    #expect(busy?.identifier == "kv-busy")
    let reader = try KeyValueStore.reading(path: folder.path)
    #expect(try reader.integer(forKey: "key") == 1)
    try owner.set(2, forKey: "key")
    #expect(try reader.integer(forKey: "key") == 2)
    let refused = #expect(throws: StorageError.self) { try reader.set(3, forKey: "key") }
    #expect(refused?.identifier == "kv-read-only")
  }

  @Test(
    "outlive another program that cuts the file off, and have it whole again with the next change",
    arguments: [StoreForm.exclusive, .encryptedExclusive], [0, 100, 5000, 70_000])
  func cut(_ form: StoreForm, _ size: UInt64) throws {
    let folder = try StoreFolder()
    let store = try folder.open(form.options)
    let long = String(repeating: "long ", count: 20_000)
    for number in 0..<500 { try store.set("value \(number)", forKey: "key \(number)") }
    try store.set(long, forKey: "long")
    try store.set("last", forKey: "last")
    try FileHandle(forWritingTo: URL(filePath: folder.path)).truncate(atOffset: size)
    #expect(try store.string(forKey: "key 7") == "value 7")
    try store.set("after", forKey: "after")
    let reader = try KeyValueStore.reading(path: folder.path, key: form.options.key)
    #expect(reader.report.isWhole)
    // A value over 16 KiB lay in the file alone.
    let keys = (0..<500).map { "key \($0)" } + ["last", "after"]
    for kept in [store, reader] {
      #expect(try kept.allKeys() == keys.sorted())
      #expect(try kept.string(forKey: "key 499") == "value 499")
    }
    try store.set("more", forKey: "more")
    #expect(try KeyValueStore.reading(path: folder.path, key: form.options.key).string(forKey: "more") == "more")
  }
}
