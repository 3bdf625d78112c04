import MPaaSJSON

/// Stubs of an environment of Mockoon, or of several in an older export.
struct MockoonImport {
  private var result = MockImport()

  static func read(_ root: JSONNode, file: String) throws(MockImportError) -> MockImport {
    var reader = MockoonImport()
    for environment in try environments(root, file) {
      guard let routes = environment["routes"]?.elements else {
        throw MockImportError.shape(environment, "routes", file)
      }
      reader.take(environment, routes)
    }
    return reader.result
  }

  private static func environments(_ root: JSONNode, _ file: String) throws(MockImportError) -> [JSONNode] {
    guard root["source"]?.string?.hasPrefix("mockoon") == true else { return [root] }
    let items = (root["data"]?.list ?? []).filter { $0["type"].text == "environment" }.compactMap { $0["item"] }
    guard !items.isEmpty else { throw MockImportError.shape(root, "data", file) }
    return items
  }

  private mutating func take(_ environment: JSONNode, _ routes: [JSONNode]) {
    let name = environment["name"].text ?? "environment"
    if environment["tlsOptions"]?["enabled"]?.bool == true { result.leaveOut(.feature, "tlsOptions", at: name) }
    if environment["callbacks"]?.list.isEmpty == false { result.leaveOut(.feature, "callbacks", at: name) }
    for route in routes where route["enabled"]?.bool != false {
      var reader = MockoonRoute(route, in: environment)
      reader.addStubs(to: &result)
    }
    guard environment["proxyMode"]?.bool == true, let host = environment["proxyHost"].text else { return }
    result.add(
      "\(name): all else", request: [("urlPattern", JSONNode(text: ".*")), ("method", JSONNode(text: "ANY"))],
      response: [("proxyBaseUrl", JSONNode(text: host))])
  }
}
