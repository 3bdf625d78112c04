import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The header before a file in the one form of ustar that bundles use: only path and size differ between headers.
///
/// Source: POSIX.1-2017, pax, "ustar Interchange Format". Mode 644, owner 0, time 0, no names, no links, no devices.
struct UstarHeader: Equatable {
  static let block = 512
  /// Eleven octal digits.
  static let largestFile = 1 << 33 - 1

  let path: String
  let size: Int

  /// Bytes of the file with the zeros behind it.
  var paddedSize: Int { (size + Self.block - 1) / Self.block * Self.block }

  /// The header; nil where the path has more than 100 bytes and no `/` to split it at, or either part is too long.
  var bytes: [UInt8]? {
    guard let (prefix, name) = Self.split(path), (0...Self.largestFile).contains(size) else { return nil }
    var fields = Fields()
    fields.put(name, at: 0)
    fields.put("0000644".utf8, at: 100)
    fields.put("0000000".utf8, at: 108)
    fields.put("0000000".utf8, at: 116)
    fields.put(Self.octal(size, digits: 11), at: 124)
    fields.put("00000000000".utf8, at: 136)
    fields.put("0".utf8, at: 156)
    fields.put("ustar\u{0}00".utf8, at: 257)
    fields.put("0000000".utf8, at: 329)
    fields.put("0000000".utf8, at: 337)
    fields.put(prefix, at: 345)
    // The field of the sum itself counts as eight spaces.
    let sum = fields.sum + 8 * 0x20
    fields.put(Self.octal(sum, digits: 6) + [0, 0x20], at: 148)
    return fields.bytes
  }

  /// The path in the two fields for it, cut at the first `/` that leaves at most 100 bytes behind it.
  private static func split(_ path: String) -> (prefix: [UInt8], name: [UInt8])? {
    let bytes = Array(path.utf8)
    guard bytes.count > 100 else { return ([], bytes) }
    let earliest = bytes.count - 101
    guard let slash = bytes[earliest...].firstIndex(of: UInt8(ascii: "/")), (1...155).contains(slash) else {
      return nil
    }
    return (Array(bytes[..<slash]), Array(bytes[(slash + 1)...]))
  }

  private static func octal(_ value: Int, digits: Int) -> [UInt8] {
    let text = String(value, radix: 8)
    return Array(repeating: UInt8(ascii: "0"), count: max(digits - text.utf8.count, 0)) + Array(text.utf8)
  }

  /// The 512 bytes while they are filled in, and their sum.
  private struct Fields {
    var bytes = [UInt8](repeating: 0, count: UstarHeader.block)
    var sum = 0

    mutating func put(_ field: some Sequence<UInt8>, at offset: Int) {
      var place = offset
      for byte in field {
        bytes[place] = byte
        sum += Int(byte)
        place += 1
      }
    }
  }
}

/// The reason why bytes are not the one form of ustar that bundles use, and where.
struct UstarError: Error, Equatable {
  enum Code: Equatable {
    /// The magic or the sum of a header is wrong.
    case header
    /// A link, a folder, an extended header: anything but a file.
    case kind(UInt8)
    /// A field, or the zeros behind a file, are not as they would be written.
    case notCanonical
    case truncated
    /// Something follows the end.
    case trailingBytes
    /// The path is not UTF-8.
    case path
  }
  let code: Code
  /// Bytes from the start of the archive.
  let offset: Int
}

extension UstarHeader {
  /// Reads a header: it must be exactly what `bytes` writes for its path and size.
  ///
  /// - Parameter block: 512 bytes.
  /// - Parameter offset: Where they stand, for errors.
  init(reading block: UnsafeRawBufferPointer, at offset: Int) throws(UstarError) {
    let size = Self.value(octal: block, 124..<136)
    let name = Self.text(block, 0..<100)
    let prefix = Self.text(block, 345..<500)
    if let size, let name, let prefix {
      self.init(path: prefix.isEmpty ? name : prefix + "/" + name, size: size)
      if let bytes, bytes.withUnsafeBytes({ block.isSame(as: $0) }) { return }
    }
    throw UstarError(code: Self.fault(block, hasPath: name != nil && prefix != nil), offset: offset)
  }

  private static func fault(_ block: UnsafeRawBufferPointer, hasPath: Bool) -> UstarError.Code {
    guard block[257..<265].elementsEqual("ustar\u{0}00".utf8) else { return .header }
    var sum = 8 * 0x20
    for index in 0..<Self.block where !(148..<156).contains(index) { sum += Int(block[index]) }
    var stated = 0
    for byte in block[148..<156] where byte & 0xf8 == 0x30 { stated = stated << 3 | Int(byte & 7) }
    guard stated == sum else { return .header }
    guard block[156] == UInt8(ascii: "0") else { return .kind(block[156]) }
    return hasPath ? .notCanonical : .path
  }

  /// Octal digits that fill all of a field but the zero at its end.
  private static func value(octal block: UnsafeRawBufferPointer, _ field: Range<Int>) -> Int? {
    var value = 0
    for index in field.dropLast() {
      guard block[index] & 0xf8 == 0x30 else { return nil }
      value = value << 3 | Int(block[index] & 7)
    }
    return block[field.upperBound - 1] == 0 ? value : nil
  }

  private static func text(_ block: UnsafeRawBufferPointer, _ field: Range<Int>) -> String? {
    let bytes = block[field]
    return String(validUTF8: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)])
  }
}

extension UnsafeRawBufferPointer {
  /// Tells whether the bytes are the same; far faster than `elementsEqual` where nothing is optimised.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(left, right, count) == 0
  }
}
