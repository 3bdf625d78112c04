import MPaaSSupport

/// The parts of states: flags, strategies, constraints, segments and variants.
extension FlagStateReader {
  mutating func flag(_ skim: inout JSONSkim) -> FlagDefinition? {
    var flag = FlagDefinition(name: "")
    var (hasName, saysEnabled) = (false, false)
    let isRead = object(&skim, "features") { reader, name, skim in
      switch skim.bytes[name.lowerBound] {
      case UInt8(ascii: "n") where skim.isName(name, "name"):
        hasName = true
        return reader.text(&skim, "name", &flag.name)
      case UInt8(ascii: "t") where skim.isName(name, "type"): return reader.text(&skim, "type", &flag.type)
      case UInt8(ascii: "d") where skim.isName(name, "description"):
        return reader.text(&skim, "description", &flag.summary)
      case UInt8(ascii: "p") where skim.isName(name, "project"): return reader.text(&skim, "project", &flag.project)
      case UInt8(ascii: "e") where skim.isName(name, "enabled"):
        saysEnabled = !Self.isNull(skim)
        return reader.bool(&skim, "enabled", &flag.isEnabled)
      case UInt8(ascii: "s") where skim.isName(name, "stale"): return reader.bool(&skim, "stale", &flag.isStale)
      case UInt8(ascii: "i") where skim.isName(name, "impressionData"):
        return reader.bool(&skim, "impressionData", &flag.hasImpressionData)
      case UInt8(ascii: "s") where skim.isName(name, "strategies"):
        return reader.array(&skim, "strategies", &flag.strategies) { $0.strategy(&$1) }
      case UInt8(ascii: "v") where skim.isName(name, "variants"):
        return reader.array(&skim, "variants", &flag.variants) { $0.variant(&$1) }
      case UInt8(ascii: "d") where skim.isName(name, "dependencies"):
        return reader.array(&skim, "dependencies", &flag.dependencies) { $0.dependency(&$1) }
      default: return skim.skip()
      }
    }
    guard isRead else { return nil }
    guard hasName else {
      _ = wrong("name", "string")
      return nil
    }
    guard saysEnabled || !isToBeSet else {
      _ = wrong("features[\(flag.name)].enabled", "boolean")
      return nil
    }
    return flag
  }

  private mutating func strategy(_ skim: inout JSONSkim) -> StrategyDefinition? {
    var strategy = StrategyDefinition()
    let isRead = object(&skim, "strategies") { reader, name, skim in
      if skim.isName(name, "name") { return reader.text(&skim, "name", &strategy.name) }
      if skim.isName(name, "parameters") { return reader.parameters(&skim, &strategy.parameters) }
      if skim.isName(name, "constraints") {
        return reader.array(&skim, "constraints", &strategy.constraints) { $0.constraint(&$1) }
      }
      if skim.isName(name, "segments") {
        return reader.array(&skim, "segments", &strategy.segments) { reader, skim in
          var id = 0
          return reader.number(&skim, "segments", &id) ? id : nil
        }
      }
      if skim.isName(name, "variants") {
        return reader.array(&skim, "variants", &strategy.variants) { $0.variant(&$1) }
      }
      return skim.skip()
    }
    return isRead ? strategy : nil
  }

