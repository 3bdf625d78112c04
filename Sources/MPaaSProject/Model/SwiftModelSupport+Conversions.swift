extension SwiftModelSupport {
  static let conversions = #"""
    /// A value that can be made from JSON and made JSON again without losing anything.
    public protocol JSONConvertible: Sendable, Hashable {
      init(jsonValue json: JSONValue) throws
      var jsonValue: JSONValue { get }
    }

    /// A type that was generated: it decodes only from what its schema allows.
    public protocol JSONModel: JSONConvertible, Codable {
      /// Reports what is wrong with a value of this type.
      static func check(_ json: JSONValue, _ report: inout JSONReport)
    }

    extension JSONModel {
      /// Reads a value after checking it.
      public init(validating json: JSONValue) throws {
        var report = JSONReport()
        Self.check(json, &report)
        try report.finish()
        try self.init(jsonValue: json)
      }

      /// Throws what is wrong with the value, which may have been made or changed in code.
      public func validate() throws {
        var report = JSONReport()
        Self.check(jsonValue, &report)
        try report.finish()
      }

      public init(from decoder: any Decoder) throws {
        self = try Self.decoded(from: decoder)
      }

      static func decoded(from decoder: any Decoder) throws -> Self {
        let json = try JSONValue(from: decoder)
        do {
          return try Self(validating: json)
        } catch let invalid as JSONInvalid {
          let path = decoder.codingPath.map { $0.intValue.map { String($0) } ?? $0.stringValue }
          throw JSONInvalid(invalid.problems.map { JSONProblem($0.message, path: path + $0.path) })
        }
      }

      public func encode(to encoder: any Encoder) throws {
        try jsonValue.encode(to: encoder)
      }
    }

    extension JSONModel where Self: RawRepresentable, RawValue: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard let known = Self(rawValue: try RawValue(jsonValue: json)) else {
          throw JSONProblem("is not one of the permitted values")
        }
        self = known
      }

      public var jsonValue: JSONValue { rawValue.jsonValue }
    }

    extension JSONValue: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { self = json }
      public var jsonValue: JSONValue { self }
    }

    extension Bool: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard case .bool(let value) = json else { throw JSONProblem("must be a boolean") }
        self = value
      }
      public var jsonValue: JSONValue { .bool(self) }
    }

    extension String: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard case .string(let value) = json else { throw JSONProblem("must be a string") }
        self = value
      }
      public var jsonValue: JSONValue { .string(self) }
    }

    extension Double: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard let value = json.double else { throw JSONProblem("must be a number") }
        self = value
      }
      public var jsonValue: JSONValue { JSONValue(self) }
    }

    extension FixedWidthInteger {
      fileprivate init(whole json: JSONValue) throws {
        let value: Self? =
          switch json {
          case .integer(let value): Self(exactly: value)
          case .unsigned(let value): Self(exactly: value)
          case .number(let value): Self(exactly: value)
          default: nil
          }
        guard let value else { throw JSONProblem("must be an integer of \(Self.bitWidth) bits") }
        self = value
      }

      fileprivate var wholeJSON: JSONValue {
        Int(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
      }
    }

    extension Int: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { try self.init(whole: json) }
      public var jsonValue: JSONValue { .integer(self) }
    }

    extension Int32: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { try self.init(whole: json) }
      public var jsonValue: JSONValue { wholeJSON }
    }

    extension Int64: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { try self.init(whole: json) }
      public var jsonValue: JSONValue { wholeJSON }
    }

    extension UInt64: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { try self.init(whole: json) }
      public var jsonValue: JSONValue { wholeJSON }
    }

    extension Optional: JSONConvertible where Wrapped: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        self = json == .null ? nil : try Wrapped(jsonValue: json)
      }
      public var jsonValue: JSONValue { self?.jsonValue ?? .null }
    }

    extension Array: JSONConvertible where Element: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard case .array(let values) = json else { throw JSONProblem("must be an array") }
        self = try values.enumerated().map { index, value in
          try JSONProblem.under(String(index)) { try Element(jsonValue: value) }
        }
      }
      public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
    }

    extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
      public init(jsonValue json: JSONValue) throws {
        guard case .object(let values) = json else { throw JSONProblem("must be an object") }
        self.init(minimumCapacity: values.count)
        for (name, value) in values {
          self[name] = try JSONProblem.under(name) { try Value(jsonValue: value) }
        }
      }
      public var jsonValue: JSONValue { .object(mapValues(\.jsonValue)) }
    }

    """#
}
