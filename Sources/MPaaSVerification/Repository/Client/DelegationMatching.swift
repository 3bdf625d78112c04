import MPaaSDigests
import MPaaSSupport

extension DelegatedRole.Scope {
  /// Tells whether the role may vouch for the target `name`.
  package func covers(_ name: String) -> Bool {
    switch self {
    case .paths(let patterns): patterns.contains { PathPattern.matches($0, name) }
    case .hashPrefixes(let prefixes):
      { digest in prefixes.contains { digest.utf8.starts(with: $0.utf8) } }(name.utf8.sha256.hexadecimal)
    }
  }
}

extension SuccinctRoles {
  /// Digits of the number behind the prefix of a bin's name.
  private var digits: Int { (bitLength + 3) / 4 }

  /// The name of the bin that the target `name` belongs to: the first bits of the SHA-256 of the name (TAP 15).
  package func bin(of name: String) -> String {
    let first = name.utf8.sha256.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bin(at: bitLength >= 32 ? first : first >> UInt32(32 - bitLength))
  }

  /// The name of the bin with a number, `bin-0f`.
  package func bin(at index: UInt32) -> String { namePrefix + "-" + index.padded(to: digits, radix: 16) }
}

extension Delegations {
  /// The roles that may vouch for the target `name`, in the order in which they are asked, up to the first that ends
  /// the search.
  package func roles(covering name: String) -> [(name: String, keys: RoleKeys, isTerminating: Bool)] {
    switch roles {
    case .succinct(let bins): return [(bins.bin(of: name), bins.keys, false)]
    case .listed(let list):
      var covering: [(name: String, keys: RoleKeys, isTerminating: Bool)] = []
      for role in list where role.scope.covers(name) {
        covering.append((role.name, role.keys, role.isTerminating))
        if role.isTerminating { break }
      }
      return covering
    }
  }
}

/// Shell patterns over names of targets, as python-tuf reads them: `*`, `?`, `[a-z]` and `[!a-z]`, none of which
/// matches a `/` (TUF section 4.5, PATHPATTERN).
package enum PathPattern {
  package static func matches(_ pattern: String, _ name: String) -> Bool {
    let patterns = pattern.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    let names = name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard patterns.count == names.count else { return false }
    return zip(patterns, names).allSatisfy { Glob(Array($0)).matches(Array($1)) }
  }
}

/// A pattern of one component of a path.
private struct Glob {
  private enum Element {
    case any
    case one
    case scalar(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }
  private let elements: [Element]

  init(_ pattern: [Unicode.Scalar]) {
    var elements: [Element] = []
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case "*": elements.append(.any)
      case "?": elements.append(.one)
      case "[":
        if let (set, end) = Self.set(pattern, from: index + 1) {
          elements.append(set)
          index = end
        } else {
          elements.append(.scalar("["))
        }
      case let scalar: elements.append(.scalar(scalar))
      }
      index += 1
    }
    self.elements = elements
  }

  /// Reads the inside of `[…]`; nil where it has no end, and the bracket stands for itself.
  private static func set(_ pattern: [Unicode.Scalar], from start: Int) -> (set: Element, end: Int)? {
    var index = start
    let isNegated = index < pattern.count && pattern[index] == "!"
    if isNegated { index += 1 }
    // A bracket at the front is one of the set.
    guard index < pattern.count, let end = pattern[(index + 1)...].firstIndex(of: "]") else { return nil }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while index < end {
      let low = pattern[index]
      if index + 2 < end, pattern[index + 1] == "-" {
        if low <= pattern[index + 2] { ranges.append(low...pattern[index + 2]) }
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    return (.set(ranges, isNegated: isNegated), end)
  }

  func matches(_ name: [Unicode.Scalar]) -> Bool {
    Wildcards.match(elements, name) {
      if case .any = $0 { true } else { false }
    } takes: {
      takes($0, $1)
    }
  }

  private func takes(_ element: Element, _ scalar: Unicode.Scalar) -> Bool {
    switch element {
    case .any, .one: true
    case .scalar(let wanted): wanted == scalar
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
