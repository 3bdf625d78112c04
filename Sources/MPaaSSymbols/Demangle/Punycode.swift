/// Decodes identifiers that are not ASCII, as Rust's v0 names hold them.
///
/// Source: RFC 3492 with the parameters of IDNA; the delimiter is `_`, not `-`.
enum Punycode {
  static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    var scalars: [Unicode.Scalar] = []
    var rest = bytes
    if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
      scalars = bytes[..<delimiter].map { Unicode.Scalar($0) }
      rest = bytes[bytes.index(after: delimiter)...]
    }
    guard !rest.isEmpty, rest.count < 1 << 10 else { return nil }
    var code: UInt32 = 128
    var index: UInt32 = 0
    var bias: UInt32 = 72
    var isFirst = true
    while !rest.isEmpty {
      guard let delta = number(&rest, bias) else { return nil }
      let (sum, overflow) = index.addingReportingOverflow(delta)
      guard !overflow else { return nil }
      let count = UInt32(scalars.count) + 1
      bias = adapted(delta, count, isFirst: isFirst)
      isFirst = false
      guard sum / count < 0x110000 else { return nil }
      code += sum / count
      index = sum % count
      guard let scalar = Unicode.Scalar(code) else { return nil }
      scalars.insert(scalar, at: Int(index))
      index += 1
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// One generalised variable-length integer.
  private static func number(_ rest: inout ArraySlice<UInt8>, _ bias: UInt32) -> UInt32? {
    var value: UInt32 = 0
    var weight: UInt32 = 1
    var step: UInt32 = 36
    while let byte = rest.popFirst() {
      guard let digit = digit(byte) else { return nil }
      let (product, tooLarge) = digit.multipliedReportingOverflow(by: weight)
      let (sum, carried) = value.addingReportingOverflow(product)
      guard !tooLarge, !carried else { return nil }
      value = sum
      let threshold = step <= bias ? 1 : min(step - bias, 26)
      if digit < threshold { return value }
      let (next, overflow) = weight.multipliedReportingOverflow(by: 36 - threshold)
      guard !overflow else { return nil }
      weight = next
      step += 36
    }
    return nil
  }

  private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var step: UInt32 = 0
    while delta > 455 {
      delta /= 35
      step += 36
    }
    return step + 36 * delta / (delta + 38)
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 26
    default: nil
    }
  }
}
