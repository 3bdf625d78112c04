import MPaaSJSON
import MPaaSJSONSchema

/// The comparison of one answer with its operation.
struct AnswerCheck {
  let operation: CompiledOperation
  let answer: OpenAPIAnswer

  func issues() -> [OpenAPIIssue] {
    guard let described = operation.operation.response(for: answer.status),
      let response = operation.responses.first(where: { $0.response.status == described.status })
    else {
      return [
        OpenAPIIssue(
          location: [], code: "status", message: "Unable to match the returned status code with those defined in spec")
      ]
    }
    return body(response) + headers(response)
  }

  private func headers(_ response: CompiledOperation.Response) -> [OpenAPIIssue] {
    response.headers.flatMap { header, reader, schema -> [OpenAPIIssue] in
      let name = header.name.lowercased()
      guard name != "content-type" else { return [] }
      guard let text = answer.headers[name] else {
        guard header.isRequired else { return [] }
        return [OpenAPIIssue(location: ["header"], code: "required", message: "must have required property '\(name)'")]
      }
      guard let schema, let node = reader.value(ofPart: text[...]) else { return [] }
      return violations(node, schema, ["header", name])
    }
  }

  private func body(_ response: CompiledOperation.Response) -> [OpenAPIIssue] {
    guard !response.content.isEmpty else { return [] }
    let name = answer.headers["content-type"].flatMap { MediaTypeName($0) }
    guard !answer.body.isEmpty || name != nil else { return [] }
    guard let media = response.content.first(where: { media in name.map { media.name?.holds($0) ?? false } ?? false })
    else {
      let known = response.content.map(\.media.type).joined(separator: ", ")
      let message = "The received media type \"\(name?.name ?? "")\" does not match the one specified in the response: "
      return [OpenAPIIssue(location: ["body"], code: "content-type", message: message + known)]
    }
    guard let schema = media.schema, answer.body.count <= OpenAPIChecker.greatestBody else { return [] }
    switch BodyReader(media: media, type: name).read(answer.body) {
    case .value(let node): return violations(node, schema, ["body"])
    case .malformed:
      return [OpenAPIIssue(location: ["body"], code: "parse", message: "must be written in \(media.media.type)")]
    case .opaque: return []
    }
  }

  private func violations(_ node: JSONNode, _ schema: Int, _ location: [String]) -> [OpenAPIIssue] {
    operation.validator.violations(of: node, by: schema, .response).map { violation in
      OpenAPIIssue(location: location + violation.instance, code: violation.keyword, message: violation.message)
    }
  }
}
