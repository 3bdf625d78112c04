import MPaaSSupport

/// The number of queries that statements become once SQLite has put those with names in their places.
///
/// It does so for each use of a common table expression or of a view, so that a few that name each other twice take
/// hours. The weight of a statement is that number at most: every use of a name counts, whatever it stands for.
struct SQLWeights {
  /// The greatest weight of a statement that SQLite prepares in a moment.
  static let greatest = 4096

  /// The depth of parentheses that SQLite's own parser takes.
  private static let greatestDepth = 100

  /// The weights of the views so far.
  private var views: [String: Int] = [:]

  /// The weight of a statement, whose views later ones may name.
  mutating func add(_ sql: String) -> Int {
    let small = sql.lowercased()
    guard !views.isEmpty || small.has("with") || small.has("view") else { return 1 }
    let words = SQLWords(small)
    guard words.depth <= Self.greatestDepth else { return .max }
    var counter = Counter(bodies: words.bodies(), weights: views)
    let weight = counter.sum(words.all.compactMap(\.name))
    if let view = words.view { views[view] = counter.weight(of: view) }
    return weight
  }

  /// Adds the weights of names up.
  private struct Counter {
    /// The names inside of each named query.
    let bodies: [String: [String]]
    var weights: [String: Int]
    private var open: Set<String> = []

    init(bodies: [String: [String]], weights: [String: Int]) {
      self.bodies = bodies
      self.weights = weights
    }

    mutating func weight(of name: String) -> Int {
      if let known = weights[name] { return known }
      // A piece that names itself is counted once here; SQLite has it run in a loop.
      guard let body = bodies[name], open.count < 200, open.insert(name).inserted else { return 0 }
      defer { open.remove(name) }
      let weight = sum(body)
      weights[name] = weight
      return weight
    }

    mutating func sum(_ names: [String]) -> Int {
      var sum = 1
      for name in names where weights[name] != nil || bodies[name] != nil {
        sum = min(sum + weight(of: name), 1 << 40)
      }
      return sum
    }
  }
}

/// The words of a statement, as far as the names of queries go.
private struct SQLWords {
  enum Word: Equatable {
    case name(String)
    case sign(UInt8)

    var name: String? { if case .name(let name) = self { name } else { nil } }
  }

  private(set) var all: [Word] = []
  /// The greatest number of parentheses that are open.
  private(set) var depth = 0
  private var openCount = 0

  /// - Parameter sql: The statement in small letters.
  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var place = 0
    while place < bytes.count { place = read(bytes, place) }
  }

  /// Reads what is at a place.
  ///
  /// - Returns: The place behind it.
  private mutating func read(_ bytes: [UInt8], _ start: Int) -> Int {
    let byte = bytes[start]
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
      let close = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
      let end = bytes[(start + 1)...].firstIndex(of: close) ?? bytes.count
      // SQLite takes a text for a name where only a name can stand.
      all.append(.name(String(decoding: bytes[(start + 1)..<end], as: UTF8.self)))
      return end + 1
    case UInt8(ascii: "-") where start + 1 < bytes.count && bytes[start + 1] == byte:
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case UInt8(ascii: "/") where start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "*"):
      var end = start + 2
      while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") { end += 1 }
      return end + 2
    case _ where DAOName.isPart(byte) || byte == UInt8(ascii: "$"):
      let end = bytes[start...].firstIndex { !DAOName.isPart($0) && $0 != UInt8(ascii: "$") } ?? bytes.count
      all.append(.name(String(decoding: bytes[start..<end], as: UTF8.self)))
      return end
    default:
      if byte > 0x20 { all.append(.sign(byte)) }
      openCount += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
      depth = max(depth, openCount)
      return start + 1
    }
  }

  /// The name of the view that the statement makes.
  var view: String? {
    guard let word = all.prefix(4).firstIndex(of: .name("view")) else { return nil }
    var place = word + 1
    if all[place...].starts(with: [.name("if"), .name("not"), .name("exists")]) { place += 3 }
    if place + 2 < all.count, all[place + 1] == .sign(UInt8(ascii: ".")) { place += 2 }
    return place < all.count ? all[place].name : nil
  }

  /// The names inside of each `name AS (…)`, and of the view.
  func bodies() -> [String: [String]] {
    var bodies: [String: [String]] = [:]
    let parentheses = Parentheses(all)
    for place in all.indices.dropFirst() where all[place] == .name("as") {
      var start = place + 1
      while start < all.count, all[start] == .name("not") || all[start] == .name("materialized") { start += 1 }
      guard start < all.count, let end = parentheses.close(of: start), let name = parentheses.name(before: place)
      else { continue }
      bodies[name, default: []] += all[start..<end].compactMap(\.name)
    }
    if let view, let start = all.firstIndex(of: .name("as")) {
      bodies[view, default: []] += all[start...].compactMap(\.name)
    }
    return bodies
  }
}

/// The pairs of parentheses among words.
private struct Parentheses {
  private let words: [SQLWords.Word]
  private var closes: [Int: Int] = [:]
  private var opens: [Int: Int] = [:]

  init(_ words: [SQLWords.Word]) {
    self.words = words
    var open: [Int] = []
    for place in words.indices {
      if words[place] == .sign(UInt8(ascii: "(")) { open.append(place) }
      guard words[place] == .sign(UInt8(ascii: ")")), let start = open.popLast() else { continue }
      closes[start] = place
      opens[place] = start
    }
  }

  func close(of place: Int) -> Int? { closes[place] }

  /// The name in front of a place, with its columns in parentheses between.
  func name(before place: Int) -> String? {
    let last = opens[place - 1] ?? place
    return last > 0 ? words[last - 1].name : nil
  }
}
