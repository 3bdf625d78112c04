import MPaaSOpenAPI
import MPaaSSupport

/// The files of a description: one for client and server, one for each tag, and models where they are used.
struct OpenAPISources {
  struct File {
    let name: String
    let body: String
  }

  /// The most lines of a file of models: a compiler takes files one by one.
  private static let mostLines = 6_000

  private let plan: OpenAPIPlan
  private let compiled: SchemaCompiler.Compiled
  private let options: SwiftModelWriter.Options
  private let checks: SwiftCheckWriter

  init(_ plan: OpenAPIPlan, _ compiled: SchemaCompiler.Compiled, _ options: SwiftModelWriter.Options) {
    self.plan = plan
    self.compiled = compiled
    self.options = options
    checks = SwiftCheckWriter(compiled.set, others: compiled.uses.flatMap(\.checks), prefix: plan.name)
  }

  var files: [File] {
    var calls = SwiftCallsWriter(plan, options)
    var files: [File] = []
    let main = calls.main()
    if !main.isEmpty, main != "\n" { files.append(File(name: plan.name + "API.swift", body: main)) }
    for (group, operations) in groups {
      var body = calls.group(group, operations)
      var writer = SwiftOperationWriter(plan, compiled, checks, options)
      for operation in operations {
        writer.text.blank()
        writer.operation(operation)
      }
      body += (body.isEmpty ? "" : "\n") + writer.text.text
      files.append(File(name: "\(plan.name)API+\(group).swift", body: body))
    }
    return files + models
  }

  /// The tags in the order of the description, with their operations.
  private var groups: [(name: String, operations: [OpenAPIPlan.PlannedOperation])] {
    var places: [String: Int] = [:]
    var groups: [(name: String, operations: [OpenAPIPlan.PlannedOperation])] = []
    for operation in plan.operations {
      if let place = places[operation.group] {
        groups[place].operations.append(operation)
      } else {
        places[operation.group] = groups.count
        groups.append((operation.group, [operation]))
      }
    }
    return groups
  }

  // MARK: Models

  private var models: [File] {
    let places = places
    let declarations = Dictionary(grouping: compiled.set.declarations) { places[$0.name] ?? "" }
    let order = [""] + groups.map(\.name).filter { declarations[$0] != nil }
    var files: [File] = []
    let written = SwiftModelWriter.sources(
      compiled.set, order.flatMap { declarations[$0] ?? [] }.map { [$0] }, checks, options)
    var left = written.files[...]
    let shared = [aliases, written.shared].filter { !$0.isEmpty }.joined(separator: "\n")
    for group in order {
      let count = declarations[group]?.count ?? 0
      var parts = Self.chunks(left.prefix(count))
      left = left.dropFirst(count)
      if group.isEmpty, !shared.isEmpty {
        let last = parts.popLast()
        parts.append([last, shared].compactMap(\.self).joined(separator: "\n"))
      }
      for (index, part) in parts.enumerated() {
        let suffix = (group.isEmpty ? "" : "+" + group) + (index == 0 ? "" : "\(index + 1)")
        files.append(File(name: "\(plan.name)Models\(suffix).swift", body: part))
      }
    }
    return files
  }

  /// The texts in files, none of which is much longer than a compiler likes.
  static func chunks(_ sources: some Sequence<String>) -> [String] {
    var chunks: [String] = []
    var current: [String] = []
    var lines = 0
    for source in sources {
      let count = source.utf8.count { $0 == 0x0a }
      if lines + count > mostLines, !current.isEmpty {
        chunks.append(current.joined(separator: "\n"))
        (current, lines) = ([], 0)
      }
      current.append(source)
      lines += count
    }
    return current.isEmpty ? chunks : chunks + [current.joined(separator: "\n")]
  }

  /// Names of components whose types have names of their own in Swift: `Pets` is a list.
  private var aliases: String {
    let declared = Set(compiled.set.declarations.map(\.name))
    var text = SwiftText()
    for (root, use) in zip(plan.bundle.roots, compiled.uses) where root.isNamed && !declared.contains(root.name) {
      let access = options.access == .internal ? "" : options.access.rawValue + " "
      text.line("\(access)typealias \(root.name) = \(SwiftModelWriter.name(use.type, options.dates))")
    }
    return text.lines.isEmpty ? "" : text.text
  }

  /// The only group that uses a declaration; nothing for those that several use, or none.
  private var places: [String: String] {
    var users: [String: Set<String>] = [:]
    let mentioned = Dictionary(compiled.set.declarations.map { ($0.name, $0.mentioned) }) { first, _ in first }
    for (group, operations) in groups {
      var pending = operations.flatMap(roots).flatMap { compiled.uses[$0].type.names }
      var seen: Set<String> = []
      while let name = pending.popLast() {
        guard seen.insert(name).inserted else { continue }
        users[name, default: []].insert(group)
        pending += mentioned[name] ?? []
      }
    }
    return users.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  private func roots(_ operation: OpenAPIPlan.PlannedOperation) -> [Int] {
    func of(_ contents: [OpenAPIPlan.PlannedContent]) -> [Int] {
      contents.flatMap { [$0.root].compactMap(\.self) + $0.parts.compactMap(\.root) }
    }
    return operation.parameters.compactMap(\.value.root) + of(operation.body?.contents ?? [])
      + operation.responses.flatMap { of($0.contents) + $0.headers.compactMap(\.value.root) }
  }
}

extension ModelType {
  /// The declarations in it.
  fileprivate var names: [String] {
    switch self {
    case .named(let name): [name]
    case .array(let type), .map(let type), .nullable(let type): type.names
    default: []
    }
  }
}

extension ModelDeclaration {
  /// The declarations that its values may have in them.
  fileprivate var mentioned: [String] {
    switch kind {
    case .object(let object): object.properties.flatMap(\.type.names) + (object.rest?.names ?? [])
    case .tuple(let tuple): tuple.items.flatMap(\.type.names) + (tuple.rest?.names ?? [])
    case .value(let type): type.names
    case .union(let cases): cases.flatMap(\.type.names)
    case .enumeration: []
    }
  }
}
