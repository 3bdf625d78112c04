import MPaaSJSON
import MPaaSMock
import MPaaSSupport

/// The request of HTTP that an operation of an API document is for.
package struct OperationRoute: Sendable, Equatable {
  package let method: String
  /// The path with `{name}` for parameters.
  package let path: String

  package init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// The request of a call: members of the first argument go into the path by name; the others into the query where the
  /// method has no body, else the whole argument is the body.
  func request(for call: GatewayCall, of original: MockRequest) -> MockRequest {
    let members = call.arguments?.first?.members ?? []
    var used: Set<String> = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.utf8.count > 2 else { return String(segment) }
      let name = String(segment.dropFirst().dropLast())
      guard let value = members.first(where: { $0.name == name })?.value else { return String(segment) }
      used.insert(name)
      return PercentEncoding.encode(value.string ?? value.line)
    }
    var target = segments.joined(separator: "/")
    let hasBody = !["GET", "HEAD", "DELETE"].contains(method.uppercased())
    if !hasBody {
      let fields = members.filter { !used.contains($0.name) && $0.name != "_requestBody" }.map { member in
        "\(PercentEncoding.encode(member.name))=\(PercentEncoding.encode(member.value.string ?? member.value.line))"
      }
      if !fields.isEmpty { target += "?" + fields.joined(separator: "&") }
    }
    var request = original
    request.method = method.uppercased()
    request.target = target
    request.body = hasBody ? call.body : []
    request.headers.removeAll { ["content-type", "content-length"].contains($0.name.lowercased()) }
    if hasBody { request.headers.append((name: "Content-Type", value: "application/json")) }
    return request
  }
}
