import MPaaSSupport

/// The place in a list of a project: among the children of a group, the files of a phase, the phases.
package enum EditPosition: Sendable, Equatable {
  case first, last
  /// Before the first whose name is greater.
  case sorted
  /// From 0.
  case index(Int)
  /// By what the others are called, or by their ids.
  case before(String)
  case after(String)

  /// Reads `first`, `last`, `sorted`, `3`, `before:NAME`, `after:NAME`; nil for all else.
  package init?(_ text: String) {
    switch text {
    case "first": self = .first
    case "last": self = .last
    case "sorted": self = .sorted
    default:
      if let index = Int(text), index >= 0 {
        self = .index(index)
      } else if let name = text.wordsBehind("before:") {
        self = .before(name)
      } else if let name = text.wordsBehind("after:") {
        self = .after(name)
      } else {
        return nil
      }
    }
  }

  /// The index at which something of that name is put in; nil where no other has the name that was asked for.
  ///
  /// - Parameters:
  ///   - names: What each of the list may be called.
  func index(of name: String, among names: [[String]]) -> Int? {
    switch self {
    case .first: 0
    case .last: names.count
    case .sorted:
      names.firstIndex { ($0.first ?? "").lowercased() > name.lowercased() } ?? names.count
    case .index(let index): min(index, names.count)
    case .before(let other): names.firstIndex { $0.contains(other) }
    case .after(let other): names.lastIndex { $0.contains(other) }.map { $0 + 1 }
    }
  }

  package var text: String {
    switch self {
    case .first: "first"
    case .last: "last"
    case .sorted: "sorted"
    case .index(let index): String(index)
    case .before(let name): "before:" + name
    case .after(let name): "after:" + name
    }
  }
}

extension String {
  /// The words behind a word at the front; nil where it does not stand there, or nothing follows.
  func wordsBehind(_ word: String) -> String? {
    guard hasPrefix(word), utf8.count > word.utf8.count else { return nil }
    return String(dropFirst(word.count))
  }
}
