import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport

/// Tells whether each value of a foreign report appears in what was read from it.
struct LeafAccount {
  private var known: Set<String> = []

  init(_ report: CrashReport) {
    add(.object(IPSWriter.document(of: report)))
    for frames in report.stackIndices.map({ report[stack: $0] }) {
      for frame in frames { known.insert("\(frame.address)") }
    }
  }

  private mutating func add(_ value: JSONValue) {
    switch value {
    case .object(let members): members.values.forEach { add($0) }
    case .array(let elements): elements.forEach { add($0) }
    default: known.insert(Self.word(value))
    }
  }

  /// A value in one form: addresses written as text are numbers, UUIDs have no dashes.
  private static func word(_ value: JSONValue) -> String {
    // Some writers have registers and addresses signed.
    if case .negative(let number) = value { return "\(UInt64(bitPattern: number))" }
    guard case .string(let text) = value else { return value.line }
    if text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) { return "\(number)" }
    if text.count == 36, UUID(uuidString: text) != nil { return text.lowercased().filter { $0 != "-" } }
    return text
  }

  /// The paths and values of `value` that are not in the report.
  ///
  /// - Parameter transformed: The reasons for members that are kept in another form, by the end of their paths.
  func missing(_ value: JSONValue, _ path: String = "", transformed: [String: String]) -> [String] {
    switch value {
    case .object(let members):
      return members.flatMap { missing($1, path + "." + $0, transformed: transformed) }
    case .array(let elements):
      return elements.flatMap { missing($0, path + "[]", transformed: transformed) }
    case .null, .bool: return []
    default:
      if known.contains(Self.word(value)) || transformed.keys.contains(where: path.hasSuffix) { return [] }
      return ["\(path): \(value.line.prefix(120))"]
    }
  }
}
