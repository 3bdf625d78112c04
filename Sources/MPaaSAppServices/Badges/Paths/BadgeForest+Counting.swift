extension BadgeForest {
  /// The sums of all badges on whose path a widget stands.
  package mutating func totals(widget id: String) -> BadgeTotals {
    var totals = BadgeTotals()
    let branches = branchesByWidget[id] ?? []
    for index in branches where !self.branches[Int(index)].isRepeated { totals += self.branches[Int(index)].totals }
    guard branches.isEmpty || mixedWidgets.contains(PathDigest(id).widgetHash) else { return totals }
    for slot in slots(widget: id) where branches.isEmpty || !isOnPath(id, parents[slot]) {
      totals.add(badges[slot].kind, badges[slot].number)
    }
    return totals
  }

  /// The places of the badges that a widget shows itself.
  mutating func slots(widget id: String) -> [Int] {
    // Such a text is a path, and no widget.
    guard !id.utf8.contains(UInt8(ascii: ",")) else { return [] }
    let digest = PathDigest(id)
    return slots(hash: digest.widgetHash).filter { isLive($0) && badges[$0].path.widget == digest.widget }
  }

  private mutating func slots(hash: UInt32) -> [Int] {
    if let slotsByWidget { return slotsByWidget.slots(hash) }
    searches += 1
    // A table pays off for many widgets only; the few of a screen are found faster one by one.
    guard searches > Self.mostSearches else { return widgetHashes.places(of: hash) }
    let table = WidgetSlots(widgetHashes)
    slotsByWidget = table
    return table.slots(hash)
  }

  private static let mostSearches = 20

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
    // The badges right below each branch together, since thousands of them share it.
    var direct = branches.map(\.totals)
    for branch in branches where branch.parent >= 0 { direct[Int(branch.parent)] -= branch.totals }
    var sums: [String: BadgeTotals] = [:]
    var above: [Set<String>] = []
    for (index, branch) in branches.enumerated() {
      var names = branch.parent < 0 ? [] : above[Int(branch.parent)]
      if let name = Self.business(ofWidget: branch.widgetID) { names.insert(name) }
      above.append(names)
      for name in names { sums[name, default: BadgeTotals()] += direct[index] }
    }
    for slot in businessSlots.lazy.map(Int.init) where badges[slot].namesBusiness && isLive(slot) {
      let known = parents[slot] < 0 ? [] : above[Int(parents[slot])]
      let own = [Self.business(ofWidget: badges[slot].ownWidgetID), badges[slot].businessID].compactMap { $0 }
      for name in Set(own).subtracting(known) {
        sums[name, default: BadgeTotals()].add(badges[slot].kind, badges[slot].number)
      }
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

extension [UInt32] {
  /// The places where a number stands, sixteen looked at in one step.
  fileprivate func places(of number: UInt32) -> [Int] {
    var places: [Int] = []
    withUnsafeBytes { bytes in
      let (wanted, size) = (SIMD16(repeating: number), MemoryLayout<SIMD16<UInt32>>.size)
      var start = 0
      while start < count {
        let end = Swift.min(start + 16, count)
        let isNeeded =
          end - start < 16
          || any(bytes.loadUnaligned(fromByteOffset: start / 16 * size, as: SIMD16<UInt32>.self) .== wanted)
        if isNeeded { places += (start..<end).filter { self[$0] == number } }
        start = end
      }
    }
    return places
  }
}
