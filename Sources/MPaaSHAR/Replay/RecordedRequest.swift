import MPaaSJSON
import MPaaSSupport

/// A request in the form in which a recording's requests are compared.
struct RecordedRequest: Sendable, Equatable {
  /// The form of a body: JSON is the same in any order of members, forms in any order of names.
  enum Body: Sendable, Equatable {
    case none
    case json(JSONValue)
    case fields([HARField])
    case bytes([UInt8])
  }

  let method: String
  let authority: String
  let path: String
  /// The parameters of the query, sorted.
  let query: [HARField]
  let body: Body

  init(method: String, url: String, headers: [HARField], body: [UInt8], ignored: NameSet, masker: Masker?) {
    let address = HARAddress(url)
    self.method = method.uppercased()
    authority = address.authority
    path = masker?.text(address.path) ?? address.path
    query = Self.sorted(
      address.parameters.filter { !ignored.contains($0.name) }.map { field in
        HARField(field.name, masker?.parameter(field.name, field.value) ?? field.value)
      })
    let type = headers.header("content-type")
    let bytes = masker.map { $0.body(body, type: type) ?? [] } ?? body
    self.body = Self.form(of: bytes, type: type, ignored: ignored)
  }

  private static func sorted(_ fields: [HARField]) -> [HARField] {
    fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
  }

  private static func form(of bytes: [UInt8], type: String?, ignored: NameSet) -> Body {
    if bytes.isEmpty { return .none }
    if type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
      let fields = HARAddress.fields(String(decoding: bytes, as: UTF8.self))
      return .fields(sorted(fields.filter { !ignored.contains($0.name) }))
    }
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let node = try? JSONSource(parsing: bytes, file: "", depth: HARFile.depth).root
    {
      return .json(without(node, ignored).value)
    }
    return .bytes(bytes)
  }

  /// The value without the members that are not compared.
  private static func without(_ node: JSONNode, _ ignored: NameSet) -> JSONNode {
    switch node.content {
    case .object(let members):
      let kept = members.filter { !ignored.contains($0.name) }
      return JSONNode(.object(kept.map { JSONNode.Member(name: $0.name, value: without($0.value, ignored)) }))
    case .array(let elements): return JSONNode(elements: elements.map { without($0, ignored) })
    default: return node
    }
  }

  /// The difference from another request to the same path: first by the query, then by the body, then by the host.
  func distance(to other: RecordedRequest) -> RequestDistance {
    let (mine, theirs) = (Set(query), Set(other.query))
    var difference = mine.symmetricDifference(theirs).count
    if difference == 0, query != other.query { difference = 1 }
    return RequestDistance(
      query: difference, body: bodyDistance(to: other.body),
      host: authority.isEmpty || authority == other.authority ? 0 : 1)
  }

  private func bodyDistance(to other: Body) -> Int {
    switch (body, other) {
    case (let one, let two) where one == two: return 0
    case (.json(.object(let one)), .json(.object(let two))):
      let names = Set(one.keys).union(two.keys)
      return max(1, names.count { one[$0] != two[$0] })
    case (.fields(let one), .fields(let two)): return max(1, Set(one).symmetricDifference(two).count)
    case (.none, _), (_, .none): return 2000
    default: return 1000
    }
  }
}

/// The difference between two requests with the same method and path; nothing is the smallest.
struct RequestDistance: Sendable, Comparable {
  let query: Int
  let body: Int
  let host: Int

  static func < (one: RequestDistance, other: RequestDistance) -> Bool {
    (one.query, one.body, one.host) < (other.query, other.body, other.host)
  }
}
