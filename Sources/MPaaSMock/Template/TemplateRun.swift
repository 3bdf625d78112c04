import MPaaSJSON

/// The filling in of a template, within limits of time and size.
struct TemplateRun {
  /// A value with the names that stand for others in it.
  struct Scope {
    var value: TemplateValue
    var names: [String: TemplateValue] = [:]
    var data: [String: TemplateValue] = [:]
  }

  let context: TemplateContext
  private(set) var output = ""
  private var scopes: [Scope]
  /// Values that `assign` has given names.
  var assigned: [String: TemplateValue] = [:]
  private let deadline: ContinuousClock.Instant
  private var steps = 0
  private(set) var isOver = false

  init(_ context: TemplateContext) {
    self.context = context
    scopes = [Scope(value: context.values)]
    deadline = .now + Template.longestRun
  }

  private var root: TemplateValue { context.values }

  /// Counts a step; from time to time it looks at the clock.
  mutating func step() {
    steps += 1
    guard !isOver, steps & 63 == 0 || output.utf8.count > Template.mostOutput else { return }
    guard output.utf8.count <= Template.mostOutput, ContinuousClock.now < deadline else {
      isOver = true
      output += "[ERROR: the template takes more than 100 ms or makes more than 16 MiB]"
      return
    }
  }

  mutating func show(_ nodes: [TemplateNode]) {
    for node in nodes {
      step()
      guard !isOver else { return }
      switch node {
      case .text(let text): output += text
      case .output(let call): output += value(of: call).text
      case .block(let block): show(block)
      }
    }
  }

  /// The text of the nodes, apart from the output.
  mutating func captured(_ nodes: [TemplateNode]) -> String {
    let before = output
    output = ""
    show(nodes)
    let made = output
    output = before
    return made
  }

  // MARK: Values

  mutating func value(of expression: TemplateExpression) -> TemplateValue {
    switch expression {
    case .literal(let value): value
    case .path(let path): value(at: path)
    case .call(let call): value(of: call, isNested: true)
    }
  }

  mutating func value(of call: TemplateCall, isNested: Bool = false) -> TemplateValue {
    step()
    guard !isOver else { return .nothing }
    guard let name = call.name else {
      if case .literal(let value) = call.head { return value }
      return value(of: call.head)
    }
    let isBare = call.arguments.isEmpty && call.options.isEmpty
    if isBare, !isNested, let found = named(name) { return found }
    if let helper = TemplateHelpers.all[name] {
      let arguments = arguments(of: call)
      return helper(arguments, &self)
    }
    if isBare { return value(of: call.head) }
    return .text("[ERROR: no helper has the name \(name)]")
  }

  mutating func arguments(of call: TemplateCall, block: TemplateBlock? = nil) -> TemplateArguments {
    var options: [String: TemplateValue] = [:]
    for option in call.options { options[option.name] = value(of: option.value) }
    return TemplateArguments(call.arguments.map { value(of: $0) }, options, block)
  }

  /// The value that a single name has in the scopes; nil where it has none.
  private func named(_ name: String) -> TemplateValue? { lookUp(name) }

  private func lookUp(_ name: String) -> TemplateValue? {
    for scope in scopes.reversed() { if let value = scope.names[name] { return value } }
    if let value = assigned[name] { return value }
    let found = scopes[scopes.count - 1].value.member(name)
    if case .nothing = found { return nil }
    return found
  }

  private func value(at path: TemplatePath) -> TemplateValue {
    var parts = path.parts[...]
    var value: TemplateValue
    if path.isData {
      guard let first = parts.popFirst() else { return .nothing }
      value = first == "root" ? root : datum(first, up: path.up)
    } else if path.up > 0 {
      value = scopes[max(0, scopes.count - 1 - path.up)].value
    } else if path.isScoped {
      value = scopes[scopes.count - 1].value
    } else {
      guard let first = parts.popFirst() else { return .nothing }
      // The values around may have a member that the value at hand does not.
      let outer = scopes.reversed().lazy.compactMap { Self.present($0.value.member(first)) }
      value = lookUp(first) ?? outer.first ?? TemplateValue.nothing
    }
    for part in parts { value = value.member(part) }
    return value
  }

  private static func present(_ value: TemplateValue) -> TemplateValue? {
    if case .nothing = value { nil } else { value }
  }

