import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("A key-value store") struct RoundTripTests {
  struct Address: Codable, Equatable {
    let street: String
    let number: Int
  }

  @Test("gives back what was stored, before and after it is opened again", arguments: StoreForm.allCases)
  func roundTrip(_ form: StoreForm) throws {
    let folder = try StoreFolder()
    var store: KeyValueStore? = try folder.open(form.options)
    let address = Address(street: "Main", number: 7)
    let long = String(repeating: "long ", count: 50_000)
    try store?.set(-3, forKey: "integer", business: "a")
    try store?.set(longLong: .min, forKey: "longLong", business: "a")
    try store?.set(true, forKey: "bool", business: "a")
    try store?.set(0.1, forKey: "double", business: "a")
    try store?.set("é 文", forKey: "string", business: "b")
    try store?.set("", forKey: "", business: "")
    try store?.set(data: [0, 255], forKey: "data")
    try store?.set(codable: address, forKey: "codable")
    try store?.set(propertyList: ["x": [1, 2]], forKey: "plist")
    try store?.set(json: #"{"a":[1]}"#, forKey: "json")
    try store?.set(long, forKey: "long")
    for _ in 0..<2 {
      try Self.check(store, address, long)
      store = nil
      store = try folder.open(form.options)
    }
    #expect(store?.report.isWhole == true)
    #expect(store?.report.tornBytes == 0)
  }

  private static func check(_ store: KeyValueStore?, _ address: Address, _ long: String) throws {
    let open = try #require(store)
    #expect(try open.integer(forKey: "integer", business: "a") == -3)
    #expect(try open.longLong(forKey: "longLong", business: "a") == .min)
    #expect(try open.bool(forKey: "bool", business: "a") == true)
    #expect(try open.double(forKey: "double", business: "a") == 0.1)
    #expect(try open.string(forKey: "string", business: "b") == "é 文")
    #expect(try open.string(forKey: "", business: "")?.isEmpty == true)
    #expect(try open.data(forKey: "data") == [0, 255])
    #expect(try open.value(Address.self, forKey: "codable") == address)
    #expect(try open.value([String: [Int]].self, forKey: "plist") == ["x": [1, 2]])
    #expect(try open.json(forKey: "json") == #"{"a":[1]}"#)
    #expect(try open.string(forKey: "long") == long)
    #expect(try open.string(forKey: "string", business: "a") == nil)
    #expect(try open.integer(forKey: "none", default: 5) == 5)
    #expect(try open.businesses() == ["", "a", "b"])
    #expect(try open.allKeys(ofBusiness: "a") == ["bool", "double", "integer", "longLong"])
  }

  @Test("keeps the newest of many changes, through growth and compaction", arguments: StoreForm.allCases)
  func model(_ form: StoreForm) throws {
    let folder = try StoreFolder()
    var random = SeededRandom(seed: 7)
    var store: KeyValueStore? = try folder.open(form.options)
    var model: [String: Int] = [:]
    for round in 0..<(form == .power ? 300 : 4000) {
      let key = "key \(Int.random(in: 0..<300, using: &random))"
      switch Int.random(in: 0..<40, using: &random) {
      case 0...5:
        try store?.remove(forKey: key, business: "b")
        model[key] = nil
      case 6 where form != .power: try store?.compact()
      case 7 where form != .power:
        store = nil
        store = try folder.open(form.options)
      default:
        try store?.set(round, forKey: key, business: "b")
        model[key] = round
      }
      #expect(try store?.integer(forKey: key, business: "b") == model[key])
    }
    store = nil
    let last = try folder.open(form.options)
    #expect(try last.allKeys(ofBusiness: "b") == model.keys.sorted())
    for (key, value) in model { #expect(try last.integer(forKey: key, business: "b") == value) }
    #expect(last.report.isWhole)
  }

  @Test("compacts by itself, so that a key that changes often does not fill the disk")
  func growth() throws {
    let folder = try StoreFolder()
    let store = try folder.open(KeyValueOptions(sharing: .exclusive))
    let text = String(repeating: "x", count: 1000)
    for round in 0..<12_000 { try store.set(text + "\(round)", forKey: "key") }
    #expect(try folder.bytes().count < 6 << 20)
    #expect(try store.string(forKey: "key") == text + "11999")
  }

  @Test("encrypts single values with a key or with functions of the app, and reads them with the same only")
  func crypt() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    let own = Crypt(encrypt: { $0.reversed() }, decrypt: { $0.reversed() })
    try store.set("secret", forKey: "own", options: ValueOptions(crypt: own))
    try store.set("secret", forKey: "key", options: ValueOptions(crypt: Crypt(StoreForm.key)))
    #expect(try store.string(forKey: "own", crypt: own) == "secret")
    #expect(try store.string(forKey: "key", crypt: Crypt(StoreForm.key)) == "secret")
    let missing = #expect(throws: StorageError.self) { try store.string(forKey: "key") }
    #expect(missing?.identifier == "kv-key-missing")
    #expect(missing?.values["path"]?.hasSuffix("/store.mpkv") == true)
    let wrong = #expect(throws: StorageError.self) { try store.string(forKey: "key", crypt: Crypt(StorageKey())) }
    #expect(wrong?.identifier == "kv-cipher-failed")
  }

  @Test("removes by pattern, by business, what is purgeable and what has expired")
  func removal() throws {
    let store = try StoreFolder().open()
    for key in ["user.1", "USER.2", "other"] { try store.set(1, forKey: key, business: "b") }
    try store.set(1, forKey: "user.1", business: "c")
    #expect(try store.removeLike("user._", business: "b") == 2)
    #expect(try store.allKeys(ofBusiness: "b") == ["other"])
    #expect(try store.removeAll(ofBusiness: "b") == 1)
    try store.set(1, forKey: "purgeable", options: ValueOptions(isPurgeable: true))
    try store.set(1, forKey: "past", options: ValueOptions(expiry: Date(timeIntervalSince1970: 5)))
    try store.set(1, forKey: "future", options: ValueOptions(expiry: .distantFuture))
    #expect(try store.allKeys() == ["future", "purgeable"])
    #expect(try store.exists(forKey: "past") == false)
    #expect(try store.removePurgeable() == 2)
    #expect(try store.allKeys() == ["future"])
  }

  @Test("tells about how many bytes its values take", arguments: [StoreForm.plain, .encrypted])
  func size(_ form: StoreForm) throws {
    let store = try StoreFolder().open(form.options)
    #expect(try store.approximateSize() == 0)
    for number in 0..<10 { try store.set(String(repeating: "x", count: 1000), forKey: "\(number)") }
    try store.set(String(repeating: "y", count: 1000), forKey: "3")
    #expect(try (10_000..<11_500).contains(Int(store.approximateSize())))
    for number in 0..<9 { try store.remove(forKey: "\(number)") }
    #expect(try (1000..<1150).contains(Int(store.approximateSize())))
  }

  @Test("makes the changes of a batch together, and compares before it sets")
  func batch() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    try store.set(1, forKey: "old")
    var batch = KeyValueBatch()
    for number in 0..<1000 { batch.set(.integer(Int64(number)), forKey: "key \(number)") }
    batch.remove(forKey: "old")
    try store.write(batch)
    #expect(try store.allKeys().count == 1000)
    #expect(try !store.replace(forKey: "key 1", expecting: .integer(2), with: .integer(3)))
    #expect(try store.replace(forKey: "key 1", expecting: .integer(1), with: .integer(3)))
    #expect(try store.replace(forKey: "new", expecting: nil, with: .string("x")))
    #expect(try store.replace(forKey: "new", expecting: .string("x"), with: nil))
    #expect(try folder.open().integer(forKey: "key 1") == 3)
  }

  @Test("tells of changes, of a business or of a key")
  func observation() async throws {
    let store = try StoreFolder().open()
    let changes = store.changes(ofBusiness: "b")
    try store.set(1, forKey: "x", business: "a")
    try store.set(1, forKey: "y", business: "b")
    try store.remove(forKey: "y", business: "b")
    var seen: [Bool] = []
    for await change in changes {
      #expect(change.business == "b" && change.key == "y")
      seen.append(change.isRemoval)
      if seen.count == 2 { break }
    }
    #expect(seen == [false, true])
  }
}
