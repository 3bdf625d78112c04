import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Equal types") struct ModelMergingTests {
  private func object(_ name: String, _ members: [(String, ModelType)], documentation: [String] = [])
    -> ModelDeclaration
  {
    ModelDeclaration(
      name,
      .object(ModelObject(members.map { ModelProperty($0.0, name: $0.0, type: $0.1, isRequired: true) })),
      documentation: documentation)
  }

  private func names(_ set: ModelSet, taken: Set<String> = []) -> [String] {
    set.mergingEqualTypes(taken: taken).declarations.map(\.name)
  }

  @Test(
    "are called by the words that they end with, else by those that they begin with, else by the first",
    arguments: [
      (["BillingAddress", "ShippingAddress"], "Address"), (["OrderItem", "OrderPart"], "Order"),
      (["Alpha", "Beta"], "Alpha"), (["ItemA2", "ItemA3"], "ItemA"), (["收货地址", "账单地址"], "收货地址"),
      (["HomeURL", "WorkURL"], "Url"), (["Point2", "Point3", "Point"], "Point"),
    ])
  func common(old: [String], name: String) {
    let set = ModelSet([object("Root", [("r", .any)])] + old.map { object($0, [("x", .number)]) })
    #expect(names(set) == ["Root", name])
  }

  @Test("never take a name that something else has, or that may not be taken")
  func taken() {
    let pair = [object("BigBox", [("x", .number)]), object("SmallBox", [("x", .number)])]
    let other = object("Box", [("y", .number)])
    #expect(names(ModelSet([object("Root", [])] + pair + [other])) == ["Root", "Box2", "Box"])
    #expect(names(ModelSet([object("Root", [])] + pair), taken: ["Box"]) == ["Root", "Box2"])
    // The names of those that go are free.
    #expect(names(ModelSet([object("Root", [])] + [object("Box", [("x", .number)]), pair[0]])) == ["Root", "Box"])
  }

  @Test("as the document is are called as the document")
  func root() throws {
    let set = ModelSet([
      object("Root", [("a", .named("Inner"))]), object("Inner", [("b", .number)]),
      object("Last", [("a", .named("Inner"))]),
    ])
    #expect(names(set) == ["Root", "Inner"])
  }

  @Test("make others equal that mention them, and what they say is equal whatever is told of it")
  func again() {
    let set = ModelSet([
      object("Root", [("l", .named("LeftPair")), ("r", .named("RightPair"))]),
      object("LeftPair", [("a", .array(.named("LeftPoint")))], documentation: ["Left."]),
      object("LeftPoint", [("x", .number)]),
      object("RightPair", [("a", .array(.named("RightPoint")))]), object("RightPoint", [("x", .number)]),
    ])
    let merged = set.mergingEqualTypes(taken: [])
    #expect(merged.declarations.map(\.name) == ["Root", "Pair", "Point"])
    #expect(
      merged["Root"]?.kind
        == .object(
          ModelObject([
            ModelProperty("l", name: "l", type: .named("Pair"), isRequired: true),
            ModelProperty("r", name: "r", type: .named("Pair"), isRequired: true),
          ])))
    #expect(merged["Pair"]?.documentation == ["Left."])
    #expect(ModelShape(merged).problems == [])
  }

  @Test("differ by optionality, order of members, checks and the rest")
  func different() {
    let plain = object("A", [("x", .number), ("y", .number)])
    var optional = object("B", [("x", .number), ("y", .number)])
    if case .object(var inner) = optional.kind {
      inner.properties[0].isRequired = false
      optional.kind = .object(inner)
    }
    let swapped = object("C", [("y", .number), ("x", .number)])
    var checked = object("D", [("x", .number), ("y", .number)])
    checked.checks = [.kinds([.object])]
    var open = object("E", [("x", .number), ("y", .number)])
    if case .object(var inner) = open.kind {
      inner.rest = .any
      open.kind = .object(inner)
    }
    let set = ModelSet([object("Root", []), plain, optional, swapped, checked, open])
    #expect(names(set) == ["Root", "A", "B", "C", "D", "E"])
  }

  @Test("are renamed wherever they are mentioned: in types, unions, tuples and checks")
  func mentions() {
    let point = ModelType.named("RightPoint")
    let checks: [ModelCheck] = [
      .any([[.declaration("RightPoint")], [.not([.declaration("LeftPoint")])]]),
      .members(
        ModelMembers(
          named: [.init("a", [.declaration("RightPoint")])], patterns: [.init("b", [.declaration("RightPoint")])],
          rest: [.scope([.declaration("RightPoint")])])),
      .elements(first: [[.declaration("RightPoint")]], rest: [.declaration("RightPoint")]),
      .conditional([.declaration("RightPoint")], then: [.declaration("LeftPoint")], otherwise: []),
      .contains([.declaration("RightPoint")], least: 1, most: nil), .dependent(on: "x", [.declaration("RightPoint")]),
      .exactlyOne([[.declaration("RightPoint")]]), .memberNames([.declaration("RightPoint")]),
      .unevaluatedMembers([.declaration("RightPoint")]), .unevaluatedElements([.declaration("RightPoint")]),
    ]
    let set = ModelSet(
      [
        ModelDeclaration(
          "Root",
          .union([
            ModelCase("a", .array(point), kinds: [.array], checks: checks),
            ModelCase("b", .nullable(.map(point)), kinds: [.object]),
          ]),
          checks: checks),
        ModelDeclaration(
          "Pair", .tuple(ModelTuple([ModelProperty("0", name: "element0", type: point, isRequired: true)], rest: point))
        ),
        ModelDeclaration("Holder", .object(ModelObject([], rest: point))),
        ModelDeclaration("Wrapped", .value(.array(point))),
        object("LeftPoint", [("x", .number)]), object("RightPoint", [("x", .number)]),
      ], functions: [ModelFunction("f", checks)])
    let merged = set.mergingEqualTypes(taken: [])
    #expect(merged.declarations.map(\.name) == ["Root", "Pair", "Holder", "Wrapped", "Point"])
    #expect(ModelShape(merged).problems == [])
    #expect(!"\(merged)".contains("RightPoint"))
    #expect(!"\(merged)".contains("LeftPoint"))
  }

  @Test("of any document are one, and take what the several took")
  func random() throws {
    var random = RandomJSON(seed: 23)
    for round in 0..<SeededRandom.rounds(or: 120) {
      let value = random.object(depth: 3)
      let node = try JSONSource(Array(value.line.utf8), file: "s").root
      let schema = JSONSource(file: "s", root: SampleSchema.schema(of: [node]).schema)
      let set = try SchemaCompiler.compile([schema], names: ["Root"])
      let merged = set.mergingEqualTypes(taken: SwiftSpelling.reservedTypes)
      #expect(ModelShape(merged).problems == [], "round \(round)")
      #expect(merged.mergingEqualTypes(taken: SwiftSpelling.reservedTypes) == merged, "round \(round)")
      #expect(ModelJudge(merged).takes(value, as: .named("Root")), "round \(round): \(value.line)")
      #expect(ModelJudge(merged).allows(value, as: "Root"), "round \(round): \(value.line)")
      #expect(merged.declarations.first?.name == set.declarations.first?.name)
    }
  }
}
