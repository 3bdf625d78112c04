/// The conditions on the name of a host that a forward proxy is to look up.
struct ResolutionConditions {
  /// The delay of its look-up.
  private(set) var delay: Duration = .zero
  /// The reason why it is not found; nil where it is.
  private(set) var failure: String?

  init(_ conditions: ProxyConditions, connection: UInt64, name: NetworkAddress) {
    guard name.literal == nil else { return }
    for toxic in Direction.allCases.flatMap({ conditions.toxics($0, touching: connection) }) {
      switch toxic.condition {
      case .dnsDelay(let condition) where name.host.matches(condition.name): delay += condition.delay
      case .dnsFailure(let condition) where name.host.matches(condition.name):
        var random = LinkRandom(seed: LinkRandom.seed(conditions.seed, connection, LinkRandom.number(of: toxic.name)))
        if random.happens(condition.probability) { failure = "the name is not found: \(condition.answer.rawValue)" }
      default: break
      }
    }
  }
}

extension String {
  /// Tells whether it is the pattern, in which `*` stands for anything, without regard to case; nil is any.
  fileprivate func matches(_ written: String?) -> Bool {
    guard let written else { return true }
    let (text, pattern) = (Array(lowercased().utf8), Array(written.lowercased().utf8))
    var (place, mark, star, restart) = (0, 0, -1, 0)
    while place < text.count {
      if mark < pattern.count, pattern[mark] == text[place], pattern[mark] != UInt8(ascii: "*") {
        place += 1
        mark += 1
      } else if mark < pattern.count, pattern[mark] == UInt8(ascii: "*") {
        (star, restart) = (mark, place)
        mark += 1
      } else if star >= 0 {
        restart += 1
        (place, mark) = (restart, star + 1)
      } else {
        return false
      }
    }
    return pattern[mark...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
