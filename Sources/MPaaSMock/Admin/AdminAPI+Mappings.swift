import MPaaSJSON

extension AdminAPI {
  func mappings(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    switch call.rest.first {
    case nil:
      if call.isGet { return Self.json(Self.document(library.stubs, call)) }
      if call.isPost { return try create(call) }
      guard call.isDelete else { return Self.empty(405) }
      library.removeAll()
      return Self.json(.members([]))
    case "reset" where call.isPost:
      try library.reset()
      return Self.json(.members([]))
    case "save" where call.isPost:
      if let trouble = gateway.save(library.stubs) { throw StubProblem("", trouble) }
      return Self.json(.members([]))
    case "import" where call.isPost: return try importStubs(call)
    case "find-by-metadata" where call.isPost:
      return Self.json(Self.document(library.stubs(whereMetadata: try ContentPattern(call.body())), nil))
    case "remove-by-metadata" where call.isPost:
      for stub in library.stubs(whereMetadata: try ContentPattern(call.body())) { library.remove(stub.id) }
      return Self.json(.members([]))
    case "remove" where call.isPost:
      let stub = try StubMapping(call.body())
      library.remove(stub.id)
      return Self.json(.members([]))
    case "unmatched":
      let used = Set(journal.entries.compactMap { $0.origin?.source == StubSource.word ? $0.origin?.id : nil })
      let unused = library.stubs.filter { !used.contains($0.id) }
      if call.isGet { return Self.json(Self.document(unused, nil)) }
      guard call.isDelete else { return Self.empty(405) }
      for stub in unused { library.remove(stub.id) }
      return Self.json(.members([]))
    case let id?: return try mapping(id, call)
    }
  }

  static func document(_ stubs: [StubMapping], _ call: AdminCall?) -> JSONNode {
    let offset = max(0, call?.query("offset").flatMap { Int($0) } ?? 0)
    let limit = max(0, call?.query("limit").flatMap { Int($0) } ?? .max)
    return .members([
      ("mappings", .list(stubs.dropFirst(offset).prefix(limit).map(\.document))),
      ("meta", .members([("total", .whole(stubs.count))])),
    ])
  }

  private func create(_ call: AdminCall) throws(StubProblem) -> MockAnswer {
    let stub = try library.add(StubMapping(call.body()))
    saveIfPersistent(stub)
    return Self.json(stub.document, status: 201)
  }

  private func saveIfPersistent(_ stub: StubMapping) {
    guard stub.isPersistent == true else { return }
    _ = gateway.save([stub])
  }

  private func mapping(_ id: String, _ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    guard let known = library.stub(id) else { return Self.empty(404) }
    if call.isGet { return Self.json(known.document) }
    if call.isPut {
      var stub = try StubMapping(call.body())
      stub.id = id
      return Self.json(try library.add(stub).document)
    }
    guard call.isDelete else { return Self.empty(405) }
    library.remove(id)
    return Self.json(.members([]))
  }

  private func importStubs(_ call: AdminCall) throws(StubProblem) -> MockAnswer {
    let body = try call.body()
    let stubs = try StubMapping.list(body.node)
    let policy = try body["importOptions"]?.text("duplicatePolicy") ?? "OVERWRITE"
    let isIgnored = policy == "IGNORE"
    try library.add(isIgnored ? stubs.filter { $0.id.isEmpty || library.stub($0.id) == nil } : stubs)
    if try body["importOptions"]?.flag("deleteAllNotInImport") ?? false {
      let kept = Set(stubs.map(\.id))
      for stub in library.stubs where !kept.contains(stub.id) { library.remove(stub.id) }
    }
    return Self.json(.members([]))
  }
}
