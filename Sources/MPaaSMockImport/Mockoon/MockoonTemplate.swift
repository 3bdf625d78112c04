import MPaaSJSON

/// Templates of Mockoon in the language of the mock.
struct MockoonTemplate {
  /// The environment, for its data buckets.
  let environment: JSONNode

  func translated(_ text: String) -> (text: String, refused: [String]) {
    TemplateText { expression in translated(expression) }.translated(text)
  }

  /// The content of a data bucket by its identifier or name.
  func bucket(_ name: String) -> String? {
    let found = (environment["data"]?.list ?? []).first { $0["id"].text == name || $0["name"].text == name }
    return found?["value"]?.string
  }

  private func translated(_ expression: TemplateExpression) -> String? {
    if !expression.mark.isEmpty || TemplateText.blocks.contains(expression.helper) { return block(expression) }
    if let value = value(expression.words) { return "{{{\(value)}}}" }
    let words = Array(expression.words.dropFirst())
    func word(_ index: Int) -> TemplateWord? { index < words.count ? words[index] : nil }
    func option(_ name: String) -> TemplateWord? { expression.options.first { $0.name == name }?.value }
    switch expression.helper {
    case "body", "bodyRaw":
      guard let path = word(0)?.constant, words.count == 1 else { return words.isEmpty ? "{{{request.body}}}" : nil }
      return "{{jsonPath request.body '\(Self.jsonPath(path))'}}"
    case "queryParam", "urlParam", "header", "cookie":
      // A second word stands for a value that is not there.
      guard words.count == 2, let value = value(Array(expression.words.prefix(2))), let other = words[1].constant else {
        return nil
      }
      return "{{#if \(value)}}{{{\(value)}}}{{else}}\(other){{/if}}"
    case "data", "dataRaw":
      guard words.count == 1, let content = word(0)?.constant.flatMap(bucket), !content.contains("{{") else {
        return nil
      }
      return content
    case "faker": return faker(word(0)?.constant ?? "", expression.options)
    case "uuid": return RandomWords.uuid
    case "int": return RandomWords.whole(word(0), word(1))
    case "float": return RandomWords.decimal(word(0), word(1))
    case "boolean": return "{{pickRandom 'true' 'false'}}"
    case "oneOf":
      guard case .call(let list, _)? = word(0), list.first == .name("array") else { return nil }
      return "{{pickRandom \(list.dropFirst().map(\.text).joined(separator: " "))}}"
    case "now":
      guard words.count <= 1 else { return nil }
      return word(0).map { "{{now format=\($0.text)}}" } ?? "{{now}}"
    case "getEnvVar":
      guard let name = word(0)?.constant, words.count == 1 else { return nil }
      return "{{systemValue type='ENVIRONMENT' key='\(name)'}}"
    case "newline": return "\n"
    default: return nil
    }
  }

  /// A part of the request by the mock's name.
  private func value(_ words: [TemplateWord]) -> String? {
    guard case .name(let helper)? = words.first else { return nil }
    let name = words.count == 2 ? words[1].constant : nil
    switch (helper, words.count) {
    case ("method", 1): return "request.method"
    case ("hostname", 1): return "request.host"
    case ("baseUrl", 1): return "request.baseUrl"
    case ("ip", 1): return "request.clientIp"
    case ("urlParam", 2): return name.map { "request.path.\($0)" }
    case ("queryParam", 2): return name.map { "request.query.\($0)" }
    case ("header", 2): return name.map { "request.headers.\($0)" }
    case ("cookie", 2): return name.map { "request.cookies.\($0)" }
    default: return nil
    }
  }

  /// A block whose condition is a value that the mock has, too.
  private func block(_ expression: TemplateExpression) -> String? {
    guard TemplateText.blocks.contains(expression.helper) else { return nil }
    var words: [String] = []
    for word in expression.words {
      guard case .call(let inner, _) = word else {
        words.append(word.text)
        continue
      }
      guard let value = value(inner) else { return nil }
      words.append(value)
    }
    return "{{\(expression.mark)\((words + expression.options.map(\.text)).joined(separator: " "))}}"
  }

  /// The few values of Faker that the mock draws itself.
  private func faker(_ name: String, _ options: [TemplateOption]) -> String? {
    func option(_ name: String) -> TemplateWord? { options.first { $0.name == name }?.value }
    switch name {
    case "string.uuid", "datatype.uuid": return RandomWords.uuid
    case "number.int", "datatype.number", "random.number":
      // Faker draws no numbers below zero where it is not asked to.
      return RandomWords.whole(option("min") ?? .name("0"), option("max"))
    case "number.float", "datatype.float": return RandomWords.decimal(option("min") ?? .name("0"), option("max"))
    case "datatype.boolean": return "{{pickRandom 'true' 'false'}}"
    case "string.alphanumeric", "string.alpha", "string.numeric":
      let kind =
        name.hasSuffix("alpha")
        ? "ALPHABETIC"
        : name.hasSuffix("numeric") && !name.hasSuffix("alphanumeric")
          ? "NUMERIC" : "ALPHANUMERIC"
      return "{{randomValue type='\(kind)' length=\(option("length")?.constant ?? "1")}}"
    default: return nil
    }
  }

  /// The JSONPath of a path with points.
  static func jsonPath(_ path: String) -> String {
    if path.hasPrefix("$") { return path }
    return path.split(separator: ".").reduce("$") { result, part in
      part.allSatisfy(\.isNumber) ? "\(result)[\(part)]" : "\(result).\(part)"
    }
  }
}
