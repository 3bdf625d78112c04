/// Scalars that differ by case only, by simple folding: one scalar for one.
///
/// - Source: Unicode Standard, section 5.18, and CaseFolding.txt, statuses C and S, which follow from the mappings of
///   scalars to one scalar; the dotless and the dotted i fold to none.
enum CaseFolding {
  /// The other scalars of each scalar that has any, in the order of the scalars.
  private static let partners: [(scalar: UInt32, others: [UInt32])] = {
    var orbits: [UInt32: [UInt32]] = [:]
    for scalar in cased.joined() where scalar != 0x130 && scalar != 0x131 {
      guard let key = key(of: scalar) else { continue }
      orbits[key, default: []].append(scalar)
    }
    var partners: [(scalar: UInt32, others: [UInt32])] = []
    for orbit in orbits.values where orbit.count > 1 {
      for scalar in orbit { partners.append((scalar, orbit.filter { $0 != scalar })) }
    }
    return partners.sorted { $0.scalar < $1.scalar }
  }()

  /// The blocks that have letters with cases.
  private static let cased: [ClosedRange<UInt32>] = [
    0x41...0x5a, 0x61...0x7a, 0xb5...0x587, 0x10a0...0x13fd, 0x1c80...0x1cbf, 0x1d79...0x1d8e, 0x1e00...0x2188,
    0x24b6...0x24e9, 0x2c00...0x2d2d, 0xa640...0xabbf, 0xfb05...0xfb06, 0xff21...0xff5a, 0x10400...0x105bc,
    0x10c80...0x10d85, 0x118a0...0x118df, 0x16e40...0x16ed3, 0x1e900...0x1e943,
  ]

  /// The scalar that stands for all that differ by case only: the lower case of the upper case.
  private static func key(of scalar: UInt32) -> UInt32? {
    guard let start = Unicode.Scalar(scalar) else { return nil }
    let upper = single(start.properties.uppercaseMapping) ?? start
    return (single(upper.properties.lowercaseMapping) ?? single(start.properties.lowercaseMapping) ?? start).value
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  /// Adds to `ranges` what differs by case only from scalars of a range.
  static func add(_ range: ClosedRange<UInt32>, to ranges: inout [ClosedRange<UInt32>]) {
    var (low, high) = (0, partners.count)
    while low < high {
      let middle = (low + high) / 2
      if partners[middle].scalar < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    while low < partners.count, partners[low].scalar <= range.upperBound {
      for other in partners[low].others where !range.contains(other) { ranges.append(other...other) }
      low += 1
    }
  }
}
