/// The stubs by what their URLs begin with or are, so that few have to be looked at for a request.
///
/// An exact URL or path is found by its hash. Templates and regular expressions are found by the text in front of their
/// first variable or sign: for each length that such a text has, the request's beginning of that length is looked up.
struct StubIndex: Sendable {
  private var urls: [String: [StubEntry]] = [:]
  private var paths: [String: [StubEntry]] = [:]
  private var prefixes: [String: [StubEntry]] = [:]
  /// The number of stubs whose prefix has a length in bytes.
  private var lengths: [Int: Int] = [:]
  private var sortedLengths: [Int] = []
  private(set) var byID: [String: StubEntry] = [:]

  var count: Int { byID.count }

  /// All stubs, the newest first.
  var all: [StubEntry] { byID.values.sorted { $0.sequence > $1.sequence } }

  private enum Place {
    case url(String)
    case path(String)
    case prefix(String)
  }

  private static func place(of entry: StubEntry) -> Place {
    switch entry.stub.request.url {
    case .any: .prefix("")
    case .url(let text): .url(text)
    case .path(let text): .path(text)
    case .urlPattern(let pattern), .pathPattern(let pattern): .prefix(pattern.prefix)
    case .pathTemplate(let template): .prefix(String(template.text.prefix { $0 != "{" }))
    }
  }

  mutating func insert(_ entry: StubEntry) {
    byID[entry.stub.id] = entry
    switch Self.place(of: entry) {
    case .url(let text): Self.insert(entry, into: &urls[text, default: []])
    case .path(let text): Self.insert(entry, into: &paths[text, default: []])
    case .prefix(let text):
      Self.insert(entry, into: &prefixes[text, default: []])
      lengths[text.utf8.count, default: 0] += 1
      if lengths[text.utf8.count] == 1 { sortedLengths = lengths.keys.sorted() }
    }
  }

  private static func insert(_ entry: StubEntry, into list: inout [StubEntry]) {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].comes(before: entry) { low = middle + 1 } else { high = middle }
    }
    list.insert(entry, at: low)
  }

  mutating func remove(_ id: String) -> StubEntry? {
    guard let entry = byID.removeValue(forKey: id) else { return nil }
    switch Self.place(of: entry) {
    case .url(let text): Self.remove(entry, from: &urls, text)
    case .path(let text): Self.remove(entry, from: &paths, text)
    case .prefix(let text):
      Self.remove(entry, from: &prefixes, text)
      let left = (lengths[text.utf8.count] ?? 1) - 1
      lengths[text.utf8.count] = left > 0 ? left : nil
      if left == 0 { sortedLengths = lengths.keys.sorted() }
    }
    return entry
  }

  private static func remove(_ entry: StubEntry, from lists: inout [String: [StubEntry]], _ key: String) {
    lists[key]?.removeAll { $0 === entry }
    if lists[key]?.isEmpty == true { lists[key] = nil }
  }

  /// The first stub that fits, in the order of priorities and ages.
  func first(for target: String, path: Substring, where fits: (StubEntry) -> Bool) -> StubEntry? {
    var lists: [[StubEntry]] = []
    if let list = urls[target] { lists.append(list) }
    if let list = paths[target.utf8.count == path.utf8.count ? target : String(path)] { lists.append(list) }
    let bytes = target.utf8
    for length in sortedLengths where length <= bytes.count {
      let end = bytes.index(bytes.startIndex, offsetBy: length)
      guard let beginning = String(bytes[..<end]), let list = prefixes[beginning] else { continue }
      lists.append(list)
    }
    if lists.count == 1 { return lists[0].first(where: fits) }
    var places = [Int](repeating: 0, count: lists.count)
    while true {
      var best: Int?
      for index in lists.indices where places[index] < lists[index].count {
        guard let known = best else {
          best = index
          continue
        }
        if lists[index][places[index]].comes(before: lists[known][places[known]]) { best = index }
      }
      guard let best else { return nil }
      let entry = lists[best][places[best]]
      if fits(entry) { return entry }
      places[best] += 1
    }
  }
}

extension JavaPattern {
  /// The text that every text begins with that the expression takes.
  var prefix: String {
    var prefix = ""
    var isOpen = false
    for character in text {
      switch character {
      // A repeated part may be missing.
      case "*", "?", "{": return String(prefix.dropLast())
      case "|", "(", "[", "\\", ".", "^", "$", ")", "]", "}", "+":
        isOpen = true
      default: prefix.append(character)
      }
      if isOpen { break }
    }
    // An alternative anywhere outside of groups makes another beginning possible.
    return hasAlternatives ? "" : prefix
  }

  private var hasAlternatives: Bool { text.contains("|") }
}
