/// Two places of a clone side by side: their lines, and the tokens that differ.
package struct CloneComparison: Sendable {
  /// A piece of a line.
  package struct Piece: Sendable, Equatable {
    package var text: String
    package var differs: Bool
  }

  package struct Line: Sendable, Equatable {
    /// From 1.
    package var number: Int
    package var pieces: [Piece]
  }

  /// Lines that belong together; nil where the other side has more.
  package private(set) var rows: [(left: Line?, right: Line?)] = []

  /// Tokens: longer places with gaps are shown without marks.
  private static let limit = 20_000

  private struct Side {
    let source: PositionedTokens
    let tokens: [TokenPosition]
    let span: CloneSpan
    /// The token of the other side that each token is the same as.
    var partners: [Int?]
    /// Marks of tokens whose text differs from that of its partner.
    var differs: [Bool]
  }

  /// - Returns: Nil where a source has changed since.
  package init?(_ found: FoundClone, _ one: Int, _ other: Int, _ texts: CloneTexts) {
    let places = found.clone.places
    guard let first = texts.tokens(places[one].source), let second = texts.tokens(places[other].source),
      places[one].tokens.upperBound <= first.tokens.count, places[other].tokens.upperBound <= second.tokens.count
    else { return nil }
    func side(_ source: PositionedTokens, _ index: Int) -> Side {
      let tokens = source.tokens[places[index].tokens].filter { !$0.isCut }
      return Side(
        source: source, tokens: tokens, span: found.spans[index],
        partners: [Int?](repeating: nil, count: tokens.count), differs: [Bool](repeating: true, count: tokens.count))
    }
    var (left, right) = (side(first, one), side(second, other))
    Self.pair(&left, &right, found.clone.type)
    align(left, right)
  }

  private static func pair(_ left: inout Side, _ right: inout Side, _ type: CloneType) {
    func link(_ one: Int, _ other: Int, _ isSame: Bool) {
      (left.partners[one], right.partners[other]) = (other, one)
      (left.differs[one], right.differs[other]) = (!isSame, !isSame)
    }
    let (first, second) = (left.tokens.map(left.source.text), right.tokens.map(right.source.text))
    if type != .gapped || left.tokens.count > limit || right.tokens.count > limit {
      for index in 0..<min(first.count, second.count) { link(index, index, first[index] == second[index]) }
      return
    }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in second.difference(from: first) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let (kept, found) = (
      first.indices.filter { !removed.contains($0) }, second.indices.filter { !inserted.contains($0) }
    )
    for (one, other) in zip(kept, found) { link(one, other, true) }
  }

  // MARK: Lines

  private mutating func align(_ left: Side, _ right: Side) {
    // The line of the other side that each line on the left stands beside, by its first token with a partner.
    var anchors: [Int: Int] = [:]
    for (index, token) in left.tokens.enumerated() {
      guard let partner = left.partners[index] else { continue }
      let line = left.source.line(token.start)
      if anchors[line] == nil { anchors[line] = right.source.line(right.tokens[partner].start) }
    }
    let (leftLines, rightLines) = (Self.lines(left), Self.lines(right))
    let paired = Set(
      right.tokens.indices.filter { right.partners[$0] != nil }.map { right.source.line(right.tokens[$0].start) })
    var next = 0
    for line in leftLines {
      if let anchor = anchors[line.number] {
        while next < rightLines.count, rightLines[next].number < anchor {
          rows.append((nil, rightLines[next]))
          next += 1
        }
        if next < rightLines.count, rightLines[next].number == anchor {
          rows.append((line, rightLines[next]))
          next += 1
          continue
        }
      } else if next < rightLines.count, !paired.contains(rightLines[next].number) {
        // Neither has a token of the other: empty lines, comments, changed lines.
        rows.append((line, rightLines[next]))
        next += 1
        continue
      }
      rows.append((line, nil))
    }
    for line in rightLines[min(next, rightLines.count)...] { rows.append((nil, line)) }
  }

  private static func lines(_ side: Side) -> [Line] {
    var token = 0
    return (side.span.start...max(side.span.start, side.span.end)).compactMap { number in
      guard number > 0, number <= side.source.lines.count else { return nil }
      let range = side.source.line(number: number)
      var pieces: [Piece] = []
      var place = range.lowerBound
      func add(_ end: Int, _ differs: Bool) {
        guard end > place else { return }
        let text = String(decoding: side.source.bytes[place..<end], as: UTF8.self)
        if let last = pieces.last, last.differs == differs {
          pieces[pieces.count - 1].text += text
        } else {
          pieces.append(Piece(text: text, differs: differs))
        }
        place = end
      }
      while token < side.tokens.count, side.tokens[token].start < range.upperBound {
        let position = side.tokens[token]
        add(min(max(position.start, place), range.upperBound), false)
        add(min(position.end, range.upperBound), side.differs[token])
        // A text of several lines goes on in the next.
        if position.end > range.upperBound { break }
        token += 1
      }
      add(range.upperBound, false)
      return Line(number: number, pieces: pieces)
    }
  }
}