  private func datum(_ name: String, up: Int) -> TemplateValue {
    var left = up
    for scope in scopes.reversed() where scope.data[name] != nil {
      if left == 0 { return scope.data[name] ?? .nothing }
      left -= 1
    }
    return .nothing
  }

  // MARK: Blocks

  private mutating func show(_ block: TemplateBlock) {
    guard let name = block.call.name else {
      return showPlain(block, value(of: block.call.head))
    }
    let isBare = block.call.arguments.isEmpty && block.call.options.isEmpty
    if block.isInverted, isBare {
      let value = value(of: block.call)
      return show(value.isTrue ? block.otherwise : block.content)
    }
    switch name {
    case "if", "unless":
      let condition = block.call.arguments.first.map { value(of: $0).isTrue } ?? false
      show(condition == (name == "if") ? block.content : block.otherwise)
    case "each": showEach(block)
    case "with":
      let value = block.call.arguments.first.map { self.value(of: $0) } ?? TemplateValue.nothing
      value.isTrue ? show(block.content, in: scope(value, block, [value])) : show(block.otherwise)
    default:
      if isBare, let found = named(name) { return showPlain(block, found) }
      guard let helper = TemplateHelpers.all[name] else {
        if isBare { return show(block.otherwise) }
        output += "[ERROR: no helper has the name \(name)]"
        return
      }
      showHelped(block, name, helper)
    }
  }

  private mutating func showHelped(_ block: TemplateBlock, _ name: String, _ helper: TemplateHelpers.Helper) {
    let arguments = arguments(of: block.call, block: block)
    if TemplateHelpers.conditions.contains(name) {
      show(helper(arguments, &self).isTrue ? block.content : block.otherwise)
    } else {
      output += helper(arguments, &self).text
    }
  }

  /// A block of a value: for each of a list, in an object, or whether there is one.
  private mutating func showPlain(_ block: TemplateBlock, _ value: TemplateValue) {
    let isShown = value.isTrue != block.isInverted
    guard isShown else { return show(block.otherwise) }
    if let elements = value.elements {
      showAll(elements.map { (String?.none, $0) }, block)
    } else if value.pairs != nil {
      show(block.content, in: scope(value, block, [value]))
    } else {
      show(block.content)
    }
  }

  private mutating func showEach(_ block: TemplateBlock) {
    let value = block.call.arguments.first.map { self.value(of: $0) } ?? TemplateValue.nothing
    var items: [(String?, TemplateValue)] = value.elements?.map { (nil, $0) } ?? []
    if let pairs = value.pairs { items = pairs.map { ($0.name, $0.value) } }
    items.isEmpty ? show(block.otherwise) : showAll(items, block)
  }

  private mutating func showAll(_ items: [(String?, TemplateValue)], _ block: TemplateBlock) {
    for (index, item) in items.enumerated() {
      step()
      guard !isOver else { return }
      let key = item.0.map { TemplateValue.text($0) } ?? .json(.whole(index))
      var scope = scope(item.1, block, [item.1, key])
      scope.data = [
        "index": .json(.whole(index)), "key": key, "first": .flag(index == 0), "last": .flag(index == items.count - 1),
      ]
      show(block.content, in: scope)
    }
  }

  private func scope(_ value: TemplateValue, _ block: TemplateBlock, _ values: [TemplateValue]) -> Scope {
    var scope = Scope(value: value)
    for (name, value) in zip(block.parameters, values) { scope.names[name] = value }
    return scope
  }

  private mutating func show(_ nodes: [TemplateNode], in scope: Scope) {
    scopes.append(scope)
    show(nodes)
    scopes.removeLast()
  }
}

/// The arguments of a helper.
struct TemplateArguments {
  let values: [TemplateValue]
  let options: [String: TemplateValue]
  let block: TemplateBlock?

  init(_ values: [TemplateValue], _ options: [String: TemplateValue], _ block: TemplateBlock?) {
    self.values = values
    self.options = options
    self.block = block
  }

  subscript(_ index: Int) -> TemplateValue { values.indices.contains(index) ? values[index] : .nothing }

  func text(_ name: String) -> String? { options[name]?.text }
  func whole(_ name: String) -> Int? { options[name]?.whole }
  func flag(_ name: String) -> Bool { options[name]?.isTrue ?? false }

  /// The first argument, or what the block shows.
  func subject(_ run: inout TemplateRun) -> TemplateValue {
    if let value = values.first { return value }
    guard let block else { return .nothing }
    return .text(run.captured(block.content))
  }
}
