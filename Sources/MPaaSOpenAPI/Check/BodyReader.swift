import MPaaSJSON
import MPaaSSupport

/// Makes the value that a schema speaks of, of a body in some media type.
struct BodyReader {
  enum Outcome {
    case value(JSONNode)
    case malformed
    /// A body that schemas say nothing about.
    case opaque
  }

  let media: CompiledOperation.Media
  let type: MediaTypeName?

  func read(_ body: [UInt8]) -> Outcome {
    guard let type else { return .opaque }
    if type.isJSON {
      return (try? JSONSource(parsing: body, file: "", depth: OpenAPISource.depth)).map { .value($0.root) }
        ?? .malformed
    }
    switch type.name {
    case "application/x-www-form-urlencoded":
      guard let text = String(validUTF8: body) else { return .malformed }
      return .value(Self.object(FormFields(text), media.shape, media.media))
    case "multipart/form-data":
      guard let boundary = type["boundary"], let parts = MultipartBody.parts(body, boundary: boundary) else {
        return .malformed
      }
      return .value(object(parts))
    default:
      guard type.isText, let text = String(validUTF8: body) else { return .opaque }
      return .value(media.shape.scalar(text))
    }
  }

  /// The object that the fields of a form are.
  static func object(_ fields: FormFields, _ shape: ValueShape, _ media: OpenAPIMediaType?) -> JSONNode {
    var members: [JSONNode.Member] = []
    var names: [String] = []
    for field in fields.fields {
      var name = FormFields.decoded(field.name)
      // Fields of an object in the style of deepObject, or of a list as browsers' scripts write it.
      if let bracket = name.firstIndex(of: "["), name.last == "]" { name = String(name[..<bracket]) }
      if !names.contains(name) { names.append(name) }
    }
    for name in names {
      let encoding = media?.encodings.first { $0.name == name }
      let member = shape.member(name)
      let isDeep = fields.values(of: name).isEmpty
      let reader = ParameterReader(
        name: name, style: isDeep ? .deepObject : encoding?.style ?? .form, explodes: encoding?.explodes ?? true,
        shape: member)
      let value: JSONNode
      if member.kind == .object, !isDeep, let text = fields.values(of: name).first.map({ FormFields.decoded($0) }) {
        value = json(text) ?? JSONNode(.string(text))
      } else if case .value(let node) = reader.value(in: fields) {
        value = node
      } else {
        continue
      }
      members.append(JSONNode.Member(name: name, value: value))
    }
    return JSONNode(.object(members))
  }

  private static func json(_ text: String) -> JSONNode? {
    (try? JSONSource(parsing: Array(text.utf8), file: "", depth: OpenAPISource.depth))?.root
  }

  private func object(_ parts: [MultipartBody.Part]) -> JSONNode {
    var members: [JSONNode.Member] = []
    var names: [String] = []
    for part in parts where !names.contains(part.name) { names.append(part.name) }
    for name in names {
      let own = parts.filter { $0.name == name }
      let shape = media.shape.member(name)
      let values = own.map { partValue($0, shape.kind == .array ? shape.elements.first ?? .text : shape) }
      let value = shape.kind == .array || values.count > 1 ? JSONNode(.array(values)) : values[0]
      members.append(JSONNode.Member(name: name, value: value))
    }
    return JSONNode(.object(members))
  }

  private func partValue(_ part: MultipartBody.Part, _ shape: ValueShape) -> JSONNode {
    let text = String(decoding: part.body, as: UTF8.self)
    if part.type?.isJSON == true || shape.kind != .scalar, let node = Self.json(text) { return node }
    return shape.scalar(text)
  }
}
