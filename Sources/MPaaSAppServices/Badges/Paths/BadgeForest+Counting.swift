extension BadgeForest {
  /// The sums of all badges on whose path a widget stands.
  package mutating func totals(widget id: String) -> BadgeTotals {
    var totals = BadgeTotals()
    let branches = branchesByWidget[id] ?? []
    for index in branches where !self.branches[Int(index)].isRepeated { totals += self.branches[Int(index)].totals }
    for slot in slots(widget: id) where branches.isEmpty || !isOnPath(id, parents[slot]) {
      totals.add(badges[slot].style, badges[slot].number)
    }
    return totals
  }

  /// The places of the badges that a widget shows itself.
  mutating func slots(widget id: String) -> [Int] {
    let hash = UInt32(truncatingIfNeeded: PathHash.widget(id))
    if slotsByWidget == nil { slotsByWidget = WidgetSlots(widgetHashes) }
    return slotsByWidget?.slots(hash).filter { isLive($0) && badges[$0].ownWidgetID == id } ?? []
  }

  /// The sign that a widget shows: the sum where badges stand below it, else its own badge.
  package mutating func value(widget id: String, _ calculation: BadgeCalculation) -> BadgeValue {
    if isBranch(id) {
      let sum = totals(widget: id).sum(calculation)
      return sum > 0 ? .number(sum) : .none
    }
    let shown = slots(widget: id).filter { badges[$0].number > 0 }
    guard let first = shown.first else { return .none }
    // On several paths the widget is one and the same; only numbers can be added.
    let number = badges[first].style == .number ? shown.filter { badges[$0].style == .number } : [first]
    return BadgeValue(badges[first].style, number: number.reduce(0) { $0 + badges[$1].number })
  }

  /// The sums of the badges of a business: those that name it, and those on whose path a widget `#business#…` stands.
  package mutating func totals(business id: String) -> BadgeTotals {
    let sums = businesses ?? sumsByBusiness()
    businesses = sums
    return sums[id] ?? BadgeTotals()
  }

  private func sumsByBusiness() -> [String: BadgeTotals] {
    var sums: [String: BadgeTotals] = [:]
    // Of the branches once, since thousands of badges share them.
    var above: [Set<String>] = []
    for branch in branches {
      var names = branch.parent < 0 ? [] : above[Int(branch.parent)]
      if let name = Self.business(ofWidget: branch.widgetID) { names.insert(name) }
      above.append(names)
    }
    for slot in badges.indices where isLive(slot) {
      var names = parents[slot] < 0 ? [] : above[Int(parents[slot])]
      for name in [Self.business(ofWidget: badges[slot].ownWidgetID), badges[slot].businessID] {
        if let name { names.insert(name) }
      }
      for name in names { sums[name, default: BadgeTotals()].add(badges[slot].style, badges[slot].number) }
    }
    return sums
  }

  /// The business in a widget's name: the text between its first two `#`, as in `#M_PUBLIC_RD#2013`; nil for none.
  static func business(ofWidget id: String) -> String? {
    guard id.utf8.first == UInt8(ascii: "#") else { return nil }
    let rest = id.dropFirst()
    guard let end = rest.firstIndex(of: "#"), end != rest.startIndex else { return nil }
    return String(rest[..<end])
  }
}
