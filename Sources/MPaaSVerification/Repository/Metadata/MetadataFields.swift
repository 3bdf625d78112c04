package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The members of one object of a metadata file, taken out one by one; what is left over is kept as it came.
package struct MetadataFields {
  /// The object's name in errors: `root.roles.snapshot`.
  let path: String
  /// Members that were not asked for yet.
  package private(set) var rest: JSONValue.Object

  package init(_ value: JSONValue?, path: String) throws(TrustError) {
    guard let object = value?.object else { throw TrustError(.metadataMalformed, ["field": path]) }
    self.path = path
    rest = object
  }

  func error(_ name: String) -> TrustError { TrustError(.metadataMalformed, ["field": "\(path).\(name)"]) }

  /// Takes the member `name` out; nil where there is none.
  package mutating func optional(_ name: String) -> JSONValue? {
    rest.removeValue(forKey: name)
  }

  package mutating func string(_ name: String) throws(TrustError) -> String {
    guard let value = optional(name)?.string else { throw error(name) }
    return value
  }

  package mutating func bool(_ name: String) throws(TrustError) -> Bool {
    guard let value = optional(name)?.bool else { throw error(name) }
    return value
  }

  /// A whole number of at least `minimum`, at most 2^53 - 1.
  package mutating func integer(_ name: String, from minimum: Int = 1) throws(TrustError) -> Int {
    guard case .unsigned(let value) = optional(name), value <= 1 << 53 - 1, value >= UInt64(minimum) else {
      throw error(name)
    }
    return Int(value)
  }

  package mutating func strings(_ name: String) throws(TrustError) -> [String] {
    guard let values = optional(name)?.array else { throw error(name) }
    var strings: [String] = []
    for value in values {
      guard let string = value.string else { throw error(name) }
      strings.append(string)
    }
    return strings
  }

  package mutating func object(_ name: String) throws(TrustError) -> JSONValue.Object {
    guard let value = optional(name)?.object else { throw error(name) }
    return value
  }

  /// A time as TUF writes it, `2030-01-01T00:00:00Z`.
  package mutating func time(_ name: String) throws(TrustError) -> Date {
    guard let time = MetadataTime.date(try string(name)) else { throw error(name) }
    return time
  }
}

/// Times as metadata writes them: UTC, whole seconds (TUF section 4.2.1).
package enum MetadataTime {
  package static func date(_ text: String) -> Date? {
    guard text.utf8.count == 20, text.hasSuffix("Z") else { return nil }
    return try? Date(text, strategy: .iso8601)
  }

  package static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension TrustError.Code {
  package static let metadataMalformed = malformed("metadata-malformed")
}
