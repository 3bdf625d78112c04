/// A QR code: a text in byte mode as a square of modules.
///
/// - Source: ISO/IEC 18004:2015.
package struct QRCode: Sendable, Equatable {
  package let version: QRVersion
  package let level: QRLevel
  /// The mask that was applied, 0 to 7.
  package let mask: Int
  private let matrix: QRMatrix

  /// Makes the code of a text in the smallest symbol that holds it.
  ///
  /// - Parameters:
  ///   - text: Bytes; readers take them as UTF-8.
  ///   - mask: nil for the one with the lowest penalty.
  /// - Throws: `QRError` where no symbol is large enough.
  package init(_ text: some Sequence<UInt8>, _ level: QRLevel = .medium, mask: Int? = nil) throws(QRError) {
    let text = Array(text)
    guard let version = QRVersion.smallest(text.count, level) else {
      throw QRError(count: text.count, most: QRVersion(number: 40).capacity(level))
    }
    (self.version, self.level) = (version, level)
    var plain = QRMatrix(version)
    plain.place(QRCodewords.all(text, version, level))
    let masks = mask.map { [$0 & 7] } ?? Array(0..<8)
    var best: (mask: Int, penalty: Int, matrix: QRMatrix)?
    for mask in masks {
      var matrix = plain
      matrix.apply(mask: mask, level)
      let penalty = masks.count > 1 ? QRPenalty.of(matrix) : 0
      if penalty < best?.penalty ?? .max { best = (mask, penalty, matrix) }
    }
    (self.mask, matrix) = best.map { ($0.mask, $0.matrix) } ?? (0, plain)
  }

  /// The modules of a side.
  package var size: Int { version.size }

  /// Tells whether a module is dark.
  package func isDark(row: Int, column: Int) -> Bool { matrix[row, column] }
}
