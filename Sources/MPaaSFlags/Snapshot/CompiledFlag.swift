import MPaaSBuckets

/// A run of elements in an array of a snapshot.
struct Run: Equatable, Sendable {
  var start: Int32 = 0
  var count: Int32 = 0

  var range: Range<Int> { Int(start)..<Int(start + count) }
}

/// A flag as it is evaluated.
///
/// Like all of a snapshot it holds numbers alone, so that looking at it counts no references.
struct CompiledFlag: Sendable {
  var isEnabled: Bool
  /// Tells whether something in its strategies has no meaning, so that it is off.
  var isBroken = false
  var strategies = Run()
  var variants = CompiledVariants()
  var parents = Run()
}

/// A strategy as it is evaluated.
struct CompiledStrategy: Sendable {
  enum Rule: Sendable {
    case always
    case never
    case users(TextList)
    case hosts(TextList)
    case addresses(Run)
    /// The hash has the group and a colon already.
    case rollout(percentage: UInt32, Stickiness, MurmurHash3)
    case random(percentage: UInt32)
  }

  var rule: Rule
  var constraints = Run()
  /// Numbers of segments, in `segmentNumbers`.
  var segments = Run()
  var variants = CompiledVariants()
}

/// The field by which a context always gets the same share.
enum Stickiness: Equatable, Sendable {
  /// The user, else the session, else chance.
  case usual
  case chance
  case field(CompiledField)
}

/// A field of contexts.
struct CompiledField: Equatable, Sendable {
  enum Kind: UInt8, Sendable { case userId, sessionId, environment, appName, remoteAddress, currentTime, property }

  var kind: Kind
  /// The number of a property's name.
  var name: Int32 = 0
}

/// Texts in `bytes`, among which one is looked for.
struct TextList: Equatable, Sendable {
  var texts = Run()
  /// The places of a table of their hashes, for more than eight texts.
  var table = Run()
}

/// A constraint as it is evaluated.
struct CompiledConstraint: Sendable {
  enum Test: Sendable {
    case never
    case isOne(TextList)
    case isNone(TextList)
    case starts(Run, ignoresCase: Bool)
    case ends(Run, ignoresCase: Bool)
    case contains(Run, ignoresCase: Bool)
    case number(Comparison, Double)
    case moment(Comparison, Moment)
    /// The version is a text.
    case version(Comparison, Int32)
    case pattern(Int32)
    case addresses(Run)
  }

  enum Comparison: Sendable {
    case equal, less, atMost, greater, atLeast

    /// Tells whether an order below, at or above 0 is meant.
    func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .less: order < 0
      case .atMost: order <= 0
      case .greater: order > 0
      case .atLeast: order >= 0
      }
    }
  }

  var field: CompiledField
  var test: Test
  var isInverted: Bool
}

/// Variants as one is chosen.
struct CompiledVariants: Sendable {
  var run = Run()
  var sum: UInt32 = 0
  var stickiness = Stickiness.usual
  /// The hash that has the group and a colon already.
  var hash = MurmurHash3(seed: CompiledVariants.seed)
  var hasOverrides = false

  /// The seed that sets shares of variants apart from those of rollouts.
  static let seed: UInt32 = 86_028_157
}

/// A variant in a list.
struct CompiledVariant: Sendable {
  /// The sum of the weights up to this one.
  var weights: UInt32
  var overrides = Run()
}

/// Texts of a field that lead to a variant.
struct CompiledOverride: Sendable {
  var field: CompiledField
  var texts: TextList
}

/// A flag that another depends on.
struct CompiledParent: Sendable {
  /// The number of the flag; -1 where there is none.
  var flag: Int32
  var isEnabled: Bool
  var variants: TextList
}
