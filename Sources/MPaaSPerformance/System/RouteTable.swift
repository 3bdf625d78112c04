/// The default routes of Linux, as `/proc/net/route` and `/proc/net/ipv6_route` list them.
enum RouteTable {
  /// The interface of the best default route; nil where there is none.
  ///
  /// - Parameters:
  ///   - fourth: The text of `/proc/net/route`: name, destination, gateway, flags, …, metric, mask, in hexadecimal.
  ///   - sixth: The text of `/proc/net/ipv6_route`: destination, its prefix, source, its prefix, gateway, metric, …,
  ///     flags, name.
  static func interface(fourth: String, sixth: String) -> String? {
    var best: (metric: UInt64, name: String)?
    func offer(_ name: Substring, _ metric: UInt64, _ flags: UInt64) {
      // RTF_UP, and not RTF_REJECT.
      guard flags & 1 != 0, flags & 0x200 == 0, name != "lo" else { return }
      if best.map({ metric < $0.metric }) ?? true { best = (metric, String(name)) }
    }
    for line in fourth.split(separator: "\n").dropFirst() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count >= 8, words[1] == "00000000", words[7] == "00000000", let flags = UInt64(words[3], radix: 16),
        let metric = UInt64(words[6])
      else { continue }
      offer(words[0], metric, flags)
    }
    for line in sixth.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count >= 10, words[1] == "00", words[0].allSatisfy({ $0 == "0" }),
        let metric = UInt64(words[5], radix: 16), let flags = UInt64(words[8], radix: 16)
      else { continue }
      offer(words[9], metric, flags)
    }
    return best?.name
  }
}
