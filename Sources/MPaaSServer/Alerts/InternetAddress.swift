#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An address of IPv4 or IPv6, by its bytes.
struct InternetAddress: Sendable, Equatable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads `192.0.2.1` with four plain decimal numbers, or an address of IPv6 without brackets and zone.
  init?(_ text: String) {
    if text.contains(":") {
      var address = in6_addr()
      guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
      bytes = withUnsafeBytes(of: address) { Array($0) }
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let numbers = parts.compactMap { part in
      part.count <= 3 && part.allSatisfy(\.isASCII) && (part == "0" || !part.hasPrefix("0")) ? UInt8(part) : nil
    }
    guard numbers.count == 4, !text.contains("+") else { return nil }
    bytes = numbers
  }

  /// Tells whether it is one of the whole internet (the special ones of RFC 6890 and IANA's registries are not).
  var isGlobal: Bool { bytes.count == 4 ? Self.isGlobal4(bytes) : bytes.count == 16 && Self.isGlobal6(bytes) }

  private static func isGlobal4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (224...255, _, _): false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): false
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): false
    default: true
    }
  }

  private static func isGlobal6(_ bytes: [UInt8]) -> Bool {
    // Addresses of IPv4 in others: mapped, compatible, of NAT64, of 6to4.
    if bytes[0..<10].allSatisfy({ $0 == 0 }), bytes[10..<12] == [0xff, 0xff] || bytes[10..<12] == [0, 0] {
      return bytes[10] == 0xff && isGlobal4(Array(bytes[12...]))
    }
    if bytes[0..<12] == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] { return isGlobal4(Array(bytes[12...])) }
    if bytes[0..<2] == [0x20, 0x02] { return isGlobal4(Array(bytes[2..<6])) }
    // Only 2000::/3 is given out; Teredo, the documentation's and other special ones are within.
    guard bytes[0] & 0xe0 == 0x20 else { return false }
    if bytes[0..<2] == [0x20, 0x01], bytes[2] < 0x02 || bytes[2..<4] == [0x0d, 0xb8] { return false }
    return bytes[0..<2] != [0x3f, 0xff]
  }
}
