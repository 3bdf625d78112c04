import MPaaSSupport

/// The members of an object that are read, all others being gone past.
struct WantedMembers: Sendable {
  private let names: [(text: StaticString, key: String)]

  init(_ names: StaticString...) {
    self.names = names.map { ($0, $0.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }) }
  }

  /// The members of the object that is next that are wanted; none of what is no object, nil of what cannot be read.
  func read(_ skim: inout JSONSkim) -> JSONValue.Object? {
    var object: JSONValue.Object = [:]
    guard skim.next == UInt8(ascii: "{") else { return skim.skip() ? [:] : nil }
    return skim.object { name, skim in take(name, &skim, into: &object) } ? object : nil
  }

  /// Reads the value that is next where its name is wanted, and goes past it.
  func take(_ name: Range<Int>, _ skim: inout JSONSkim, into object: inout JSONValue.Object) -> Bool {
    guard let wanted = names.first(where: { skim.isName(name, $0.text) }) else { return skim.skip() }
    if skim.next == UInt8(ascii: "\"") {
      guard let text = skim.string() else { return false }
      object[wanted.key] = .string(text)
      return true
    }
    guard let value = skim.value() else { return false }
    object[wanted.key] = value
    return true
  }
}
