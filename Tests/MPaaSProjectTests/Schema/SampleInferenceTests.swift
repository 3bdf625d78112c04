import Foundation
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Models of samples") struct SampleInferenceTests {
  private func result(_ samples: [JSONValue], maps: SampleMaps = SampleMaps()) throws -> ModelGeneration.Result {
    var generation = ModelGeneration()
    generation.name = "Root"
    generation.input = .sample
    generation.support = .none
    generation.maps = maps
    return try generation.run(samples.enumerated().map { ("\($0.offset).json", Array($0.element.line.utf8)) })
  }

  private func root(_ samples: JSONValue...) throws -> [String: ModelProperty] {
    guard case .object(let object) = try result(samples).set["Root"]?.kind else { return [:] }
    return Dictionary(uniqueKeysWithValues: object.properties.map { ($0.jsonName, $0) })
  }

  @Test("take each sample and allow it, whatever it has for names and kinds; their names are their own")
  func samples() throws {
    var random = RandomJSON(seed: 21)
    for round in 0..<SeededRandom.rounds(or: 150) {
      let first = random.object(depth: 3)
      let samples = [first] + (0..<round % 4).map { _ in random.variation(of: first, depth: 3) }
      let set = try result(samples).set
      let judge = ModelJudge(set)
      #expect(ModelShape(set).problems == [], "round \(round): \(first.line)")
      for sample in samples {
        #expect(judge.allows(sample, as: "Root"), "round \(round): \(sample.line)")
        #expect(judge.takes(sample, as: .named("Root")), "round \(round): \(sample.line)")
      }
    }
  }

  @Test("take the documents of quicktype that they were made of", .fixtures)
  func quicktype() throws {
    for (name, value) in try QuicktypeSamples.all() {
      let set = try result([value]).set
      #expect(ModelShape(set).problems == [], "\(name)")
      #expect(ModelJudge(set).takes(value, as: .named("Root")), "\(name)")
      #expect(ModelJudge(set).allows(value, as: "Root"), "\(name)")
    }
  }

  @Test("say the same of samples in another order")
  func order() throws {
    var random = RandomJSON(seed: 22)
    for _ in 0..<SeededRandom.rounds(or: 80) {
      let first = random.object(depth: 2)
      let samples = [first, random.variation(of: first, depth: 2), random.variation(of: first, depth: 2)]
      func schema(_ samples: [JSONValue]) throws -> String {
        let nodes = try samples.map { try JSONSource(Array($0.line.utf8), file: "s").root }
        return Self.sorted(SampleSchema.schema(of: nodes).schema.value).line
      }
      #expect(try schema(samples) == schema(samples.reversed()), "\(samples.map(\.line))")
    }
  }

  /// The schema with the lists whose order says nothing in order.
  private static func sorted(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .array(let values): .array(values.map(sorted).sorted { $0.line < $1.line })
    case .object(let members): .object(members.mapValues(sorted))
    default: schema
    }
  }

  @Test(
    "have the narrowest type for what a member was in two samples",
    arguments: [
      (1, 2, ModelType.integer(.int)), (1, .number(2.5), .number), (.unsigned(.max), 1, .number),
      (true, false, .boolean),
      ("a", "b", .string(.plain)), ("2026-03-01", "2026-03-02", .string(.date)),
      ("2026-03-01", "2026-03-02T10:00:00Z", .string(.plain)), ("2026-03-01", "soon", .string(.plain)),
      (.null, .null, .any), (.null, 1, .nullable(.integer(.int))), ("a", .null, .nullable(.string(.plain))),
      ([], [], .array(.any)), ([], [1], .array(.integer(.int))), ([1], [.null], .array(.nullable(.integer(.int)))),
      ([1], [.number(0.5)], .array(.number)), ([[1]], [["a"]], .array(.array(.named("M")))),
      ([[]], [[true]], .array(.array(.boolean))),
    ] as [(JSONValue, JSONValue, ModelType)])
  func narrowest(first: JSONValue, second: JSONValue, type: ModelType) throws {
    for samples in [[first, second], [second, first]] {
      let member = try #require(try root(["m": samples[0]], ["m": samples[1]])["m"])
      #expect(member.isRequired)
      guard case .array(.array(.named)) = type else {
        #expect(member.type == type)
        continue
      }
      guard case .array(.array(.named)) = member.type else {
        Issue.record("\(member.type)")
        return
      }
    }
  }

  @Test("have optional members where one sample lacks them, at every depth")
  func optional() throws {
    let set = try result([["a": [["x": 1, "y": 1], ["x": 2]]], ["a": [["x": 3, "y": .null]], "b": 1]]).set
    guard case .object(let root)? = set["Root"]?.kind, case .object(let element)? = set.declarations.last?.kind
    else {
      Issue.record("\(set)")
      return
    }
    #expect(root.properties.map(\.isRequired) == [true, false])
    #expect(element.properties.map(\.isRequired) == [true, false])
    #expect(element.properties.map(\.type) == [.integer(.int), .nullable(.integer(.int))])
  }

  @Test("of a document that is no object hold its value", arguments: ["1", "\"x\"", "null", "[]", "[1, null]", "true"])
  func others(text: String) throws {
    let value = try JSONSource(Array(text.utf8), file: "s").root.value
    let set = try result([value]).set
    #expect(set.declarations.first?.name == "Root")
    #expect(ModelJudge(set).takes(value, as: .named("Root")))
  }

  @Test("refuse a path that meets no object, and take one that does, with what it says")
  func maps() throws {
    let sample: JSONValue = ["a": ["x": ["n": 1], "y": ["n": 2]], "list": [["k": 1], ["l": 2]]]
    let maps = SampleMaps(maps: ["/a", "/list/*"])
    guard case .object(let object)? = try result([sample], maps: maps).set["Root"]?.kind else { return }
    #expect(object.properties.map(\.type) == [.map(.named("AValue")), .array(.map(.integer(.int)))])
    for path in ["/b", "/a/x/n", "/list", "a", "/A"] {
      #expect(throws: GenerationError(.samplePath, ["path": path], at: .file("0.json"))) {
        try result([sample], maps: SampleMaps(maps: [path]))
      }
    }
  }

  @Test("of a thousand members, and of a list of ten thousand values, are made")
  func large() throws {
    let wide = JSONValue.object(
      Dictionary(uniqueKeysWithValues: (0..<1000).map { ("member\($0)x", $0 % 2 == 0 ? JSONValue($0) : "a") }))
    guard case .object(let object)? = try result([wide]).set["Root"]?.kind else {
      Issue.record("no object")
      return
    }
    #expect(object.properties.count == 1000)
    let long = JSONValue.array((0..<10_000).map { JSONValue($0) } + [.null])
    #expect(try result([long]).set["Root"]?.kind == .value(.array(.nullable(.integer(.int)))))
  }
}

/// The JSON documents of quicktype among the fixtures that are small enough for every run.
enum QuicktypeSamples {
  static func all() throws -> [(name: String, value: JSONValue)] {
    let folder = try Fixture.path("project/quicktype/json")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    return try names.compactMap { name in
      let bytes = [UInt8](try Fixture.data("project/quicktype/json/" + name))
      guard bytes.count < 60_000 else { return nil }
      return (name, try JSONSource(bytes, file: name).root.value)
    }
  }
}
