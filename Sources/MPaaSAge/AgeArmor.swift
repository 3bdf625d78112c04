import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The text form of age files: strict PEM (RFC 7468 section 3) with lines of 64 characters.
///
/// Source: age-encryption.org/v1, section "ASCII armor".
enum AgeArmor {
  static let begin = "-----BEGIN AGE ENCRYPTED FILE-----"
  static let end = "-----END AGE ENCRYPTED FILE-----"
  static let lineSize = 64
  /// Bytes that fill a line.
  static let lineBytes = 48

  /// Lines of what `bytes` says, each with its line feed; only the last piece of a file may have another size than
  /// a multiple of 48.
  static func lines(_ bytes: Data) -> [UInt8] {
    let text = Base64.digits(bytes)
    var lines: [UInt8] = []
    lines.reserveCapacity(text.count + text.count / lineSize + 1)
    for start in stride(from: 0, to: text.count, by: lineSize) {
      lines += text[start..<min(start + lineSize, text.count)]
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}

/// Reads armour piece by piece.
struct AgeArmorReader {
  private static let space: Set<UInt8> = [0x09, 0x0a, 0x0d, 0x20]
  /// Lines that are decoded at once.
  private static let batch = 1366

  private let file: UnsafeRawBufferPointer
  /// Bytes of the file that were used up.
  private(set) var offset = 0
  private var isAtEnd = false

  /// Tells whether the file begins as armour does, behind white space.
  static func looksArmored(_ file: UnsafeRawBufferPointer) -> Bool {
    file.prefix(1024).drop { space.contains($0) }.starts(with: "-----BEGIN".utf8)
  }

  /// - Throws: `TrustError` `age-armor-malformed` with the value `place`.
  init(_ file: UnsafeRawBufferPointer) throws(TrustError) {
    self.file = file
    offset = file.prefix(1024).firstIndex { !Self.space.contains($0) } ?? 0
    guard let line = line(), line.elementsEqual(AgeArmor.begin.utf8) else { throw error(0) }
  }

  private func error(_ place: Int) -> TrustError { TrustError(.ageArmorMalformed, ["place": "offset \(place)"]) }

  /// The next line without its end, LF or CRLF; nil behind the last one.
  private mutating func line() -> Slice<UnsafeRawBufferPointer>? {
    guard offset < file.count else { return nil }
    // No line is longer than the first one; longer ones are refused without being looked through.
    let window = file[offset..<min(file.count, offset + AgeArmor.lineSize + 2)]
    guard let feed = window.firstIndex(of: UInt8(ascii: "\n")) else {
      offset = window.endIndex
      return window
    }
    let line = file[offset..<feed]
    offset = feed + 1
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The bytes of the next lines; nil behind the last one.
  mutating func next() throws(TrustError) -> Data? {
    guard !isAtEnd else { return nil }
    let start = offset
    var text = Data(capacity: Self.batch * AgeArmor.lineSize)
    for _ in 0..<Self.batch {
      let place = offset
      guard let line = line() else { throw error(place) }
      if line.first == UInt8(ascii: "-") {
        try finish(line, at: place)
        break
      }
      guard !line.isEmpty, line.count <= AgeArmor.lineSize else { throw error(place) }
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: line))
      // Only the last line may be a short one, or a padded one.
      if line.count < AgeArmor.lineSize || line.last == UInt8(ascii: "=") {
        let place = offset
        guard let last = self.line() else { throw error(place) }
        try finish(last, at: place)
        break
      }
    }
    guard let bytes = Base64.decode(text) else { throw error(start) }
    return Data(bytes)
  }

  private mutating func finish(_ line: Slice<UnsafeRawBufferPointer>, at place: Int) throws(TrustError) {
    guard line.elementsEqual(AgeArmor.end.utf8),
      file[offset...].allSatisfy({ Self.space.contains($0) })
    else { throw error(place) }
    isAtEnd = true
  }
}

extension TrustError.Code {
  package static let ageArmorMalformed = malformed("age-armor-malformed")
}
