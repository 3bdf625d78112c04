import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport

/// Looks for what the specification's objects allow and no server could do.
struct OpenAPIMeaningCheck {
  let document: OpenAPIDocument
  private(set) var findings: [OpenAPIFinding] = []
  private var schemas: OpenAPISchemas

  init(_ document: OpenAPIDocument) {
    self.document = document
    schemas = OpenAPISchemas(document.library, document.version)
  }

  mutating func run() {
    findings += document.faults.map { OpenAPIFinding(severity: .error, error: $0, pointer: "") }
    schemas.compileAll()
    findings += schemas.findings
    checkOperations()
    checkPaths()
    checkSecurity()
    checkExamples()
    checkUnused()
  }

  private mutating func add(
    _ code: OpenAPIError.Code, _ values: [String: String], _ node: JSONNode, _ location: OpenAPILocation,
    _ severity: OpenAPIFinding.Severity = .error
  ) {
    let place = document.library.place(node, in: location.file)
    findings.append(
      OpenAPIFinding(severity: severity, error: OpenAPIError(code, values, at: place), pointer: location.pointer))
  }

  // MARK: Operations and paths

  private mutating func checkOperations() {
    var ids: [String: OpenAPIOperation] = [:]
    for operation in document.operations {
      guard let id = operation.id, let node = operation.node["operationId"] else { continue }
      if let first = ids[id], first.location != operation.location {
        let values = ["id": id, "first": "\(first.method) \(first.path)"]
        add(.lintOperationTwice, values, node, operation.location["operationId"])
      }
      ids[id] = operation
    }
  }

  private mutating func checkPaths() {
    for item in document.paths {
      let names = PathTemplate(item.path).names
      for operation in item.operations {
        let given = operation.parameters.filter { $0.place == .path }
        for name in names where !given.contains(where: { $0.name == name }) {
          let values = ["parameter": name, "path": item.path, "method": operation.method]
          add(.lintParameterMissing, values, operation.node, operation.location)
        }
        for parameter in given where !names.contains(parameter.name) {
          add(
            .lintParameterUnused, ["parameter": parameter.name, "path": item.path], parameter.node, parameter.location)
        }
        checkTwice(operation)
      }
    }
    checkAmbiguous()
  }

  private mutating func checkTwice(_ operation: OpenAPIOperation) {
    var seen: Set<String> = []
    for parameter in operation.parameters {
      let name = parameter.place == .header ? parameter.name.lowercased() : parameter.name
      guard !seen.insert(parameter.place.rawValue + ":" + name).inserted else { continue }
      let values = ["parameter": parameter.name, "place": parameter.place.rawValue]
      add(.lintParameterTwice, values, parameter.node, parameter.location)
    }
  }

  /// Paths that differ in the names of their parameters only.
  private mutating func checkAmbiguous() {
    var shapes: [String: String] = [:]
    for item in document.paths {
      let shape = PathTemplate(item.path).shape
      if let first = shapes[shape] {
        add(.lintPathAmbiguous, ["path": item.path, "first": first], item.node, item.location)
      }
      shapes[shape] = shapes[shape] ?? item.path
    }
  }

  private mutating func checkSecurity() {
    let names = Set(document.components.securitySchemes.map(\.name))
    let groups =
      [(document.security ?? [], document.source.root["security"], OpenAPILocation.root["security"])]
      + document.operations.map { ($0.security ?? [], $0.node["security"], $0.location["security"]) }
    for (requirements, node, location) in groups {
      guard let node else { continue }
      for scheme in requirements.flatMap(\.schemes) where !names.contains(scheme.name) {
        var values = ["scheme": scheme.name]
        values["suggestion"] = closestMatch(to: scheme.name, among: names.sorted())
        add(.lintScheme, values, node, location)
      }
    }
  }

  // MARK: Examples

  private mutating func checkExamples() {
    for operation in document.operations {
      for parameter in operation.parameters {
        checkExamples(parameter.value.examples, parameter.value.schema, parameter.location, .request)
      }
      for media in operation.requestBody?.content ?? [] {
        checkExamples(media.examples, media.schema, media.location, .request)
      }
      for response in operation.responses {
        for media in response.content { checkExamples(media.examples, media.schema, media.location, .response) }
      }
    }
    checkSchemaExamples()
  }

  private mutating func checkExamples(
    _ examples: [OpenAPIExample], _ schema: OpenAPISchema?, _ location: OpenAPILocation,
    _ direction: SchemaValidator.Direction
  ) {
    guard let schema, let index = schemas.index(of: schema) else { return }
    for example in examples {
      guard let value = example.value else { continue }
      checkExample(value, index, OpenAPILocation(file: example.file, path: location.path), example.name, direction)
    }
  }

  private mutating func checkExample(
    _ value: JSONNode, _ index: Int, _ location: OpenAPILocation, _ name: String,
    _ direction: SchemaValidator.Direction
  ) {
    // By the specification data, by many a tool a reference; whether it is right cannot be told.
    if value.members?.count == 1, value["$ref"]?.string != nil { return }
    guard let first = schemas.validator.violations(of: value, by: index, direction).first else { return }
    let values = ["example": name.isEmpty ? "example" : name, "at": first.pointer, "reason": first.message]
    add(.lintExample, values, value, location)
  }

  /// Examples inside of schemas.
  private mutating func checkSchemaExamples() {
    for (name, schema) in document.components.schemas {
      guard let index = schemas.index(of: schema) else { continue }
      if let example = schema.node["example"] { checkExample(example, index, schema.location, name, .any) }
      for example in schema.node["examples"]?.elements ?? [] {
        checkExample(example, index, schema.location, name, .any)
      }
    }
  }

  // MARK: Unused components

  private mutating func checkUnused() {
    var used: Set<OpenAPILocation> = []
    for (file, part) in document.library.documents.enumerated() {
      ReferenceWalk.references(in: part.source.root) { reference in
        guard let target = document.library.target(of: reference.string ?? "", from: file) else { return }
        if target.path.count >= 3 {
          used.insert(OpenAPILocation(file: target.file, path: Array(target.path.prefix(3))))
        }
      }
    }
    let mapped = Set(discriminatorNames())
    for kind in document.source.root["components"]?.members ?? [] {
      guard kind.name != "securitySchemes", !kind.name.hasPrefix("x-") else { continue }
      for member in kind.value.members ?? [] {
        let location = OpenAPILocation.root["components", kind.name, member.name]
        guard !used.contains(location), !(kind.name == "schemas" && mapped.contains(member.name)) else { continue }
        add(.lintUnused, ["kind": kind.name, "name": member.name], member.value, location, .warning)
      }
    }
  }

  /// Schemas that a discriminator names without a reference.
  private func discriminatorNames() -> [String] {
    document.components.schemas.flatMap { _, schema in
      (schema.node["discriminator"]?["mapping"]?.members ?? []).compactMap { member in
        member.value.string.flatMap { $0.split(separator: "/").last.map(String.init) }
      }
    }
  }
}
