import Foundation
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

/// The JSON-Schema-Test-Suite's verdicts on what schemas are compiled to; `scripts/model-suite` tries the same in Swift.
@Suite("Compiled schemas") struct SchemaSuiteTests {
  /// The groups that speak of what is not among the files, or of numbers that no type has.
  private static let leftOut = [
    "remote ref, containing refs itself", "validate definition against metaschema", "$ref to ", "float-overflow",
    "$dynamicRef",
  ]

  struct Instance {
    let group: String
    let name: String
    let value: JSONValue
    let isValid: Bool
  }

  /// The schemas of a draft with the instances that are tried on each.
  private static func groups(_ draft: String) throws -> [(file: String, schema: JSONNode, instances: [Instance])] {
    let folder = try Fixture.path("project/jsonschema/" + draft)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    return try names.flatMap { name -> [(String, JSONNode, [Instance])] in
      let source = try JSONSource([UInt8](Data(contentsOf: URL(filePath: folder + "/" + name))), file: name)
      return (source.root.elements ?? []).compactMap { group -> (String, JSONNode, [Instance])? in
        let title = name + ": " + (group["description"]?.string ?? "")
        guard let schema = group["schema"], !leftOut.contains(where: { title.contains($0) }) else { return nil }
        let instances = (group["tests"]?.elements ?? []).map { test in
          Instance(
            group: title, name: test["description"]?.string ?? "", value: test["data"]?.value ?? .null,
            isValid: test["valid"]?.bool ?? false)
        }
        return (name, schema, instances)
      }
    }
  }

  private func compile(_ schema: JSONNode) throws -> ModelJudge {
    let options = SchemaCompiler.Options(checksFormats: false, isOneOfExact: true)
    let source = JSONSource(file: "root.json", root: schema)
    return ModelJudge(try SchemaCompiler.compile([source], names: ["Root"], options: options))
  }

  @Test(
    "allow and refuse each instance of the JSON-Schema-Test-Suite as it says, and their types take what is allowed",
    .fixtures, arguments: ["draft7", "draft2020-12"])
  func verdicts(draft: String) throws {
    var failures: [String] = []
    var count = 0
    for (file, schema, instances) in try Self.groups(draft) where file != "vocabulary.json" {
      guard let judge = try? compile(schema) else {
        failures.append("not compiled: \(instances.first?.group ?? file)")
        continue
      }
      for instance in instances {
        count += 1
        let what = "\(instance.group): \(instance.name)"
        if judge.allows(instance.value, as: "Root") != instance.isValid { failures.append(what) }
        if instance.isValid, !judge.takes(instance.value, as: .named("Root")) { failures.append("type: \(what)") }
      }
    }
    #expect(failures == [])
    #expect(count > 600)
  }

  @Test(
    "of quicktype allow the samples that are right, refuse those that are not, and have types for the first", .fixtures)
  func quicktype() throws {
    let folder = try Fixture.path("project/quicktype/schema")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var failures: [String] = []
    // The formats of texts are checked by the generated code alone.
    let formats = ["date-time.schema", "uuid.schema"]
    for file in names where file.hasSuffix(".schema") && !formats.contains(file) {
      let path = folder + "/" + file
      let schema = try JSONSource([UInt8](Data(contentsOf: URL(filePath: path))), file: path)
      let judge = ModelJudge(try SchemaCompiler.compile([schema], names: ["Root"]))
      let stem = file.dropLast("schema".count)
      for sample in names where sample.hasPrefix(stem) && sample.hasSuffix(".json") {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + sample)))
        let value = try JSONSource(bytes, file: sample).root.value
        let isGood = !sample.contains(".fail.")
        let isTaken = judge.takes(value, as: .named("Root"))
        if isGood != (judge.allows(value, as: "Root") && isTaken) { failures.append(sample) }
      }
    }
    #expect(failures == [])
  }

  @Test("mention only types that are declared, each by a name of its own, and functions that are there", .fixtures)
  func closed() throws {
    for draft in ["draft7", "draft2020-12"] {
      for (_, schema, instances) in try Self.groups(draft) {
        guard let set = try? compile(schema).set else { continue }
        let problems = ModelShape(set).problems
        #expect(problems == [], "\(instances.first?.group ?? "")")
      }
    }
  }
}
