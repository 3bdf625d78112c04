extension BinaryInteger {
  /// The number with zeros in front where it has fewer digits.
  ///
  /// - Parameter width: The least number of characters of a number that is not negative.
  package func padded(to width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let digits = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
