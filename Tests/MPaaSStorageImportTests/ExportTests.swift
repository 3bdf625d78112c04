import Foundation
import MPaaSStorage
import MPaaSStorageImport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Exports of other libraries") struct ExportTests {
  private static var settings: [String: Any] {
    [
      "text": "é", "count": 3, "below": -4, "half": 2.5, "yes": true, "bytes": Data([0, 255]),
      "list": [1, "a"], "nested": ["k": [true]], "date": Date(timeIntervalSince1970: 1_700_000_000),
    ]
  }

  @Test(
    "property lists of settings are read, binary and XML",
    arguments: [
      PropertyListSerialization.PropertyListFormat.binary, .xml,
    ])
  func defaults(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: Self.settings, format: format, options: 0)
    let imported = try DefaultsList.records(Array(data), business: "d", file: "app.plist")
    let values = Dictionary(uniqueKeysWithValues: imported.records.map { ($0.key, $0.value) })
    #expect(values.count == Self.settings.count)
    #expect(values["text"] == .string("é"))
    #expect(values["count"] == .integer(3))
    #expect(values["below"] == .integer(-4))
    #expect(values["half"] == .double(2.5))
    #expect(values["yes"] == .bool(true))
    #expect(values["bytes"] == .data([0, 255]))
    for key in ["list", "nested", "date"] {
      guard case .propertyList(let bytes) = values[key] else {
        Issue.record("\(key) is \(String(describing: values[key]))")
        continue
      }
      let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      #expect((list as? NSObject)?.isEqual(Self.settings[key]) == true)
    }
  }

  @Test("archives among settings are archives")
  func archive() throws {
    let archive = try PropertyListSerialization.data(
      fromPropertyList: ["$archiver": "NSKeyedArchiver", "$objects": ["$null"]], format: .binary, options: 0)
    let data = try PropertyListSerialization.data(fromPropertyList: ["a": archive], format: .xml, options: 0)
    let imported = try DefaultsList.records(Array(data), business: "", file: "app.plist")
    #expect(imported.records.map(\.value) == [.archive(Array(archive))])
  }

  @Test("lists that are damaged, or no dictionary, are refused with the place")
  func malformedLists() throws {
    let error = #expect(throws: StorageError.self) {
      try DefaultsList.records(Array("<plist><dict><key>a</key>\n</dict></plist>".utf8), business: "", file: "f")
    }
    #expect(error?.place == .text(file: "f", line: 1, column: 14))
    #expect(throws: StorageError.self) {
      try DefaultsList.records(Array("<plist><array/></plist>".utf8), business: "", file: "f")
    }
    #expect(throws: StorageError.self) { try DefaultsList.records(Array("bplist00".utf8), business: "", file: "f") }
  }

  private func realm(_ json: String, primaryKey: String? = nil) throws -> [ImportedRecord] {
    try Array(json.utf8).withUnsafeBytes { bytes in
      try RealmExport.records(bytes, primaryKey: primaryKey, file: "realm.json").records
    }
  }

  @Test("objects of Realm lie under their class, by the member that is their key")
  func realm() throws {
    let json = """
      {"Dog":[{"_id":{"$oid":"5f"},"name":"Rex"},{"_id":{"$oid":"60"},"name":"Ann"}],
       "Cat":[{"id":7,"name":"Tom"}],"Bare":[{"x":1.5},{"x":2}],"None":[]}
      """
    let records = try realm(json)
    #expect(records.map { "\($0.business)/\($0.key)" } == ["Bare/0", "Bare/1", "Cat/7", "Dog/5f", "Dog/60"])
    #expect(records.first?.value == .json(Array(#"{"x":1.5}"#.utf8)))
    #expect(try realm(#"{"Dog":[{"id":1,"name":"Rex"}]}"#, primaryKey: "name").map(\.key) == ["Rex"])
  }

  @Test(
    "other JSON is refused",
    arguments: [
      "", "[]", "{", #"{"Dog":{}}"#, #"{"Dog":[1]}"#, #"{"Dog":[{"id":1},{"id":1}]}"#,
    ])
  func malformedRealm(_ json: String) {
    let error = #expect(throws: StorageError.self) { try realm(json) }
    #expect(error?.identifier == "kv-import-malformed")
    #expect(throws: StorageError.self) { try realm(#"{"Dog":[{"id":1}]}"#, primaryKey: "name") }
  }

  @Test("are stored as a whole, with their kinds and times")
  func store() throws {
    let folder = try TemporaryFolder()
    let store = try KeyValueStore(path: folder.path + "/s")
    let far = Int64(Date().timeIntervalSince1970 * 1000) + 1_000_000_000
    let records = [
      ImportedRecord(business: "b", key: "k", value: .integer(1)),
      ImportedRecord(business: "b", key: "e", value: .string("x"), expiry: far),
      ImportedRecord(business: "b", key: "o", value: .bool(true), expiry: 1),
    ]
    try ImportedFile(records: records).store(in: store)
    #expect(try store.allKeys(ofBusiness: "b") == ["e", "k"])
    #expect(try store.items().first { $0.key == "e" }?.expiry == far)
  }

  private static let samples = [
    #"{"Dog":[{"_id":{"$oid":"5f"},"name":"Rex","n":[1,2.5e3,null,true]},{"_id":{"$oid":"60"}}],"Cat":[{"id":7}]}"#,
    #"{"Bare":[{"x":1.5},{"x":-2}],"None":[],"Text":[{"id":"\u00e9\n"}]}"#,
  ]

  @Test("of any bytes are refused or read, never a trap")
  func fuzz() throws {
    let formats = [PropertyListSerialization.PropertyListFormat.binary, .xml]
    let lists = try formats.map { format in
      Array(try PropertyListSerialization.data(fromPropertyList: Self.settings, format: format, options: 0))
    }
    let sources = lists + Self.samples.map { Array($0.utf8) }
    var random = SeededRandom(seed: 26)
    for round in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = sources[round % sources.count]
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        guard !bytes.isEmpty else { break }
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: bytes[place] = .random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...20, using: &random), bytes.count))
        default: bytes.insert(contentsOf: bytes[place...].prefix(30), at: Int.random(in: bytes.indices, using: &random))
        }
      }
      do throws(StorageError) {
        if round % sources.count < lists.count {
          _ = try DefaultsList.records(bytes, business: "d", file: "f")
        } else {
          _ = try bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try RealmExport.records(bytes, primaryKey: nil, file: "f") }
          }.get()
        }
      } catch {
        let isKnown = ["kv-import", "plist-", "oldstyle-"].contains { error.identifier.hasPrefix($0) }
        #expect(isKnown, "round \(round): \(error)")
      }
    }
  }
}
