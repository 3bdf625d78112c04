import MPaaSDAO

/// The words of a unit's SQL with all its branches one behind the other, in which references stand as marks.
struct SQLOutline {
  enum Token: Hashable {
    /// A name or a keyword in small letters, without quotes.
    case word(String)
    case sign(String)
    /// A text or a number.
    case literal
    /// A reference by its number; inside of a literal it is a part of a text.
    case reference(Int, isInLiteral: Bool)
  }

  private(set) var tokens: [Token] = []
  private(set) var references: [DAOReference] = []
  private(set) var loops: [DAOForeach] = []
  private(set) var conditions: [DAOExpression] = []
  private var bytes: [UInt8] = []
  private static let mark: UInt8 = 1

  init(_ nodes: [DAONode]) {
    collect(nodes)
    tokenize()
  }

  private mutating func collect(_ nodes: [DAONode]) {
    for node in nodes {
      switch node {
      case .sql(let text): bytes += text
      case .reference(let reference):
        bytes += [Self.mark] + "\(references.count)".utf8 + [Self.mark]
        references.append(reference)
      case .condition(let condition, let nodes):
        conditions.append(condition.expression)
        collect(nodes)
        bytes.append(0x20)
      case .choose(let branches):
        for branch in branches {
          if let condition = branch.condition { conditions.append(condition.expression) }
          collect(branch.nodes)
          bytes.append(0x20)
        }
      case .foreach(let loop):
        loops.append(loop)
        bytes += loop.rule.open
        collect(loop.nodes)
        bytes += loop.rule.close
      case .trim(let trim):
        bytes += [0x20] + trim.rule.prefix + [0x20]
        collect(trim.nodes)
        bytes += [0x20] + trim.rule.suffix + [0x20]
      case .format(let format): bytes += [0x20] + format.rule.prefix + [0x20]
      }
    }
  }

  private mutating func tokenize() {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case Self.mark: place = reference(at: place, isInLiteral: false)
      case 0...0x20: place += 1
      case UInt8(ascii: "'"): place = literal(from: place + 1, UInt8(ascii: "'"), isText: true)
      case UInt8(ascii: "\""), UInt8(ascii: "`"): place = literal(from: place + 1, byte, isText: false)
      case UInt8(ascii: "["): place = literal(from: place + 1, UInt8(ascii: "]"), isText: false)
      case _ where byte &- 0x30 < 10:
        place += 1
        while place < bytes.count, DAOName.isPart(bytes[place]) || bytes[place] == UInt8(ascii: ".") { place += 1 }
        tokens.append(.literal)
      case _ where DAOName.isPart(byte):
        let start = place
        while place < bytes.count, DAOName.isPart(bytes[place]) { place += 1 }
        tokens.append(.word(String(decoding: bytes[start..<place], as: UTF8.self).lowercased()))
      default:
        let isLong = place + 1 < bytes.count && "=><|".utf8.contains(bytes[place + 1]) && "=!<>|".utf8.contains(byte)
        tokens.append(.sign(String(decoding: bytes[place..<place + (isLong ? 2 : 1)], as: UTF8.self)))
        place += isLong ? 2 : 1
      }
    }
  }

  private mutating func reference(at place: Int, isInLiteral: Bool) -> Int {
    let end = bytes[(place + 1)...].firstIndex(of: Self.mark) ?? bytes.count - 1
    let number = Int(String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
    if let number { tokens.append(.reference(number, isInLiteral: isInLiteral)) }
    return end + 1
  }

  private mutating func literal(from start: Int, _ end: UInt8, isText: Bool) -> Int {
    var place = start
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] != end {
      if bytes[place] == Self.mark {
        place = reference(at: place, isInLiteral: true)
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    tokens.append(isText ? .literal : .word(String(decoding: text, as: UTF8.self).lowercased()))
    return place + 1
  }
}
