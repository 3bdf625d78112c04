import Foundation
import MPaaSRecords
import MPaaSTestSupport
import Testing

@Suite("Records") struct ActiveRecordTests {
  let database: Database

  init() throws { database = try Database(path: ":memory:") }

  @Test("are saved, found, changed and deleted as the old manual shows")
  func crud() throws {
    var node = Node(name: "Swift", sectionID: 2, sort: 1)
    try node.save(in: database)
    #expect(node.id == 1)
    node.summary = "a language"
    try node.save(in: database)
    try Node.save([Node(name: "Ruby", sectionID: 1), Node(name: "Go", sectionID: 2, sort: 0)], in: database)
    #expect(try Node.count(in: database) == 3)
    let ordered = try Node.all.orderAscending(by: "section_id").orderAscending(by: "sort").records(in: database)
    #expect(ordered.map(\.name) == ["Ruby", "Go", "Swift"])
    #expect(try Node.where("section_id", 2).count(in: database) == 2)
    #expect(try Node.load(1, in: database) == node)
    #expect(try Node.first(in: database)?.name == "Swift")
    #expect(try Node.last(in: database)?.name == "Go")
    #expect(try Node.all.orderAscending(by: "name").last(in: database)?.name == "Swift")
    #expect(try Node.all.orderAscending(by: "id").limit(2).last(in: database)?.name == "Ruby")
    #expect(try Node.all.first(id: 2, in: database)?.name == "Ruby")
    #expect(try Node.where("section_id", 1).last(id: 3, in: database) == nil)
    #expect(try node.exists(in: database))
    #expect(try node.delete(in: database))
    #expect(try !node.delete(in: database))
    #expect(try !node.exists(in: database))
    #expect(try Node.all.where("sort", 0).set("topics_count", 5).update(in: database) == 2)
    #expect(try Node.first(in: database)?.topicsCount == 5)
    #expect(throws: DatabaseError.self) { try Node.all.delete(in: database) }
    #expect(try Node.where("sort", 0).delete(in: database) == 2)
  }

  @Test("are inserted once, and updated only where they are")
  func insertAndUpdate() throws {
    var node = Node(id: 7, name: "a")
    #expect(try !node.update(in: database))
    try node.insert(in: database)
    let error = #expect(throws: DatabaseError.self) { try node.insert(in: database) }
    #expect(error?.identifier == "database-constraint")
    node.name = "b"
    #expect(try node.update(in: database))
    var other = Node(id: 7)
    #expect(try other.load(in: database))
    #expect(other.name == "b")
    var missing = Node(id: 8)
    #expect(try !missing.load(in: database))
    var keyless = Node()
    #expect(throws: DatabaseError.self) { try keyless.update(in: database) }
    #expect(throws: DatabaseError.self) { try keyless.delete(in: database) }
  }

  @Test("that lie in others are stored in their own table and loaded with them")
  func nestedOne() throws {
    var person = Person(uid: 0, name: "test", location: Location(lid: 0, lat: 30.5, lon: 120.25))
    try person.save(in: database)
    #expect(person.uid == 1)
    #expect(person.location.lid == 1)
    #expect(try Person.records(in: database) == [person])
    person.location.lat = 31
    try person.save(in: database)
    #expect(try Location.records(in: database) == [person.location])
    let found = try Person.all.naming(person.location, in: "location").records(in: database)
    #expect(found == [person])
    try person.location.delete(in: database)
    let error = #expect(throws: DatabaseError.self) { try Person.records(in: database) }
    #expect(error?.identifier == "row-column")
  }

  static let album = Album(
    id: "a1", kind: .long, released: Date(timeIntervalSince1970: 1_000_000.5), tags: ["x", "é"],
    label: Album.Label(name: "L", years: [1999, 2001]), cover: [0, 255], price: 999, isLive: true,
    tracks: [Track(title: "one"), Track(title: "two"), Track(title: "three")], opener: Track(title: "intro"))

  @Test("with every kind of member come back as they were")
  func kinds() throws {
    var album = Self.album
    try album.save(in: database)
    #expect(album.tracks.map(\.id) == [2, 3, 4])
    #expect(album.opener?.id == 1)
    #expect(try Album.load("a1", in: database) == album)
    album.opener = nil
    album.label = nil
    album.released = nil
    album.tracks.remove(at: 1)
    album.tracks.swapAt(0, 1)
    try album.save(in: database)
    let loaded = try #require(try Album.load("a1", in: database))
    #expect(loaded == album)
    #expect(loaded.tracks.map(\.title) == ["three", "one"])
    #expect(try Track.count(in: database) == 4)
    let own = try Track.all.belonging(to: album, in: "tracks").orderAscending(by: "title").records(in: database)
    #expect(own.map(\.title) == ["one", "three"])
    #expect(throws: DatabaseError.self) { try Track.all.belonging(to: album, in: "tags") }
    #expect(try album.delete(in: database))
    #expect(try Query("Album_tracks").count(in: database) == 0)
    #expect(try Track.count(in: database) == 4)
  }

