import MPaaSJSON
import MPaaSJSONSchema
import MPaaSLock

/// A mock that remembers: what was posted is found by the next GET, until it is deleted.
///
/// `POST /pets` makes `/pets/ID`; `PUT` and `PATCH` change it, `GET /pets` lists all of them where the description has a
/// list there. Requests that the description refuses, and answers that are no JSON, change nothing.
package final class OpenAPIStateMock: Sendable {
  /// The most things that are remembered; the oldest are forgotten first.
  package static let mostItems = 10_000

  package let mock: OpenAPIMock
  private let state = Lock(State())

  private struct State: Sendable {
    /// By path; nil for what was deleted.
    var items: [String: JSONNode?] = [:]
    /// Paths in the order in which they were made.
    var order: [String] = []
    var nextID = 1

    mutating func set(_ path: String, _ value: JSONNode?) {
      if items.updateValue(value, forKey: path) == nil { order.append(path) }
      guard order.count > OpenAPIStateMock.mostItems else { return }
      items.removeValue(forKey: order.removeFirst())
    }

    /// The items right below a path.
    func list(_ path: String) -> [JSONNode]? {
      let prefix = path + "/"
      let below = order.filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
      return below.isEmpty ? nil : below.compactMap { items[$0] ?? nil }
    }
  }

  package init(_ mock: OpenAPIMock) {
    self.mock = mock
  }

  /// Forgets all.
  package func reset() { state.withLock { $0 = State() } }

  package func answer(_ request: OpenAPIRequest) -> OpenAPIAnswer {
    let answer = mock.answer(request)
    guard case .operation(let operation, _) = mock.checker.router.route(request.method, request.path),
      MockPreference(request).code == nil, answer.status / 100 == 2
    else { return answer }
    let path = request.path.last == "/" ? String(request.path.dropLast()) : request.path
    switch request.method {
    case "GET", "HEAD": return found(path, answer)
    case "POST": return created(path, request, operation, answer)
    case "PUT", "PATCH": return changed(path, request, answer)
    case "DELETE":
      guard !isGone(path) else { return missing(path) }
      state.withLock { $0.set(path, nil) }
      return answer
    default: return answer
    }
  }

  private func isGone(_ path: String) -> Bool {
    state.withLock { state in state.items[path].map { $0 == nil } ?? false }
  }

  private func missing(_ path: String) -> OpenAPIAnswer {
    MockProblem(kind: .notFound, detail: "\(path) was deleted.").answer
  }

  private func found(_ path: String, _ answer: OpenAPIAnswer) -> OpenAPIAnswer {
    if isGone(path) { return missing(path) }
    let (item, list) = state.withLock { ($0.items[path] ?? nil, $0.list(path)) }
    if let item { return with(item, answer) }
    if let list, Self.json(answer.body)?.elements != nil { return with(JSONNode(.array(list)), answer) }
    return answer
  }

  private func created(
    _ path: String, _ request: OpenAPIRequest, _ operation: OpenAPIOperation, _ answer: OpenAPIAnswer
  ) -> OpenAPIAnswer {
    guard let body = Self.json(request.body), body.members != nil else { return answer }
    let name = itemName(below: operation.path)
    guard let name else { return answer }
    let sample = Self.json(answer.body)
    var item = OpenAPISampler.merged(sample?.members == nil ? JSONNode(.object([])) : sample ?? body, body)
    let key = item[name] != nil || name == "id" ? name : item["id"] != nil || sample?["id"] != nil ? "id" : name
    state.withLock { state in
      if body[key] == nil {
        let isText = item[key]?.string != nil
        item = item.setting(
          key, isText ? .text("\(state.nextID)") : JSONNode(.number(JSONNumber(state.nextID))))
        state.nextID += 1
      }
      state.set(path + "/" + (item[key]?.text ?? ""), item)
    }
    var made = answer.body.isEmpty ? answer : with(item, answer)
    if made.headers["location"] == nil { made.headers.append("location", path + "/" + (item[key]?.text ?? "")) }
    return made
  }

  private func changed(_ path: String, _ request: OpenAPIRequest, _ answer: OpenAPIAnswer) -> OpenAPIAnswer {
    if isGone(path) { return missing(path) }
    guard let body = Self.json(request.body), body.members != nil else { return answer }
    let item = state.withLock { state in
      let before = (state.items[path] ?? nil) ?? Self.json(answer.body).flatMap { $0.members == nil ? nil : $0 }
      // A whole one keeps the name that it has and that the body may leave out.
      let kept = before.map { old in
        request.method == "PATCH" ? old : JSONNode(.object((old.members ?? []).filter { $0.name == "id" }))
      }
      let item = kept.map { OpenAPISampler.merged($0, body) } ?? body
      state.set(path, item)
      return item
    }
    return answer.body.isEmpty ? answer : with(item, answer)
  }

  /// The parameter in the path of one of the things in a collection; nil where the description has no such path.
  private func itemName(below path: String) -> String? {
    let count = PathTemplate(path).segments.count
    for item in mock.checker.document.paths where item.path.hasPrefix(path + "/") {
      let template = PathTemplate(item.path)
      guard template.segments.count == count + 1, let last = template.segments.last, last.count == 1,
        case .parameter(let name) = last[0]
      else { continue }
      return name
    }
    return nil
  }

  private func with(_ item: JSONNode, _ answer: OpenAPIAnswer) -> OpenAPIAnswer {
    guard answer.headers["content-type"].flatMap({ MediaTypeName($0) })?.isJSON == true else { return answer }
    var answer = answer
    answer.body = Array(item.line.utf8)
    return answer
  }

  private static func json(_ body: [UInt8]) -> JSONNode? {
    guard !body.isEmpty else { return nil }
    return (try? JSONSource(parsing: body, file: "", depth: OpenAPISource.depth))?.root
  }
}
