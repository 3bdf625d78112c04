import MPaaSBuckets

extension FlagSnapshot {
  /// Tells whether a flag is on for a context; a flag that there is not is off.
  public func isEnabled(_ name: String, for context: FlagContext) -> Bool {
    guard let number = number(of: name) else { return false }
    var draw = Draw()
    return isEnabled(number, context, &draw)
  }

  /// The variant of a flag that a context gets.
  public func variant(_ name: String, for context: FlagContext) -> FlagVariant {
    guard let number = number(of: name) else { return .none(isFlagEnabled: false) }
    var draw = Draw()
    return variant(of: number, context, &draw)
  }

  // MARK: - Flags

  func isEnabled(_ number: Int, _ context: FlagContext, _ draw: inout Draw) -> Bool {
    let flag = flags[number]
    guard flag.isEnabled, !flag.isBroken, hasParents(flag, context, &draw) else { return false }
    return flag.strategies.count == 0 || strategy(of: flag, context, &draw) != nil
  }

  func variant(of number: Int, _ context: FlagContext, _ draw: inout Draw) -> FlagVariant {
    let flag = flags[number]
    guard flag.isEnabled, !flag.isBroken, hasParents(flag, context, &draw) else { return .none(isFlagEnabled: false) }
    let strategy = strategy(of: flag, context, &draw)
    guard flag.strategies.count == 0 || strategy != nil else { return .none(isFlagEnabled: false) }
    guard let chosen = chosen(flag, strategy, context, &draw) else { return .none(isFlagEnabled: true) }
    return variantTexts[chosen]
  }

  /// The first strategy that holds.
  func strategy(of flag: CompiledFlag, _ context: FlagContext, _ draw: inout Draw) -> Int? {
    for index in flag.strategies.range where holds(index, context, &draw) { return index }
    return nil
  }

  /// Tells whether all flags that one depends on are as they must be.
  func hasParents(_ flag: CompiledFlag, _ context: FlagContext, _ draw: inout Draw) -> Bool {
    for index in flag.parents.range where !holds(parent: index, context, &draw) { return false }
    return true
  }

  func holds(parent index: Int, _ context: FlagContext, _ draw: inout Draw) -> Bool {
    let parent = parents[index]
    // A parent has no parents itself.
    guard parent.flag >= 0, case let flag = flags[Int(parent.flag)], flag.parents.count == 0 else { return false }
    let strategy = flag.isBroken ? nil : strategy(of: flag, context, &draw)
    let isEnabled = flag.isEnabled && !flag.isBroken && (flag.strategies.count == 0 || strategy != nil)
    guard isEnabled == parent.isEnabled else { return false }
    guard parent.variants.texts.count > 0, let chosen = chosen(flag, strategy, context, &draw) else { return true }
    return contains(variantTexts[chosen].name, in: parent.variants)
  }

  // MARK: - Strategies

  /// Tells whether a strategy holds: its rule, all its constraints and all its segments.
  func holds(_ index: Int, _ context: FlagContext, _ draw: inout Draw) -> Bool {
    let strategy = strategies[index]
    guard holds(strategy.rule, context, &draw), hold(strategy.constraints, context) else { return false }
    for segment in strategy.segments.range where !hold(segments[Int(segmentNumbers[segment])], context) { return false }
    return true
  }

  private func hold(_ constraints: Run, _ context: FlagContext) -> Bool {
    for index in constraints.range where !holds(self.constraints[index], context) { return false }
    return true
  }

  func holds(_ rule: CompiledStrategy.Rule, _ context: FlagContext, _ draw: inout Draw) -> Bool {
    switch rule {
    case .always: return true
    case .never: return false
    case .users(let users): return context.userId.map { contains($0, in: users) } ?? false
    case .hosts(let hosts):
      return context.hostName?.withLowercaseBytes { find($0, in: hosts) != nil } ?? false
    case .addresses(let run): return context.remoteAddress.map { isAddress($0, in: run) } ?? false
    case .random(let percentage): return draw.percent() <= percentage
    case .rollout(let percentage, let stickiness, let hash):
      return bucket(stickiness, hash, modulus: 100, context, &draw).map { $0 <= percentage } ?? false
    }
  }

  /// The bucket of a context; nil where the field that it depends on is missing.
  func bucket(
    _ stickiness: Stickiness, _ hash: MurmurHash3, modulus: UInt32, _ context: FlagContext, _ draw: inout Draw
  ) -> UInt32? {
    var hash = hash
    switch stickiness {
    case .usual:
      if let identifier = context.userId ?? context.sessionId {
        identifier.withBytes { hash.append($0) }
      } else {
        hash.append(decimal: draw.identifier())
      }
    case .chance: hash.append(decimal: draw.identifier())
    case .field(let field):
      if let value = value(of: field, context) {
        value.withBytes { hash.append($0) }
      } else if field.kind == .currentTime {
        hash.append(decimal: draw.identifier())
      } else {
        return nil
      }
    }
    return hash.bucket(of: modulus)
  }

  // MARK: - Variants

  /// The number of the variant that is chosen: of the strategy, else of the flag.
  func chosen(_ flag: CompiledFlag, _ strategy: Int?, _ context: FlagContext, _ draw: inout Draw) -> Int? {
    if let strategy, strategies[strategy].variants.run.count > 0 {
      return chosen(strategies[strategy].variants, context, &draw)
    }
    return chosen(flag.variants, context, &draw)
  }

  private func chosen(_ list: CompiledVariants, _ context: FlagContext, _ draw: inout Draw) -> Int? {
    if list.hasOverrides, let index = overridden(list, context) { return index }
    guard list.sum > 0 else { return nil }
    let share = share(list, context, &draw)
    for index in list.run.range where variants[index].weights >= share { return index }
    return nil
  }

  /// The share of a context: by the field, or by chance where that is missing.
  func share(_ list: CompiledVariants, _ context: FlagContext, _ draw: inout Draw) -> UInt32 {
    switch list.stickiness {
    case .usual where context.userId == nil && context.sessionId == nil: draw.share(of: list.sum)
    case .chance: draw.share(of: list.sum)
    default:
      bucket(list.stickiness, list.hash, modulus: list.sum, context, &draw) ?? draw.share(of: list.sum)
    }
  }

  private func overridden(_ list: CompiledVariants, _ context: FlagContext) -> Int? {
    for index in list.run.range {
      for override in variants[index].overrides.range {
        if let value = value(of: overrides[override].field, context), contains(value, in: overrides[override].texts) {
          return index
        }
      }
    }
    return nil
  }
}

extension MurmurHash3 {
  /// Appends the digits of a number below 10,000.
  mutating func append(decimal number: UInt32) {
    if number >= 1000 { append(UInt8(0x30 + number / 1000 % 10)) }
    if number >= 100 { append(UInt8(0x30 + number / 100 % 10)) }
    if number >= 10 { append(UInt8(0x30 + number / 10 % 10)) }
    append(UInt8(0x30 + number % 10))
  }
}
