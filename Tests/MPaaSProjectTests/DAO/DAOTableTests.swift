import Foundation
import MPaaSDeclarations
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("DAO descriptions of classes") struct DAOTableTests {
  static func tables(
    _ source: String, file: String = "A.swift", classes: [String] = [], table: String? = nil
  ) throws -> [DAOTable] {
    let types = DeclarationScanner.scan(Array(source.utf8), file: file)
    return try DAOTables([(file, types)], classes: classes, table: table).tables
  }

  static func columns(_ body: String, file: String = "A.swift", more: String = "") throws -> [String] {
    let source = file.hasSuffix(".h") ? "@interface A : NSObject\n\(body)\n@end" : "class A {\n\(body)\n}\n\(more)"
    return try #require(try tables(source, file: file).first).columns.map { column in
      "\(column.name) \(column.storage.rawValue)" + (column.isArchived ? " archived" : "")
        + (column.isOptional ? "?" : "")
        + (column.isAssumed ? " assumed" : "")
    }
  }

  static let swift: [(String, [String])] = [
    (
      "var a: Int; var b: Bool?; var c = 1.5; var d: String; var e: Date?; var f: Data; var g: URL; var h: Foundation.UUID",
      ["a integer", "b integer?", "c real", "d text", "e real?", "f blob", "g text", "h text"]
    ),
    (
      "var tags: [String]; var owner: Owner?; var map: [String: Int]; var bytes: [UInt8]",
      ["tags blob archived", "owner blob archived?", "map blob archived", "bytes blob"]
    ),
    (
      "var order: Int; var `group`: String; var größe: Int",
      ["\"order\" integer", "\"group\" text", "\"größe\" integer"]
    ),
    ("var state: State; var kind: Kind?; var mode: Mode", ["state text", "kind integer?", "mode blob archived"]),
  ]

  @Test("Swift types become column types; reserved words are quoted", arguments: swift)
  func swiftTypes(body: String, expected: [String]) throws {
    let enumerations = "enum State: String { case a }\nenum Kind: Int { case a }\nenum Mode: Codable { case a(Int) }"
    #expect(try Self.columns(body, more: enumerations) == expected)
  }

  static let objectiveC: [(String, [String])] = [
    (
      "@property int a; @property unsigned long long b; @property BOOL c; @property CGFloat d; @property uint64_t e;",
      ["a integer", "b integer", "c integer", "d real", "e integer"]
    ),
    (
      "@property NSString *a; @property (nonnull) NSDate *b; @property NSData *c; @property NSNumber *d; @property NSURL *e;",
      ["a text?", "b real", "c blob?", "d numeric?", "e text?"]
    ),
    (
      "@property NSArray<User *> *a; @property User *b; @property CGRect c; @property id d;",
      ["a blob archived?", "b blob archived?", "c blob archived", "d blob archived?"]
    ),
    ("@property UserKind kind;", ["kind integer assumed"]),
  ]

  @Test("Objective-C types become column types", arguments: objectiveC)
  func objectiveCTypes(body: String, expected: [String]) throws {
    #expect(try Self.columns(body, file: "A.h") == expected)
  }

  @Test("what cannot be kept is left out with its reason")
  func omitted() throws {
    let table = try #require(
      try Self.tables(
        """
        class A {
          var id: Int
          var f: (Int) -> Void; weak var d: D?; lazy var l: Int = 1; var v: UIView; var t: (Int, Int); var u = make()
          @Transient var x: Int; var ID: Int; var p: UnsafePointer<Int>; static var s: Int; var c: Int { 1 }
        }
        """
      ).first)
    #expect(table.columns.map(\.property) == ["id"])
    #expect(
      table.omitted.map { "\($0.property) \($0.reason.rawValue)" } == [
        "f function", "d weak", "l lazy", "v live", "t shapeless", "u untyped", "x transient", "ID same_name",
        "p pointer",
      ])
    let other = try #require(
      try Self.tables(
        "@interface A : NSObject\n@property int a; @property void (^f)(int); @property (weak) id<D> d; @property SEL s; "
          + "@property UIView *v; @property void *p; @property Class c; @property CFStringRef r;\n@end", file: "A.h"
      ).first)
    #expect(other.omitted.map(\.reason) == [.function, .weak, .pointer, .live, .pointer, .shapeless, .pointer])
  }

  static let keys: [(String, String, String)] = [
    ("A", "var name: String; var id: Int", "id"), ("GHUser", "var groupID: Int; var userID: Int", "userID"),
    ("WeiboPicture", "var picID: String; var objectID: String", "picID"), ("Cart", "var owner_id: Int", "owner_id"),
    ("Cart", "var aID: Int; var bID: Int", "_id"), ("Cart", "var name: String", "_id"),
    ("Cart", "var id: [Int]; var uuid: String", "uuid"),
  ]

  @Test("the key is what looks like the identifier of the class, else a column of its own", arguments: keys)
  func key(name: String, body: String, expected: String) throws {
    #expect(try Self.tables("struct \(name) { \(body) }").first?.keyName == expected)
  }

  @Test("inherited properties come first, those of class extensions last")
  func inherited() throws {
    let source = """
      @interface B : A
      @property int b;
      @end
      @interface A : NSObject
      @property int a;
      @end
      @interface B ()
      @property int c;
      @end
      """
    #expect(try Self.tables(source, file: "A.h", classes: ["B"]).first?.columns.map(\.property) == ["a", "b", "c"])
    #expect(try Self.tables("class A: B { var a: Int }\nclass B: A { var b: Int }").count == 2)
  }

  @Test("unknown classes, classes without columns and a name for many tables are errors")
  func errors() throws {
    let source = "class User { var id: Int }\nclass Empty {}\nclass Cart { var id: Int }"
    let missing = #expect(throws: GenerationError.self) { try Self.tables(source, classes: ["Usr"]) }
    #expect(missing?.code == .daoClassMissing)
    #expect(missing?.values["suggestion"] == "User")
    let empty = #expect(throws: GenerationError.self) { try Self.tables(source, classes: ["Empty"]) }
    #expect(empty?.code == .daoNoColumns)
    #expect(empty?.place == .text(file: "A.swift", line: 2, column: 7))
    let many = #expect(throws: GenerationError.self) { try Self.tables(source, table: "t") }
    #expect(many?.code == .daoTableName)
    #expect(try Self.tables(source).map(\.name) == ["user", "cart"])
    #expect(try Self.tables(source, classes: ["User"], table: "people").map(\.name) == ["people"])
  }

  @Test("table names are in snake case")
  func names() {
    let names = ["GHUser", "YYWeiboPictureMetadata", "Shop.Cart", "user", "A1B", "HTTPServer", "Order"].map(
      SQLName.table)
    #expect(
      names == ["gh_user", "yy_weibo_picture_metadata", "shop_cart", "user", "a1_b", "http_server", "order_table"])
  }

  @Test("a document tells whether it was changed")
  func untouched() throws {
    let table = try #require(try Self.tables("struct A { var id: Int }").first)
    let xml = DAODocument(table).xml
    #expect(DAODocument.isUntouched(Array(xml.utf8)))
    #expect(!DAODocument.isUntouched(Array(xml.replacing("select", with: "SELECT").utf8)))
    #expect(!DAODocument.isUntouched(Array("<module/>".utf8)))
    #expect(!DAODocument.isUntouched([]))
  }
}
