package import MPaaSJSON
import MPaaSSupport

/// The request of an entry.
package struct HARRequest: Sendable, Equatable {
  package let node: JSONNode

  package var method: String { node["method"]?.string ?? "" }
  /// The absolute URL; browsers leave out its fragment.
  package var url: String { node["url"]?.string ?? "" }
  /// The version as the file spells it: `HTTP/1.1`, `http/2.0`, `h2`.
  package var version: String { node["httpVersion"]?.string ?? "" }
  package var headers: [HARField] { node["headers"]?.fields ?? [] }
  package var query: [HARField] { node["queryString"]?.fields ?? [] }
  package var cookies: [HARField] { node["cookies"]?.fields ?? [] }

  /// The type of the body; nil where there is none.
  package var bodyType: String? { node["postData"]?["mimeType"]?.string }

  /// The parameters of a form as the file lists them; those of files have no value.
  package var parameters: [HARField] {
    (node["postData"]?["params"]?.elements ?? []).compactMap { element in
      element["name"]?.string.map { HARField($0, element["value"]?.string ?? "") }
    }
  }

  /// The body; nil where there is none, or where the file does not have it.
  ///
  /// A form without a text is written from its parameters.
  package var body: [UInt8]? {
    guard let data = node["postData"] else { return nil }
    if let text = data["text"]?.string, !text.isEmpty {
      return HARBody.bytes(text, encoding: (data["_encoding"] ?? data["encoding"])?.string)
    }
    let isForm = bodyType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    guard isForm, !parameters.isEmpty else { return nil }
    let text = parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    return Array(text.joined(separator: "&").utf8)
  }

  /// The path with the query, as a server sees it.
  package var target: String { HARAddress(url).target }
}

/// The response of an entry.
package struct HARResponse: Sendable, Equatable {
  package let node: JSONNode

  /// The status; 0 where there was no answer.
  package var status: Int { node["status"]?.number?.integer(Int.self) ?? 0 }
  package var reason: String { node["statusText"]?.string ?? "" }
  package var version: String { node["httpVersion"]?.string ?? "" }
  package var headers: [HARField] { node["headers"]?.fields ?? [] }
  package var cookies: [HARField] { node["cookies"]?.fields ?? [] }
  package var bodyType: String? { node["content"]?["mimeType"]?.string }
  package var redirect: String? { node["redirectURL"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The size of the body in bytes as the file says it; nil where it does not.
  package var bodySize: Int? { node["content"]?["size"]?.number?.integer(Int.self).flatMap { $0 >= 0 ? $0 : nil } }

  /// The body, with the content codings of HTTP undone; nil where the file does not have it, which browsers leave out
  /// of large and of cached answers.
  package var body: [UInt8]? {
    guard let content = node["content"], let text = content["text"]?.string else { return nil }
    return HARBody.bytes(text, encoding: content["encoding"]?.string)
  }
}

/// The text of a body in a recording.
enum HARBody {
  /// The bytes of a text; nil where it says that it is Base64 and is none, or names another encoding.
  static func bytes(_ text: String, encoding: String?) -> [UInt8]? {
    switch encoding?.lowercased() {
    case nil, "", "utf8", "utf-8": Array(text.utf8)
    case "base64": Base64.decode(loose: Array(text.utf8))
    default: nil
    }
  }

  /// The members `text` and `encoding` of a body: as it stands where it is UTF-8, else as Base64.
  static func members(_ bytes: [UInt8], encodingName: String) -> [(name: String, value: JSONNode?)] {
    if let text = String(validUTF8: bytes) { return [("text", JSONNode(text: text))] }
    return [("text", JSONNode(text: Base64.encode(bytes))), (encodingName, JSONNode(text: "base64"))]
  }
}
