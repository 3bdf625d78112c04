/// Templates of Hoverfly in the language of the mock.
enum HoverflyTemplate {
  static func translated(_ text: String) -> (text: String, refused: [String]) {
    TemplateText { expression in translated(expression) }.translated(text)
  }

  private static func translated(_ expression: TemplateExpression) -> String? {
    let arguments = Array(expression.words.dropFirst())
    func text(_ index: Int) -> TemplateWord? { index < arguments.count ? arguments[index] : nil }
    if !expression.mark.isEmpty || TemplateText.blocks.contains(expression.helper) {
      return block(expression)
    }
    switch expression.helper {
    case "Request.Body":
      guard let kind = text(0)?.constant else { return "{{{request.body}}}" }
      guard let query = text(1) else { return nil }
      return kind == "jsonpath"
        ? "{{jsonPath request.body \(query.text)}}" : kind == "xpath" ? "{{xPath request.body \(query.text)}}" : nil
    case let name where name.hasPrefix("Request."): return value(name).map { "{{{\($0)}}}" }
    case "randomUuid": return RandomWords.uuid
    case "randomString": return random("ALPHANUMERIC", text(0)?.constant ?? "10")
    case "randomStringLength": return random("ALPHANUMERIC", text(0)?.constant ?? "10")
    case "randomInteger": return RandomWords.whole(nil, nil)
    case "randomIntegerRange": return RandomWords.whole(text(0), text(1))
    case "randomFloat": return RandomWords.decimal(nil, nil)
    case "randomFloatRange": return RandomWords.decimal(text(0), text(1))
    case "randomBoolean": return "{{pickRandom 'true' 'false'}}"
    case "iso8601DateTime": return "{{now}}"
    default: return nil
    }
  }

  private static func random(_ kind: String, _ length: String) -> String {
    "{{randomValue type='\(kind)' length=\(length)}}"
  }

  /// A block whose condition names a part of the request, or has nothing to translate.
  private static func block(_ expression: TemplateExpression) -> String? {
    var words: [String] = []
    for word in expression.words {
      switch word {
      case .name(let name) where name.hasPrefix("Request."):
        guard let value = value(name) else { return nil }
        words.append(value)
      case .call: return nil
      default: words.append(word.text)
      }
    }
    return "{{\(expression.mark)\((words + expression.options.map(\.text)).joined(separator: " "))}}"
  }

  /// A part of the request by the mock's name; nil where there is none.
  private static func value(_ name: String) -> String? {
    let parts = name.split(separator: ".").dropFirst()
    let rest = parts.dropFirst().joined(separator: ".")
    switch parts.first {
    case "Path": return rest.isEmpty ? "request.path" : "request.pathSegments.\(rest)"
    case "QueryParam": return rest.isEmpty ? nil : "request.query.\(rest)"
    case "Header": return rest.isEmpty ? nil : "request.headers.\(rest)"
    case "Method": return "request.method"
    case "Scheme": return "request.scheme"
    case "Host": return "request.host"
    case "FormData": return nil
    default: return nil
    }
  }
}
