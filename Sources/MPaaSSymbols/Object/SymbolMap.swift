package import MPaaSSupport

/// The map of the names that a build with bitcode hid (`__hidden#12_`): a `.bcsymbolmap` file.
///
/// Its first line tells the version, each further line is a name; the number in a hidden name counts these from 0.
///
/// Source: LLVM's dsymutil, `SymbolMap.cpp` and the form that Xcode writes ("BCSymbolMap Version: 2.0").
package struct SymbolMap: Sendable {
  /// The names one behind the other.
  private let pool: Bytes
  /// The end of each name in `pool`.
  private let ends: [Int]

  private static let prefix = Array("__hidden#".utf8)
  private static let title = Array("BCSymbolMap Version:".utf8)
  /// Whole archives have fewer names.
  private static let mostNames = 1 << 23

  /// Tells whether bytes begin as a symbol map does.
  package static func matches(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { bytes.buffer.starts(with: title) }
  }

  /// nil where the bytes are no symbol map.
  package init?(_ bytes: Bytes) {
    guard Self.matches(bytes) else { return nil }
    var pool: [UInt8] = []
    var ends: [Int] = []
    for line in bytes.buffer.split(
      separator: UInt8(ascii: "\n"), maxSplits: Self.mostNames, omittingEmptySubsequences: false
    )
    .dropFirst() {
      Self.appendUnescaped(line, to: &pool)
      ends.append(pool.count)
    }
    self.pool = Bytes(pool)
    self.ends = ends
  }

  /// A name as it was; nil where it is not hidden or the map has no such number.
  ///
  /// `\u{1}` in front, which keeps compilers from adding an underscore, is left out.
  func name(_ hidden: UnsafeRawBufferPointer) -> String? {
    nameBytes(hidden).map { String(utf8: $0) }
  }

  /// The same as bytes, which live as long as the map.
  func nameBytes(_ hidden: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard hidden.starts(with: Self.prefix) else { return nil }
    var number = 0
    let digits = hidden.dropFirst(Self.prefix.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    for digit in digits { number = number * 10 + Int(digit - UInt8(ascii: "0")) }
    guard number < ends.count else { return nil }
    let name = pool.buffer[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
    return UnsafeRawBufferPointer(rebasing: name.first == 1 ? name.dropFirst() : name)
  }

  /// The name of a linker's symbol: with a third underscore in front the map has the compiler's name, else the
  /// linker's.
  func symbol(_ hidden: UnsafeRawBufferPointer) -> String? {
    if let name = name(hidden) {
      return name.hasPrefix("_") ? String(name.dropFirst()) : name
    }
    guard hidden.first == UInt8(ascii: "_") else { return nil }
    return name(UnsafeRawBufferPointer(rebasing: hidden.dropFirst()))
  }

  /// Tells whether a name is one that the build hid.
  static func isHidden(_ name: UnsafeRawBufferPointer) -> Bool {
    name.starts(with: prefix) || (name.first == UInt8(ascii: "_") && name.dropFirst().starts(with: prefix))
  }

  /// Octal and letter escapes as C has them, which version 2 writes for what is not printable.
  private static func appendUnescaped(_ line: UnsafeRawBufferPointer.SubSequence, to bytes: inout [UInt8]) {
    guard line.contains(UInt8(ascii: "\\")) else {
      bytes.append(contentsOf: line)
      return
    }
    var rest = line
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
      if digits.isEmpty {
        rest = rest.dropFirst()
        bytes.append(next == UInt8(ascii: "t") ? 9 : next == UInt8(ascii: "n") ? 10 : next)
      } else {
        rest = rest.dropFirst(digits.count)
        bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }))
      }
    }
  }
}
