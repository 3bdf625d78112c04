package import MPaaSSupport

extension MetadataFields {
  package func problem(_ name: String) -> TrustError { TrustError(.metadataMalformed, ["field": name]) }

  package func require(_ condition: Bool, _ name: String) throws(TrustError) {
    guard condition else { throw problem(name) }
  }

  /// Refuses members that are unknown.
  package func finish() throws(TrustError) {
    guard let name = rest.keys.min() else { return }
    throw problem(name)
  }

  package mutating func values(_ name: String) throws(TrustError) -> [JSONValue] {
    guard let values = optional(name)?.array else { throw problem(name) }
    return values
  }

  /// A string that is one of the enumeration's words.
  package mutating func word<Word: RawRepresentable<String>>(_ name: String) throws(TrustError) -> Word {
    guard let word = Word(rawValue: try string(name)) else { throw problem(name) }
    return word
  }

  /// Strings in order, none of them twice.
  package mutating func list(_ name: String) throws(TrustError) -> [String] {
    let list = try strings(name)
    try require(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, name)
    return list
  }
}
