import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Schemas made at random") struct RandomSchemaTests {
  private func compile(_ schema: JSONValue) throws(GenerationError) -> ModelSet {
    let source = try JSONSource(Array(schema.line.utf8), file: "root.json")
    return try SchemaCompiler.compile([source], names: ["Root"])
  }

  @Test("give types whose names are their own and lead somewhere, and whose circles are marked")
  func shape() throws {
    var random = RandomJSON(seed: 31)
    var made = 0
    for round in 0..<SeededRandom.rounds(or: 150) {
      let schema = random.schemaDocument()
      guard let set = try? compile(schema) else { continue }
      made += 1
      #expect(ModelShape(set).problems == [], "round \(round): \(schema.line)")
    }
    #expect(made > 60)
  }

  @Test("give types that take all that the checks allow")
  func never() throws {
    var random = RandomJSON(seed: 32)
    var allowed = 0
    for round in 0..<SeededRandom.rounds(or: 150) {
      let schema = random.schemaDocument()
      guard let set = try? compile(schema) else { continue }
      let judge = ModelJudge(set)
      for _ in 0..<20 {
        let instance = random.instance(depth: 3)
        guard judge.allows(instance, as: "Root") else { continue }
        allowed += 1
        #expect(judge.takes(instance, as: .named("Root")), "round \(round): \(instance.line) in \(schema.line)")
      }
    }
    #expect(allowed > 100)
  }

  @Test("are refused only with a code that speaks of schemas, and a place in the file")
  func refusals() throws {
    var random = RandomJSON(seed: 33)
    for _ in 0..<SeededRandom.rounds(or: 100) {
      let schema = random.schemaDocument()
      do throws(GenerationError) {
        _ = try compile(schema)
      } catch {
        #expect(error.code.id.name.hasPrefix("schema-"), "\(error): \(schema.line)")
        #expect(error.place?.description.hasPrefix("root.json:1:") == true, "\(error)")
      }
    }
  }

  @Test("give the same types again, as Swift and as Objective-C")
  func same() throws {
    var random = RandomJSON(seed: 34)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      let schema = random.schemaDocument()
      guard let set = try? compile(schema) else { continue }
      #expect(try compile(schema) == set)
      #expect(SwiftModelWriter.source(set) == SwiftModelWriter.source(set))
      let writer = ObjectiveCModelWriter(set, .init(prefix: "X", file: "Root"))
      #expect(writer.header == writer.header)
      #expect(writer.implementation == writer.implementation)
    }
  }
}
