/// Expressions of the mock for values that are drawn by chance.
enum RandomWords {
  static let uuid = "{{randomValue type='UUID'}}"

  static func whole(_ lower: TemplateWord?, _ upper: TemplateWord?) -> String {
    "{{randomInt\(bounds(lower, upper))}}"
  }

  static func decimal(_ lower: TemplateWord?, _ upper: TemplateWord?) -> String {
    "{{randomDecimal\(bounds(lower, upper))}}"
  }

  private static func bounds(_ lower: TemplateWord?, _ upper: TemplateWord?) -> String {
    [("lower", lower), ("upper", upper)].compactMap { name, word in
      word.map { " \(name)=\($0.constant ?? $0.text)" }
    }.joined()
  }
}
