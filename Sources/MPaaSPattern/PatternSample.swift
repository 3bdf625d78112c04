/// Texts that an expression matches as a whole, made at random.
package struct PatternSample: Sendable {
  /// The most scalars of a text.
  package static let longest = 1 << 16
  /// The most repetitions beyond the least where an expression sets no end.
  private static let mostMore = 8

  private let node: SampleNode

  /// Reads an expression.
  ///
  /// - Throws: `PatternError` with the offset of what cannot be there.
  package init(_ text: String) throws(PatternError) {
    guard text.utf8.count <= Pattern.longest else { throw PatternError(.tooLong, at: Pattern.longest) }
    var parser = PatternParser(text, ignoresCase: false)
    node = SampleNode(try parser.parse())
  }

  /// A text; conditions on places, such as `\b`, are taken to hold.
  package func text(using random: inout some RandomNumberGenerator) -> String {
    var text = String.UnicodeScalarView()
    var left = Self.longest
    Self.append(node, to: &text, &left, &random)
    return String(text)
  }

  private static func append(
    _ node: SampleNode, to text: inout String.UnicodeScalarView, _ left: inout Int,
    _ random: inout some RandomNumberGenerator
  ) {
    guard left > 0 else { return }
    switch node {
    case .nothing: break
    case .scalar(let ranges):
      left -= 1
      if let scalar = scalar(of: ranges, &random) { text.append(scalar) }
    case .sequence(let nodes): for node in nodes { append(node, to: &text, &left, &random) }
    case .choice(let nodes):
      if let node = nodes.randomElement(using: &random) { append(node, to: &text, &left, &random) }
    case .repeated(let inner, let least, let most):
      let count = Int.random(in: least...max(least, most), using: &random)
      // Even what is empty costs, so that repetitions of it come to an end.
      for _ in 0..<count where left > 0 {
        left -= 1
        append(inner, to: &text, &left, &random)
      }
    }
  }

  private static func scalar(
    of ranges: [ClosedRange<UInt32>], _ random: inout some RandomNumberGenerator
  ) -> Unicode.Scalar? {
    guard let range = ranges.randomElement(using: &random) else { return nil }
    let value = UInt32.random(in: range, using: &random)
    return Unicode.Scalar(value) ?? Unicode.Scalar(range.lowerBound)
  }

  /// An expression as far as texts are made of it.
  private indirect enum SampleNode: Sendable {
    case nothing
    case scalar([ClosedRange<UInt32>])
    case sequence([SampleNode])
    case choice([SampleNode])
    case repeated(SampleNode, least: Int, most: Int)

    init(_ node: PatternNode) {
      switch node {
      case .empty, .assertion: self = .nothing
      case .scalar(let set): self = .scalar(Self.readable(set.ranges))
      case .group(let inner, _), .lazy(let inner): self.init(inner)
      case .sequence(let nodes): self = .sequence(nodes.map { SampleNode($0) })
      case .choice(let nodes): self = .choice(nodes.map { SampleNode($0) })
      case .repeated(let inner, let least, let most):
        self = .repeated(SampleNode(inner), least: least, most: most ?? least + PatternSample.mostMore)
      }
    }

    /// Those of ASCII that people can read, where there are any; else all.
    private static func readable(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
      let seen: ClosedRange<UInt32> = 0x20...0x7e
      let some = ranges.filter { $0.overlaps(seen) }.map { $0.clamped(to: seen) }
      return some.isEmpty ? ranges : some
    }
  }
}
