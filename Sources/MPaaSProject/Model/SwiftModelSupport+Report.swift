extension SwiftModelSupport {
  static let report = #"""
    /// Collects what is wrong with a value and all that is in it.
    public struct JSONReport {
      public typealias Checks = (JSONValue, inout JSONReport) -> Void

      public private(set) var problems: [JSONProblem] = []
      private var path: [String] = []
      /// The members and elements that have been looked at of the value that is being checked; kept only inside
      /// `scope`.
      private var seen = Seen()
      private var isTracking = false

      private struct Seen {
        var names: Set<String> = []
        var indexes: Set<Int> = []
        var hasAllElements = false

        mutating func formUnion(_ other: Seen) {
          names.formUnion(other.names)
          indexes.formUnion(other.indexes)
          hasAllElements = hasAllElements || other.hasAllElements
        }
      }

      /// The way of the value between two sides; nil where it is on none.
      public var direction: JSONDirection?

      public init() {}

      public init(_ direction: JSONDirection?) { self.direction = direction }

      /// Throws all problems in the order of their paths, if there are any.
      public func finish() throws {
        guard !problems.isEmpty else { return }
        throw JSONInvalid(problems.sorted { $0.pointer < $1.pointer })
      }

      mutating func add(_ message: String) {
        problems.append(JSONProblem(message, path: path))
      }

      mutating func never(_ json: JSONValue) {
        add("is not permitted")
      }

      mutating func kind(_ json: JSONValue, _ kinds: JSONKind...) {
        let kind = json.kind
        guard !kinds.contains(kind), kind != .integer || !kinds.contains(.number) else { return }
        let wanted = kinds.map(\.rawValue).joined(separator: " or ")
        let article = "aio".contains(wanted.prefix(1)) ? "an" : "a"
        add("must be \(wanted == "null" ? "" : article + " ")\(wanted), not \(kind.rawValue)")
      }

      mutating func constant(_ json: JSONValue, _ values: JSONValue...) {
        if !values.contains(json) {
          add(values.count == 1 ? "is not the permitted value" : "is not one of the permitted values")
        }
      }

      // MARK: Numbers

      /// Below 0, 0, or above 0; nil where one of them is no number.
      private func difference(_ left: JSONValue, _ right: JSONValue) -> Int? {
        if case .integer(let left) = left, case .integer(let right) = right {
          return left < right ? -1 : left > right ? 1 : 0
        }
        guard let left = left.double, let right = right.double else { return nil }
        return left < right ? -1 : left > right ? 1 : 0
      }

      private func text(_ number: JSONValue) -> String {
        if case .number(let value) = number { return "\(value)" }
        if case .unsigned(let value) = number { return "\(value)" }
        if case .integer(let value) = number { return "\(value)" }
        return ""
      }

      mutating func minimum(_ json: JSONValue, _ bound: JSONValue) {
        if let order = difference(json, bound), order < 0 { add("must be at least \(text(bound))") }
      }

      mutating func above(_ json: JSONValue, _ bound: JSONValue) {
        if let order = difference(json, bound), order <= 0 {
          add("must be greater than \(text(bound))")
        }
      }

      mutating func maximum(_ json: JSONValue, _ bound: JSONValue) {
        if let order = difference(json, bound), order > 0 { add("must be at most \(text(bound))") }
      }

      mutating func below(_ json: JSONValue, _ bound: JSONValue) {
        if let order = difference(json, bound), order >= 0 { add("must be less than \(text(bound))") }
      }

      mutating func multiple(_ json: JSONValue, of divisor: JSONValue) {
        if case .integer(let value) = json, case .integer(let by) = divisor, by != 0 {
          if value % by != 0 { add("must be a multiple of \(by)") }
          return
        }
        guard let value = json.double, let by = divisor.double, by > 0 else { return }
        let (quotient, parts) = (value / by, 1 / by)
        // Every whole number, however large, is a multiple of 0.01 and the like.
        if value.rounded() == value, parts < 1e15, (parts - parts.rounded()).magnitude <= 1e-12 * parts
        {
          return
        }
        // Decimal fractions are not exact in binary: what is as near as the last digits counts as whole.
        let isWhole =
          quotient.magnitude < 1e15
          ? (quotient - quotient.rounded()).magnitude <= 1e-9 * max(1, quotient.magnitude)
          : value.truncatingRemainder(dividingBy: by) == 0
        if !isWhole { add("must be a multiple of \(text(divisor))") }
      }

      // MARK: Strings

      /// Checks the length of a string, in Unicode scalars.
      mutating func length(_ json: JSONValue, least: Int = 0, most: Int = .max) {
        guard case .string(let value) = json else { return }
        let count = value.unicodeScalars.count
        if count < least { add("must have at least \(least) characters, not \(count)") }
        if count > most { add("must have at most \(most) characters, not \(count)") }
      }

      mutating func pattern(_ json: JSONValue, _ pattern: JSONPattern) {
        guard case .string(let value) = json, !pattern.isFound(in: value) else { return }
        add("must match \(pattern.shown)")
      }

    """#

  static let structure = #"""
      // MARK: Arrays

      mutating func count(_ json: JSONValue, least: Int = 0, most: Int = .max) {
        guard case .array(let values) = json else { return }
        if values.count < least { add("must have at least \(least) elements, not \(values.count)") }
        if values.count > most { add("must have at most \(most) elements, not \(values.count)") }
      }

      mutating func unique(_ json: JSONValue) {
        guard case .array(let values) = json else { return }
        if Set(values).count < values.count { add("must not have an element twice") }
      }

      /// Does checks on a value inside this one.
      private mutating func descend(_ step: String, _ work: (inout JSONReport) -> Void) {
        let (outer, wasTracking) = (seen, isTracking)
        (seen, isTracking) = (Seen(), false)
        path.append(step)
        work(&self)
        path.removeLast()
        (seen, isTracking) = (outer, wasTracking)
      }

      mutating func elements(_ json: JSONValue, _ checks: Checks) {
        elements(json, first: 0, all: true) { _, json, report in checks(json, &report) }
      }

      /// - Parameter first: How many elements have checks of their own.
      /// - Parameter all: Whether the others are looked at as well.
      mutating func elements(
        _ json: JSONValue, first: Int, all: Bool = false,
        _ checks: (Int, JSONValue, inout JSONReport) -> Void
      ) {
        guard case .array(let values) = json else { return }
        for (index, value) in values.enumerated() where all || index < first {
          descend(String(index)) { checks(index, value, &$0) }
        }
        if isTracking {
          seen.indexes.formUnion(0..<min(first, values.count))
          seen.hasAllElements = seen.hasAllElements || all
        }
      }

      mutating func contains(_ json: JSONValue, least: Int, most: Int = .max, _ checks: Checks) {
        guard case .array(let values) = json else { return }
        var count = 0
        for (index, value) in values.enumerated() where Self.accepts(value, checks) {
          count += 1
          if isTracking { seen.indexes.insert(index) }
        }
        if count < least { add("must have at least \(least) elements of a certain form, not \(count)") }
        if count > most { add("must have at most \(most) elements of a certain form, not \(count)") }
      }

      mutating func unevaluatedElements(_ json: JSONValue, _ checks: Checks) {
        guard case .array(let values) = json, !seen.hasAllElements else { return }
        for (index, value) in values.enumerated() where !seen.indexes.contains(index) {
          descend(String(index)) { checks(value, &$0) }
        }
        seen.hasAllElements = true
      }

      // MARK: Objects

      mutating func memberCount(_ json: JSONValue, least: Int = 0, most: Int = .max) {
        guard case .object(let values) = json else { return }
        if values.count < least { add("must have at least \(least) members, not \(values.count)") }
        if values.count > most { add("must have at most \(most) members, not \(values.count)") }
      }

      mutating func required(_ json: JSONValue, _ names: String...) {
        guard case .object(let values) = json else { return }
        for name in names where values[name] == nil { add("must have a member “\(name)”") }
      }

      /// Members that must be there on one way only.
      mutating func required(_ json: JSONValue, in way: JSONDirection, _ names: String...) {
        guard direction == way, case .object(let values) = json else { return }
        for name in names where values[name] == nil { add("must have a member “\(name)”") }
      }

      mutating func members(_ json: JSONValue, _ checks: Checks) {
        members(json) { _, json, report in
          checks(json, &report)
          return true
        }
      }

      /// - Parameter checks: Says whether it knows a member of that name.
      mutating func members(_ json: JSONValue, _ checks: (String, JSONValue, inout JSONReport) -> Bool)
      {
        guard case .object(let values) = json else { return }
        for (name, value) in values {
          var isKnown = false
          descend(name) { isKnown = checks(name, value, &$0) }
          if isTracking, isKnown { seen.names.insert(name) }
        }
      }

      mutating func memberNames(_ json: JSONValue, _ checks: Checks) {
        guard case .object(let values) = json else { return }
        for name in values.keys { descend(name) { checks(.string(name), &$0) } }
      }

      mutating func dependent(_ json: JSONValue, on name: String, _ checks: Checks) {
        guard case .object(let values) = json, values[name] != nil else { return }
        checks(json, &self)
      }

      mutating func unevaluatedMembers(_ json: JSONValue, _ checks: Checks) {
        guard case .object(let values) = json else { return }
        for (name, value) in values where !seen.names.contains(name) {
          descend(name) { checks(value, &$0) }
          seen.names.insert(name)
        }
      }

    """#

  static let combinations = #"""
      // MARK: Combinations

      /// Tells whether a value passes; what is wrong is forgotten, what was looked at counts only if it does.
      private mutating func passes(_ json: JSONValue, _ checks: Checks) -> Bool {
        let (before, outer) = (problems, seen)
        (problems, seen) = ([], Seen())
        checks(json, &self)
        let isPassed = problems.isEmpty
        let inner = seen
        (problems, seen) = (before, outer)
        if isPassed, isTracking { seen.formUnion(inner) }
        return isPassed
      }

      static func accepts(_ json: JSONValue, _ checks: Checks) -> Bool {
        var report = JSONReport()
        checks(json, &report)
        return report.problems.isEmpty
      }

      /// The value as `Value` where it passes and can be one.
      static func value<Value: JSONConvertible>(
        _ json: JSONValue, of type: Value.Type, _ checks: Checks
      ) -> Value? {
        accepts(json, checks) ? try? Value(jsonValue: json) : nil
      }

      mutating func any(_ json: JSONValue, _ branches: Checks...) {
        var isPassed = false
        for checks in branches where !isPassed || isTracking {
          if passes(json, checks) { isPassed = true }
        }
        if !isPassed { addNearest(json, branches) }
      }

      mutating func exactlyOne(_ json: JSONValue, _ branches: Checks...) {
        var count = 0
        for checks in branches where passes(json, checks) { count += 1 }
        if count == 0 { addNearest(json, branches) }
        if count > 1 { add("fits \(count) forms, of which it may fit one only") }
      }

      /// Says what is wrong by the form that the value comes nearest to: the one whose problems lie deepest.
      private mutating func addNearest(_ json: JSONValue, _ branches: [Checks]) {
        var nearest: [JSONProblem] = []
        var depth = path.count
        for checks in branches {
          var report = JSONReport()
          report.path = path
          checks(json, &report)
          let deepest = report.problems.map(\.path.count).max() ?? 0
          if deepest > depth { (nearest, depth) = (report.problems, deepest) }
        }
        if nearest.isEmpty { add("fits none of the permitted forms") } else { problems += nearest }
      }

      mutating func not(_ json: JSONValue, _ checks: Checks) {
        if Self.accepts(json, checks) { add("has a form that is not permitted") }
      }

      mutating func when(_ json: JSONValue, _ condition: Checks, then: Checks, otherwise: Checks) {
        if passes(json, condition) { then(json, &self) } else { otherwise(json, &self) }
      }

      /// Checks whose `unevaluated…` know only of what is looked at inside.
      mutating func scope(_ json: JSONValue, _ checks: Checks) {
        let (outer, wasTracking) = (seen, isTracking)
        (seen, isTracking) = (Seen(), true)
        checks(json, &self)
        let inner = seen
        (seen, isTracking) = (outer, wasTracking)
        if isTracking { seen.formUnion(inner) }
      }
    }

    """#
}