  private mutating func parameters(_ skim: inout JSONSkim, _ parameters: inout [String: String]) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    return object(&skim, "parameters") { reader, name, skim in
      guard let key = skim.text(name) else { return false }
      var value: String?
      guard reader.scalar(&skim, "parameters.\(key)", &value) else { return false }
      parameters[key] = value
      return true
    }
  }

  private mutating func constraint(_ skim: inout JSONSkim) -> ConstraintDefinition? {
    var constraint = ConstraintDefinition()
    let isRead = object(&skim, "constraints") { reader, name, skim in
      if skim.isName(name, "contextName") { return reader.text(&skim, "contextName", &constraint.field) }
      if skim.isName(name, "operator") { return reader.text(&skim, "operator", &constraint.operator) }
      if skim.isName(name, "values") { return reader.texts(&skim, "values", &constraint.values) }
      if skim.isName(name, "value") { return reader.scalar(&skim, "value", &constraint.value) }
      if skim.isName(name, "inverted") { return reader.bool(&skim, "inverted", &constraint.isInverted) }
      if skim.isName(name, "caseInsensitive") {
        return reader.bool(&skim, "caseInsensitive", &constraint.ignoresCase)
      }
      return skim.skip()
    }
    guard isRead else { return nil }
    guard constraint.values.count <= FlagState.Limit.values else {
      _ = limit(.tooManyValues, constraint.values.count, FlagState.Limit.values)
      return nil
    }
    return constraint
  }

  mutating func segment(_ skim: inout JSONSkim) -> SegmentDefinition? {
    var segment = SegmentDefinition()
    var saysWhom = false
    let isRead = object(&skim, "segments") { reader, name, skim in
      if skim.isName(name, "id") { return reader.number(&skim, "id", &segment.id) }
      if skim.isName(name, "name") { return reader.text(&skim, "name", &segment.name) }
      if skim.isName(name, "constraints") {
        saysWhom = !Self.isNull(skim)
        return reader.array(&skim, "constraints", &segment.constraints) { $0.constraint(&$1) }
      }
      return skim.skip()
    }
    guard isRead else { return nil }
    guard saysWhom || !isToBeSet else {
      _ = wrong("segments[\(segment.id)].constraints", "array")
      return nil
    }
    return segment
  }

  private mutating func variant(_ skim: inout JSONSkim) -> VariantDefinition? {
    var variant = VariantDefinition()
    let isRead = object(&skim, "variants") { reader, name, skim in
      if skim.isName(name, "name") { return reader.text(&skim, "name", &variant.name) }
      if skim.isName(name, "weight") { return reader.number(&skim, "weight", &variant.weight) }
      if skim.isName(name, "stickiness") { return reader.text(&skim, "stickiness", &variant.stickiness) }
      if skim.isName(name, "payload") { return reader.payload(&skim, &variant.payload) }
      if skim.isName(name, "overrides") {
        return reader.array(&skim, "overrides", &variant.overrides) { $0.override(&$1) }
      }
      return skim.skip()
    }
    return isRead ? variant : nil
  }

  private mutating func payload(_ skim: inout JSONSkim, _ payload: inout FlagPayload?) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    var (type, value) = ("string", String?.none)
    let isRead = object(&skim, "payload") { reader, name, skim in
      if skim.isName(name, "type") { return reader.text(&skim, "payload.type", &type) }
      if skim.isName(name, "value") { return reader.scalar(&skim, "payload.value", &value) }
      return skim.skip()
    }
    payload = FlagPayload(type: type, value: value ?? "")
    return isRead
  }

  private mutating func override(_ skim: inout JSONSkim) -> OverrideDefinition? {
    var override = OverrideDefinition()
    let isRead = object(&skim, "overrides") { reader, name, skim in
      if skim.isName(name, "contextName") { return reader.text(&skim, "contextName", &override.field) }
      if skim.isName(name, "values") { return reader.texts(&skim, "values", &override.values) }
      return skim.skip()
    }
    return isRead ? override : nil
  }

  private mutating func dependency(_ skim: inout JSONSkim) -> DependencyDefinition? {
    var dependency = DependencyDefinition()
    let isRead = object(&skim, "dependencies") { reader, name, skim in
      if skim.isName(name, "feature") { return reader.text(&skim, "feature", &dependency.flag) }
      if skim.isName(name, "enabled") { return reader.bool(&skim, "enabled", &dependency.isEnabled) }
      if skim.isName(name, "variants") { return reader.texts(&skim, "variants", &dependency.variants) }
      return skim.skip()
    }
    return isRead ? dependency : nil
  }
}