  @Test("are all there or none, where one of a list cannot be stored")
  func whole() throws {
    struct Strict: ActiveRecord {
      var id: Int?
      var name: String
    }
    try Table("Strict").field("id", .integer).primaryKey().autoincrement().field("name", .text).unique()
      .createIfNotExists(in: database)
    let twice = [Strict(name: "a"), Strict(name: "a")]
    #expect(throws: DatabaseError.self) { try Strict.save(twice, in: database) }
    #expect(try Strict.count(in: database) == 0)
  }

  @Test("get the columns that their type has won since the table was made")
  func migration() throws {
    try Table("Node").field("id", .integer).primaryKey().autoincrement().field("name", .text)
      .createIfNotExists(in: database)
    try Query("Node").set("name", "old").insert(in: database)
    #expect(try Node.records(in: database) == [Node(id: 1, name: "old")])
  }

  @Test("are made of JSON, dictionaries and objects; members that are missing are blank")
  func making() throws {
    let json = #"{"id":3,"name":"é","topics_count":7,"other":[1]}"#
    let node = try Node.record(json: json)
    #expect(node == Node(id: 3, name: "é", topicsCount: 7))
    #expect(try Node.record(json: node.json()) == node)
    #expect(try Node.record(dictionary: ["name": "d", "sort": 4]) == Node(name: "d", sort: 4))
    #expect(try Node.record() == Node())
    #expect(try Node.record(node) == Node(name: "é", topicsCount: 7))
    let person = try Person.record(json: #"{"uid":5,"location":{"lat":1.5},"name":null}"#)
    #expect(person == Person(uid: 5, name: "", location: Location(lid: 0, lat: 1.5, lon: 0)))
    let album = try Album.record(json: #"{"id":"z","kind":"long","tracks":[{"title":"t"},{}]}"#)
    #expect(album.tracks == [Track(title: "t"), Track(title: "")])
    #expect(try Node.records(json: #"[{"name":"a"},{"name":"b"}]"#).map(\.name) == ["a", "b"])
    #expect(try Node.records(json: #"{"name":"a"}"#).count == 1)
  }

  @Test(
    "are refused where a member is none of the type's, with its name",
    arguments: [
      #"{"name":5}"#, #"{"id":"x"}"#, #"{"sort":1.5}"#, "[1]", "nonsense", "", #"{"name":"a""#, "[[]]",
    ])
  func malformed(_ json: String) throws {
    let error = #expect(throws: DatabaseError.self) { try Node.records(json: json) }
    #expect(error?.identifier == "record-malformed")
    if json.contains("name\":5") { #expect(error?.description.contains("column: name") == true) }
  }

  @Test("need a sample where their type cannot be blank")
  func samples() throws {
    enum Color: String, Codable { case red }
    struct Bare: ActiveRecord {
      var id: Int?
      var color: Color
    }
    struct Sampled: ActiveRecord, Equatable {
      var id: Int?
      var color: Color
      static var sample: Sampled? { Sampled(color: .red) }
    }
    struct Nameless: ActiveRecord { var name: String }
    struct Named: ActiveRecord, Equatable {
      var code: String
      static var tableName: String { "codes" }
      static var primaryKey: String? { "code" }
    }
    let error = #expect(throws: DatabaseError.self) { try Bare.records(in: database) }
    #expect(error?.identifier == "record-fields")
    #expect(try Sampled(color: .red).saved(in: database) == Sampled(id: 1, color: .red))
    #expect(try Sampled.first(in: database) == Sampled(id: 1, color: .red))
    #expect(throws: DatabaseError.self) { try Nameless(name: "a").saved(in: database) }
    try Named(code: "x").saved(in: database)
    #expect(try Query("codes").count(in: database) == 1)
  }

  @Test("that name each other in a ring are refused, not followed for ever")
  func ring() throws {
    struct Link: ActiveRecord {
      var id: Int?
      var next: [Link]
    }
    try Link(next: []).saved(in: database)
    try Query("Link_next").set("owner", 1).set("position", 0).set("record", 1).insert(in: database)
    let error = #expect(throws: DatabaseError.self) { try Link.first(in: database) }
    #expect(error?.identifier == "record-absent")
  }

  @Test("outlive the database that stored them")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/r.sqlite"
    try Node(name: "kept").saved(in: Database(path: path))
    #expect(try Node.first(in: Database(path: path))?.name == "kept")
    let readOnly = try Database(path: path, isReadOnly: true)
    #expect(try Query("Node").count(in: readOnly) == 1)
    #expect(throws: DatabaseError.self) { try Query("Node").empty(in: readOnly) }
  }
}
