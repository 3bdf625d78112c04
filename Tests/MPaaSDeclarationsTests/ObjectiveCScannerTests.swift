import Foundation
import MPaaSDeclarations
import MPaaSTestSupport
import Testing

@Suite("The scanner of Objective-C declarations") struct ObjectiveCScannerTests {
  static func scan(_ source: String) -> [TypeDeclaration] {
    DeclarationScanner.scan(Array(source.utf8), file: "A.h")
  }

  static func properties(_ body: String) -> [String] {
    scan("@interface A : NSObject\n\(body)\n@end").first?.properties.map { property in
      "\(property.name): \(property.type)\(property.isOptional ? "?" : "")"
    } ?? []
  }

  @Test("finds classes, categories and protocols, and passes over the rest")
  func kinds() throws {
    let source = """
      #import <Foundation/Foundation.h>
      #define MACRO @interface X1 : NSObject \\
        @end
      @class X2, X3; @protocol X4, X5;
      // @interface X6
      /* @interface X7 */
      static NSString *s = @"@interface X8"; char c = '"';
      extern "C" {
      typedef struct { int a; } S;
      @interface A<__covariant T> : NSObject <NSCoding, NSCopying> { @private int _ivar; NSString *_b; }
      - (void)run:(id<P>)x;
      @end
      }
      @interface A (Extra) <P> @property int x; @end
      @interface A () @end
      @protocol P <NSObject> @optional - (void)a; @property (nonatomic) BOOL on; @end
      NS_SWIFT_NAME(Q) @interface B : A
      @end
      @interface C <P>
      @end
      @implementation A { int z; } - (void)f { if (x) { @"}" ; } } @end
      @interface D : NSObject
      """
    let types = Self.scan(source)
    #expect(
      types.map { "\($0.kind.rawValue) \($0.name) \($0.inherited)" } == [
        "class A [\"NSObject\", \"NSCoding\", \"NSCopying\"]", "extension A [\"P\"]", "extension A []",
        "protocol P [\"NSObject\"]", "class B [\"A\"]", "class C [\"P\"]", "class D [\"NSObject\"]",
      ])
    let first = try #require(types.first)
    #expect(first.isGeneric)
    #expect(first.line == 10)
    #expect(first.column == 12)
    #expect(first.language == .objectiveC)
  }

  static let bodies: [(String, [String])] = [
    ("@property (nonatomic, copy) NSString *name;", ["name: NSString *?"]),
    ("@property (nonatomic, copy, nonnull) NSString *name; @property(nullable) id x;", ["name: NSString *", "x: id?"]),
    ("@property NSString * _Nonnull a; @property NSData * _Nullable b;", ["a: NSString *", "b: NSData *?"]),
    ("@property (nonatomic, assign) unsigned long long count;", ["count: unsigned long long"]),
    ("@property int a, b;\n@property NSString *c, *d;", ["a: int", "b: int", "c: NSString *?", "d: NSString *?"]),
    ("@property NSArray<NSDictionary<NSString *, id> *> *list;", ["list: NSArray<NSDictionary<NSString *, id> *> *?"]),
    ("@property (copy) void (^done)(BOOL, NSError *);", ["done: void (^)(BOOL, NSError *)?"]),
    (
      "@property (copy) void (^ _Nullable done)(BOOL);\n@property int (*compare)(id, id);",
      ["done: void (^)(BOOL)?", "compare: int (*)(id, id)?"]
    ),
    ("@property (weak) IBOutlet UIView *v;\n@property id<A, B> d;", ["v: UIView *?", "d: id<A, B>?"]),
    (
      "@property NSString *a API_AVAILABLE(ios(10.0));\n@property BOOL b NS_DEPRECATED_IOS(2_0, 3_0);\n@property int c UI_APPEARANCE_SELECTOR;",
      ["a: NSString *?", "b: BOOL", "c: int"]
    ),
    (
      "@property (nonatomic) CGRect frame; ///< a; b\n@property (getter=isOn) BOOL on; // x",
      ["frame: CGRect", "on: BOOL"]
    ),
    ("@property (nonatomic) int a\n@property int b;", ["a: int", "b: int"]),
    (
      "@property const char *bytes;\n@property NSUInteger MAX_COUNT;",
      ["bytes: const char *?", "MAX_COUNT: NSUInteger"]
    ),
  ]

  @Test("reads properties as they are written", arguments: bodies)
  func properties(body: String, expected: [String]) {
    #expect(Self.properties(body) == expected, "\(body)")
  }

  @Test("knows where objects are not nil by default, class properties and read-only ones")
  func regions() throws {
    let source = """
      NS_ASSUME_NONNULL_BEGIN
      @interface A : NSObject
      @property (class, readonly) A *shared;
      @property (nullable) NSString *b;
      @end
      NS_ASSUME_NONNULL_END
      @interface B : NSObject
      @property NSString *c;
      @end
      """
    let properties = Self.scan(source).flatMap(\.properties)
    #expect(properties.map(\.isOptional) == [false, true, true])
    #expect(properties.map(\.isStatic) == [true, false, false])
    #expect(properties.map(\.isConstant) == [true, false, false])
    #expect(properties.map(\.line) == [3, 4, 8])
  }

  @Test("finds every class and property of real headers", .fixtures)
  func fixtures() throws {
    let folder = try Fixture.path("project/class_decl")
    var types = 0
    var properties = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
      let found = DeclarationScanner.scan([UInt8](data), file: name)
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      let code = lines.filter { !$0.hasPrefix(" ") && !$0.hasPrefix("\t") }
      #expect(found.flatMap(\.properties).count == code.filter { $0.hasPrefix("@property") }.count, "\(name)")
      #expect(
        found.filter { $0.kind != .protocol }.count == code.filter { $0.hasPrefix("@interface") }.count, "\(name)")
      types += found.count
      properties += found.flatMap(\.properties).count
    }
    #expect(types > 35)
    #expect(properties > 700)
  }
}
