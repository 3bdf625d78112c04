/// Base64 as headers bear digests and metadata (RFC 4648, 4).
enum Base64 {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var (held, bits) = (UInt32(0), 0)
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(letters[Int(held >> UInt32(bits) & 63)])
      }
      held &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { text.append(letters[Int(held << UInt32(6 - bits) & 63)]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }
}
