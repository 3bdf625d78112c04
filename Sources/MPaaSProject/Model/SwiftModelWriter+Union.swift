import MPaaSSupport

extension SwiftModelWriter {
  /// An enumeration with a value in each case.
  mutating func write(_ cases: [ModelCase], _ declaration: ModelDeclaration) {
    let access = access
    line("indirect enum \(declaration.name): JSONModel {", isIndirect: cases.contains { $0.type.isNamed })
    edit { writer in
      for item in cases {
        writer.text.line(
          "case \(SwiftSpelling.member(item.name))" + (item.type == .null ? "" : "(\(writer.name(item.type)))"))
      }
      writer.choosing(cases)
      writer.text.blank()
      writer.text.block("\(access)var jsonValue: JSONValue") { text in
        text.line("switch self {")
        for item in cases {
          let name = SwiftSpelling.member(item.name)
          text.line(item.type == .null ? "case .\(name): .null" : "case .\(name)(let value): value.jsonValue")
        }
        text.line("}")
      }
      writer.checks(declaration)
    }
    text.line("}")
  }

  private mutating func line(_ line: String, isIndirect: Bool) {
    text.line(access + (isIndirect ? line : String(line.dropFirst("indirect ".count))))
  }

  /// The initialiser that picks the first case that the JSON fits.
  private mutating func choosing(_ cases: [ModelCase]) {
    let groups = Self.groups(cases)
    let checks = checkWriter
    let names = cases.map { name($0.type) }
    text.blank()
    text.block("\(access)init(jsonValue json: JSONValue) throws") { text in
      text.line("switch json.kind {")
      for group in groups {
        text.line("case " + group.kinds.sorted().map { ".\($0.rawValue)" }.joined(separator: ", ") + ":")
        text.indented { text in
          for index in group.cases.dropLast() {
            Self.attempt(cases[index], names[index], checks, &text)
          }
          if let last = group.cases.last {
            text.line("self = " + Self.made(cases[last], names[last]))
          }
        }
      }
      if Set(groups.flatMap(\.kinds)).count < ModelKind.allCases.count {
        text.line("default: throw JSONProblem(\"is of no permitted type\")")
      }
      text.line("}")
    }
  }

  private static func made(_ item: ModelCase, _ type: String) -> String {
    let name = SwiftSpelling.member(item.name)
    return item.type == .null ? ".\(name)" : ".\(name)(try \(type)(jsonValue: json))"
  }

  private static func attempt(_ item: ModelCase, _ type: String, _ checks: SwiftCheckWriter, _ text: inout SwiftText) {
    let name = SwiftSpelling.member(item.name)
    let closure = checks.reference(item.checks)
    if let closure {
      text.line("if let value = JSONReport.value(json, of: \(type).self, \(closure)) {")
    } else {
      text.line("let \(name)Checks: JSONReport.Checks = { json, report in")
      text.indented { checks.statements(item.checks, to: &$0) }
      text.line("}")
      text.line("if let value = JSONReport.value(json, of: \(type).self, \(name)Checks) {")
    }
    text.indented { text in
      text.line("self = .\(name)(value)")
      text.line("return")
    }
    text.line("}")
  }

  /// The kinds that have the same cases, with those cases.
  private static func groups(_ cases: [ModelCase]) -> [(kinds: [ModelKind], cases: [Int])] {
    var groups: [(kinds: [ModelKind], cases: [Int])] = []
    for kind in ModelKind.allCases {
      let fitting = cases.indices.filter { cases[$0].kinds.contains(kind) }
      guard !fitting.isEmpty else { continue }
      if let index = groups.firstIndex(where: { $0.cases == fitting }) {
        groups[index].kinds.append(kind)
      } else {
        groups.append(([kind], fitting))
      }
    }
    return groups
  }
}

extension ModelType {
  /// Tells whether a declaration is inside it without an array or a map between.
  var isNamed: Bool {
    switch self {
    case .named: true
    case .nullable(let type): type.isNamed
    default: false
    }
  }
}
