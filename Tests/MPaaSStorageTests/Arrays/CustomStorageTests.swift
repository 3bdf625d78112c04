import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("A custom storage") struct CustomStorageTests {
  private func center(_ folder: TemporaryFolder) throws -> DataCenter {
    try DataCenter(root: folder.path + "/Documents/Preferences", appVersion: "1")
  }

  @Test("lies in a folder of its own, and follows the data center's user")
  func users() throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    let storage = try center.customStorage(named: "Contacts")
    let array = storage.fileArray(named: "voices", ofUser: true, capacity: 2)
    #expect(try storage.user == nil)
    #expect(#expect(throws: StorageError.self) { try array.names }?.identifier == "storage-user-missing")
    for user in ["ann", "bob"] {
      center.switchUser(to: user)
      try storage.user?.set(user, forKey: "k")
      try array.write(Array(user.utf8), name: "n")
    }
    try storage.common.set("all", forKey: "k")
    center.switchUser(to: "ann")
    #expect(try storage.user?.string(forKey: "k") == "ann")
    #expect(try array.read("n") == Array("ann".utf8))
    try storage.reset(user: "ann")
    #expect(try array.count == 0)
    try array.write([1], name: "new")
    center.switchUser(to: "bob")
    #expect(try array.read("n") == Array("bob".utf8))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/Documents/Contacts/common/preferences.mpkv"))
    for name in ["", ".", "..", "a/b", "/etc", "Preferences"] {
      #expect(throws: StorageError.self) { try center.customStorage(named: name) }
    }
  }

  @Test("has files that are read, renamed and removed by LIKE, of which the oldest go", arguments: [false, true])
  func files(_ isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let key = isEncrypted ? StoreForm.key : nil
    do {
      let array = try center(folder).customStorage(named: "c").fileArray(
        named: "../x", ofUser: false, capacity: 3, key: key)
      for number in 0..<5 { try array.write([UInt8(number)], name: "f\(number)") }
      #expect(try array.names == ["f2", "f3", "f4"])
      try array.write([9], name: "f2")
      #expect(try array.names == ["f3", "f4", "f2"])
      #expect(try array.rename("f3", to: "g3"))
      #expect(try !array.rename("f3", to: "g3"))
    }
    let array = try center(folder).customStorage(named: "c").fileArray(
      named: "../x", ofUser: false, capacity: 3, key: key)
    #expect(try array.names == ["g3", "f4", "f2"])
    #expect(try array.read("g3") == [3])
    #expect(try array.read(like: "F%") == ["f4": [4], "f2": [9]])
    try array.write([7], name: "new")
    #expect(try array.names == ["f4", "f2", "new"])
    try array.remove(like: "f%")
    #expect(try array.names == ["new"] && array.exists("new") && !array.exists("f4"))
    try array.remove("new")
    try array.removeAll()
    #expect(try array.count == 0 && array.read("new") == nil)
  }

  @Test("has values of a type, whose cache forgets with the file and with the user", arguments: [0, 2, 100])
  func objects(_ cacheCapacity: Int) throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    let array = try center.customStorage(named: "c").objectArray(
      of: [String: Int].self, named: "o", ofUser: true, capacity: 3, cacheCapacity: cacheCapacity)
    center.switchUser(to: "ann")
    for number in 0..<5 { try array.set(["n": number], forKey: "k\(number)") }
    #expect(try array.object(forKey: "k0") == nil)
    #expect(try array.object(forKey: "k4") == ["n": 4])
    #expect(try array.objects(like: "_3") == ["k3": ["n": 3]])
    center.switchUser(to: "bob")
    #expect(try array.object(forKey: "k4") == nil)
    center.switchUser(to: "ann")
    #expect(try array.allKeys == ["k2", "k3", "k4"])
    try array.set(nil, forKey: "k4")
    try array.remove(like: "%2")
    #expect(try array.object(forKey: "k4") == nil && array.object(forKey: "k2") == nil)
    #expect(try array.count == 1 && array.exists(forKey: "k3"))
  }
}
