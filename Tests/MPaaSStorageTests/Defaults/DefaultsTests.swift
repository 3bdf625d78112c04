import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

extension DefaultsKey<Int> {
  fileprivate static let launches = DefaultsKey("launches", default: 1)
}

@Suite("Defaults") struct DefaultsTests {
  let folder: TemporaryFolder
  let defaults: Defaults

  init() throws {
    folder = try TemporaryFolder()
    defaults = Defaults(store: try KeyValueStore(path: folder.path + "/d.mpkv"))
  }

  @Test("have the registered value of a key until it is set, and again when it is removed")
  func registration() throws {
    #expect(try defaults.integer(forKey: "n") == 0)
    defaults.register(defaults: ["n": .integer(5), "s": .string("a")])
    defaults.register(defaults: ["s": .string("b")])
    #expect(try defaults.integer(forKey: "n") == 5)
    #expect(try defaults.string(forKey: "s") == "b")
    try defaults.set(7, forKey: "n")
    #expect(try defaults.integer(forKey: "n") == 7)
    #expect(try defaults.dictionaryRepresentation() == ["n": .integer(7), "s": .string("b")])
    try defaults.removeObject(forKey: "n")
    #expect(try defaults.integer(forKey: "n") == 5)
    #expect(try defaults.store.allKeys(ofBusiness: "defaults") == [])
  }

  @Test("keep every kind of value, and read numbers, texts and yes or no as one another")
  func kinds() throws {
    try defaults.set(true, forKey: "yes")
    try defaults.set(2.5, forKey: "half")
    try defaults.set("42", forKey: "text")
    try defaults.set([1, 2] as [UInt8], forKey: "bytes")
    try defaults.set(URL(string: "https://example.com/a"), forKey: "url")
    try defaults.set(codable: ["a", "b"], forKey: "list")
    #expect(try defaults.bool(forKey: "yes"))
    #expect(try defaults.integer(forKey: "yes") == 1)
    #expect(try defaults.integer(forKey: "half") == 2)
    #expect(try defaults.float(forKey: "half") == 2.5)
    #expect(try defaults.integer(forKey: "text") == 42)
    #expect(try defaults.double(forKey: "text") == 42)
    #expect(try defaults.string(forKey: "half") == "2.5")
    #expect(try defaults.data(forKey: "bytes") == Data([1, 2]))
    #expect(try defaults.url(forKey: "url")?.host == "example.com")
    #expect(try defaults.stringArray(forKey: "list") == ["a", "b"])
    #expect(try defaults.string(forKey: "bytes") == nil)
    #expect(try defaults.bool(forKey: "text") == false)
    try defaults.set(nil as String?, forKey: "text")
    #expect(try defaults.object(forKey: "text") == nil)
    try defaults.removeAll()
    #expect(try defaults.dictionaryRepresentation().isEmpty)
  }

  @Test("have typed keys with a default")
  func typed() throws {
    #expect(try defaults.value(.launches) == 1)
    try defaults.set(9, for: .launches)
    #expect(try defaults.value(.launches) == 9)
    #expect(try defaults.integer(forKey: "launches") == 9)
  }

  @Test("tell of changes of a key, and of none of another business")
  func observation() async throws {
    var changes = defaults.changes(ofKey: "a").makeAsyncIterator()
    try defaults.store.set(1, forKey: "a", business: "other")
    try defaults.set(1, forKey: "b")
    try defaults.set(2, forKey: "a")
    try defaults.removeObject(forKey: "a")
    let first = await changes.next()
    #expect(first?.key == "a")
    #expect(first?.business == "defaults")
    #expect(first?.isRemoval == false)
    #expect(await changes.next()?.isRemoval == true)
  }
}
