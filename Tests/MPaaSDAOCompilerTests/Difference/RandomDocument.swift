import MPaaSDAO
import MPaaSTestSupport

@testable import MPaaSDAOCompiler

/// A DAO document that is made up, with calls of its methods; most of it is right, and some is not on purpose.
struct RandomDocument {
  private var random: SeededRandom
  /// The number of methods that are made up.
  private let methods: Int
  private let arguments = ["a", "n", "s", "flag", "ids", "m"]
  private var depth = 0
  private var items = 0
  /// The names of items where the document is.
  private var open: [String] = []
  private static let columns = ["name", "age", "score", "data", "kind"]

  init(seed: UInt64, methods: Int = 6) {
    random = SeededRandom(seed: seed)
    self.methods = methods
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: The document

  mutating func xml() -> String {
    let columns = "id integer primary key, name text, age integer, score real, data blob, kind"
    var text = """
      <module name="R" initializer="make" tableName="t">
      <const cols="name, age, score, data, kind"/>
      <sql id="tail"> order by <if true="flag">name desc, </if>id</sql>
      <map id="rowMap" result="Mapped"><result property="key" column="id"/><result property="title" column="name"/></map>

      """
    if methods == 1 {
      text += "<update id=\"make\">create table if not exists ${T} (\(columns))</update>\n"
    } else {
      text += """
        <update id="make"><step>create table if not exists ${T} (\(columns))</step>
        <step resumable="true">create index if not exists by_age on ${T} (age)</step></update>
        <insert id="add" arguments="$m">insert into ${T} (${cols}) values (%{'#{m.*}', name, age, score, data, kind})</insert>
        <insert id="addAll" arguments="list" foreach="list.each">insert into ${T} (${cols}) values (%{'#{each.*}', name, age, score, data, kind})</insert>

        """
    }
    for number in 0..<methods { text += method(number) + "\n" }
    return text + "</module>"
  }

  private mutating func method(_ number: Int) -> String {
    let list = "arguments=\"\(arguments.joined(separator: ", "))\""
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1, 2:
      let shape = pick(["int", "long long", "bool", "double", "string", "binary", "{}", "Row", ":rowMap"])
      let result = chance(60) ? "[\(shape)]" : shape
      let columns =
        chance(50) ? "*" : pick(["id, name", "name, age as years", "count(*)", "max(score), kind", "id, data"])
      let head = "select id=\"q\(number)\" \(list) result=\"\(result)\"" + (chance(20) ? " parallel=\"true\"" : "")
      let loop = chance(20) ? " foreach=\"ids.each\"" : ""
      if !loop.isEmpty { self.open = ["each"] }
      defer { self.open = [] }
      return "<\(head)\(loop)>select \(columns) from ${T} \(clause()) \(chance(50) ? "${tail}" : "")</select>"
    case 3:
      return "<update id=\"u\(number)\" \(list)>update ${T} \(assignments()) \(clause())</update>"
    case 4:
      let steps = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        "<step\(chance(40) ? " resumable=\"true\"" : "")>update ${T} set \(assignment()) \(clause())</step>"
      }
      return "<update id=\"s\(number)\" \(list)>\(steps.joined())</update>"
    default:
      let tried = "insert into ${T} (id, name) values (\(value()), \(value()))"
      return
        "<insert id=\"i\(number)\" \(list)><try>\(tried)<except>update ${T} set \(assignment()) \(clause())</except></try></insert>"
    }
  }

  private mutating func clause() -> String {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "where \(comparison())"
    case 1: return "<where\(onVoid())>\(conditions())</where>"
    case 2:
      let ends = chance(50) ? " suffix=\"limit 5\" suffixOverrides=\"and|or\"" : ""
      return "<trim prefix=\"where\" prefixOverrides=\"and | or\"\(ends)\(onVoid())>\(conditions())</trim>"
    case 3: return "where 1 = 1 \(conditions())"
    default: return "<format prefix=\"where\" pairs=\"m\" join=\"\(pick(["and", "or", ","]))\"/>"
    }
  }

  private mutating func onVoid() -> String { chance(25) ? " onVoid=\"\(pick(["quit", "ignoreAfter"]))\"" : "" }

  private mutating func assignments() -> String {
    let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      "<if \(condition())>\(assignment()),</if>"
    }
    return "<set\(onVoid())>\(parts.joined(separator: " "))\(chance(30) ? "kind = kind" : "")</set>"
  }

  private mutating func assignment() -> String { "\(pick(Self.columns)) = \(value())" }

  private mutating func conditions() -> String {
    depth += 1
    defer { depth -= 1 }
    let count = Int.random(in: 1...3, using: &random)
    return (0..<count).map { _ in piece() }.joined(separator: " ")
  }

  private mutating func piece() -> String {
    let word = pick(["and", "or", "AND"])
    switch Int.random(in: 0..<(depth > 3 ? 4 : 9), using: &random) {
    case 0, 1: return "\(word) \(comparison())"
    case 2, 3: return "<if \(condition())>\(word) \(comparison())</if>"
    case 4, 5: return "<if \(condition())>\(conditions())</if>"
    case 6:
      let branches = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        "<when \(condition())>\(conditions())</when>"
      }
      return "<choose>\(branches.joined())\(chance(60) ? "<otherwise>\(conditions())</otherwise>" : "")</choose>"
    case 7:
      items += 1
      let item = "item\(items)"
      let index = chance(30) ? " index=\"place\(items)\"" : ""
      open.append(item)
      if !index.isEmpty { open.append("place\(items)") }
      defer { open.removeLast(index.isEmpty ? 1 : 2) }
      let reverse = chance(20) ? " reverse=\"yes\"" : ""
      let body = chance(60) ? "#{\(item)}" : "<if \(condition())>\(value())</if>"
      return
        "\(word) \(pick(Self.columns)) in (0 <foreach item=\"\(item)\"\(index) collection=\"\(pick(["ids", "ids", "m", "a"]))\" open=\", \" separator=\",\"\(reverse)>\(body)</foreach>)"
    default:
      return "<trim prefix=\"\(word) (\" suffix=\")\" prefixOverrides=\"and|or\"\(onVoid())>\(conditions())</trim>"
    }
  }

  private mutating func comparison() -> String {
    let column = pick(Self.columns)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(column) like '%@{\(pick(["s", "a", "me"]))}%'"
    case 1: return "\(column) is \(value())"
    case 2: return "\(column) between \(value()) and \(value())"
    case 3: return "coalesce(\(column), \(value())) \(pick(["=", "!=", "&lt;"])) \(value())"
    default: return "\(column) \(pick(["=", "&gt;", "&lt;=", "&lt;&gt;"])) \(value())"
    }
  }

  /// A reference, or a value that stands in the document.
  private mutating func value() -> String {
    let name = pick(arguments + ["m.name", "m.age", "a.b.c", "ids.count", "me", "you", "n", "s"] + open)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "@{\(name)}"
    case 1: return "#{\(name) or \"none\"}"
    case 2: return pick(["1", "'x'", "null", "x'00'"])
    case 3: return "'@{\(name)}'"
    default: return "#{\(name)}"
    }
  }

  private mutating func condition() -> String {
    let word = pick(["true", "true", "false"])
    return "\(word)=\"\(expression(0))\""
  }

  private mutating func expression(_ depth: Int) -> String {
    let name = pick(arguments + ["ids.count", "m.count", "m.age", "me", "you"] + open)
    switch Int.random(in: 0..<(depth > 2 ? 4 : 9), using: &random) {
    case 0: return "\(name) \(pick(["==", "!="])) nil"
    case 1: return name
    case 2: return "n \(pick(["&gt;", "&lt;", "&gt;=", "&lt;=", "==", "!="])) \(pick(["3", "2.5", "'4'", "-1"]))"
    case 3: return "s \(pick(["==", "!=", "&lt;"])) 'x'"
    case 4: return "not \(expression(depth + 1))"
    case 5: return "(\(expression(depth + 1))) \(pick(["and", "or", "xor", "OR"])) \(expression(depth + 1))"
    case 6:
      return
        "\(pick(["n", "m.age", "3"])) \(pick(["+", "-", "*", "/", "\\", "%"])) \(pick(["n", "2", "0"])) \(pick(["==", "&gt;"])) 1"
    case 7: return "ids.count &gt; \(pick(["0", "1"]))"
    default: return pick(["true", "1 == 1", "nil", "'a' == 'a'", "(\(expression(depth + 1)))"])
    }
  }

  // MARK: Calls

  /// The values of a row, without its number.
  mutating func row() -> [DAOValue] { Self.columns.map { _ in scalar() } }

  /// Calls that fill the table, and then call each method some times.
  mutating func calls(of plans: [MethodPlan], document: Int) -> [DifferenceProgram.Call] {
    var calls: [DifferenceProgram.Call] = []
    func call(_ plans: [MethodPlan]) {
      for plan in plans {
        calls.append(DifferenceProgram.Call(document: document, method: plan.name, arguments: values(plan)))
      }
    }
    let fill = plans.filter { $0.name.hasPrefix("add") }
    if fill.isEmpty {
      call(plans.filter { $0.name == "make" })
      for _ in 0..<3 {
        calls.append(DifferenceProgram.Call(document: document, method: DifferenceProgram.row, arguments: row()))
      }
    }
    call(fill + fill + plans + plans + plans + plans)
    return calls
  }

  /// The arguments of a call, most of them of the kinds that the method takes.
  mutating func values(_ plan: MethodPlan) -> [DAOValue] {
    plan.arguments.map { value(of: chance(90) ? $0.type : .value, named: $0.name) }
  }

  private mutating func value(of type: SwiftValueType, named name: String) -> DAOValue {
    switch type {
    case .optional(let type): return chance(20) ? .null : value(of: type, named: name)
    case .integer: return .integer(pick([0, 1, 3, -7, 42, 1 << 40]))
    case .double: return .real(pick([0, 2.5, -1, 1e20]))
    case .string: return .text(pick(["", "x", "it's", "100%", "名", "4"]))
    case .bytes: return .data(pick([[], [0, 255], [0x61]]))
    case .bool: return .bool(chance(50))
    case .list(let element):
      let count = Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in value(of: element, named: name) })
    default: return any(named: name, 0)
    }
  }

  private mutating func any(named name: String, _ depth: Int) -> DAOValue {
    switch name {
    case "m" where chance(85), "each" where chance(85):
      var members: [String: DAOValue] = [:]
      for column in Self.columns where chance(70) { members[column] = scalar() }
      return chance(30) ? .object(DAOObject(className: "Row", properties: members)) : .dictionary(members)
    case "list" where chance(90), "ids" where chance(80):
      let count = Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in any(named: name == "list" ? "m" : "", depth + 1) })
    default: return depth < 2 && chance(10) ? .list([scalar()]) : scalar()
    }
  }

  private mutating func scalar() -> DAOValue {
    pick([
      .null, .bool(true), .bool(false), .integer(0 as Int64), .integer(5 as Int64), .integer(-3 as Int64), .real(2.5),
      .real(-0.0), .text(""), .text("x"), .text("it's"), .text("12"), .data([]), .data([1, 2]),
    ])
  }
}
