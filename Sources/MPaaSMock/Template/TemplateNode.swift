import MPaaSJSON

/// A part of a template.
indirect enum TemplateNode: Sendable {
  case text(String)
  case output(TemplateCall)
  case block(TemplateBlock)
}

/// A block with its inner nodes, and those of its `else`.
struct TemplateBlock: Sendable {
  let call: TemplateCall
  /// The names behind `as |item index|`.
  let parameters: [String]
  let isInverted: Bool
  let content: [TemplateNode]
  let otherwise: [TemplateNode]
}

/// A helper with its arguments, or a path to a value.
struct TemplateCall: Sendable {
  let head: TemplateExpression
  let arguments: [TemplateExpression]
  let options: [(name: String, value: TemplateExpression)]

  /// The name of the helper that it may be.
  var name: String? {
    guard case .path(let path) = head, path.up == 0, path.parts.count == 1, !path.isData, !path.isScoped else {
      return nil
    }
    return path.parts[0]
  }
}

indirect enum TemplateExpression: Sendable {
  case literal(TemplateValue)
  case path(TemplatePath)
  case call(TemplateCall)
}

/// A path to a value: `../items.[0].name`, `@index`, `this.id`.
struct TemplatePath: Sendable {
  var up = 0
  var isData = false
  /// True where it begins with `this` or `./`, so that no helper is meant.
  var isScoped = false
  var parts: [String] = []
}

/// The reason why a template cannot be read, with its line.
package struct TemplateError: Error, Sendable, Equatable {
  package let reason: String
  package let line: Int
}
