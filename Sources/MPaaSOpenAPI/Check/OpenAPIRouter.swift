/// Finds the operation that a request is for.
package struct OpenAPIRouter: Sendable {
  package enum Route: Sendable {
    /// The operation, and the values of the path's parameters as they stand there.
    case operation(OpenAPIOperation, values: [(name: String, value: Substring)])
    /// A path without the method, and the methods that it has.
    case otherMethods([String])
    case nothing
  }

  private struct Entry: Sendable {
    let template: PathTemplate
    let item: Int
  }

  private let items: [OpenAPIPathItem]
  /// By the number of segments, those first that tell more of the path.
  private var entries: [Int: [Entry]] = [:]
  private let exact: [String: Int]
  private let prefixes: [String]

  package init(_ document: OpenAPIDocument) {
    items = document.paths
    exact = Dictionary(items.enumerated().map { ($1.path, $0) }) { first, _ in first }
    for (index, item) in items.enumerated() {
      let template = PathTemplate(item.path)
      entries[template.segments.count, default: []].append(Entry(template: template, item: index))
    }
    for count in entries.keys {
      entries[count]?.sort { left, right in
        let (left, right) = (left.template.exactness, right.template.exactness)
        return right.lexicographicallyPrecedes(left)
      }
    }
    let servers = document.servers + document.paths.flatMap { $0.servers + $0.operations.flatMap(\.servers) }
    var prefixes: [String] = []
    for path in servers.map(\.path) where !path.isEmpty && !prefixes.contains(path) { prefixes.append(path) }
    self.prefixes = prefixes
  }

  /// Looks for a path as it is, then below the paths of the servers.
  package func route(_ method: String, _ path: String) -> Route {
    let found = find(method, path)
    if case .operation = found { return found }
    for prefix in prefixes where path.hasPrefix(prefix) {
      let rest = path.dropFirst(prefix.count)
      guard rest.isEmpty || rest.first == "/" else { continue }
      let below = find(method, rest.isEmpty ? "/" : String(rest))
      switch (below, found) {
      case (.operation, _), (.otherMethods, .nothing): return below
      default: continue
      }
    }
    return found
  }

  private func find(_ method: String, _ path: String) -> Route {
    var others: [String] = []
    if let index = exact[path] {
      if let operation = operation(method, of: items[index]) { return .operation(operation, values: []) }
      others += items[index].operations.map(\.method)
    }
    let segments = Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    for entry in entries[segments.count] ?? [] {
      guard let values = entry.template.match(segments) else { continue }
      if let operation = operation(method, of: items[entry.item]) { return .operation(operation, values: values) }
      others += items[entry.item].operations.map(\.method).filter { !others.contains($0) }
    }
    return others.isEmpty ? .nothing : .otherMethods(others)
  }

  private func operation(_ method: String, of item: OpenAPIPathItem) -> OpenAPIOperation? {
    item.operations.first { $0.method == method }
  }
}
