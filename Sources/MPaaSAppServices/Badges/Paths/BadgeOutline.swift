/// A widget with what it shows, and those below it.
package struct BadgeOutline: Sendable {
  package let widgetID: String
  package let path: String
  package let value: BadgeValue
  /// The widget's own badge; nil where there is none.
  package let badge: BadgeInfo?
  /// The sum that the widget stands for.
  package let number: Int
  package let children: [BadgeOutline]
}

extension BadgeForest {
  /// Clears what a tap on a widget clears; a widget with others below it stays as it is.
  package mutating func tap(_ widgetID: String) {
    guard !isBranch(widgetID) else { return }
    for slot in slots(widget: widgetID) { _ = clearTemporary(slot) }
  }

  /// The widgets as a tree, those of a level in the order in which they came.
  package func outline(_ calculation: BadgeCalculation) -> [BadgeOutline] {
    var leaves: [Int32: [Int]] = [:]
    var below: [Int32: [Int]] = [:]
    for slot in badges.indices where isLive(slot) && branchByPath[badges[slot].path.full] == nil {
      leaves[parents[slot], default: []].append(slot)
    }
    for index in branches.indices { below[branches[index].parent, default: []].append(index) }
    return outlines(below: -1, leaves, below, calculation)
  }

  private func outlines(
    below branch: Int32, _ leaves: [Int32: [Int]], _ branches: [Int32: [Int]], _ calculation: BadgeCalculation
  ) -> [BadgeOutline] {
    let parents = (branches[branch] ?? []).map { index in
      let node = self.branches[index]
      let sum = node.totals.sum(calculation)
      return BadgeOutline(
        widgetID: node.widgetID, path: node.path, value: sum > 0 ? .number(sum) : .none, badge: badge(node.path),
        number: sum, children: outlines(below: Int32(truncatingIfNeeded: index), leaves, branches, calculation))
    }
    let own = (leaves[branch] ?? []).map { slot in
      let badge = badges[slot]
      return BadgeOutline(
        widgetID: badge.ownWidgetID, path: badge.badgeID, value: BadgeValue(badge.style, number: badge.number),
        badge: badge, number: badge.number, children: [])
    }
    return parents + own
  }
}
