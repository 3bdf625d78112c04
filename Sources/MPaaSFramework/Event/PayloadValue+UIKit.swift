#if canImport(UIKit)
  import UIKit

  extension PayloadValue {
    /// A value of a `userInfo`; nil for objects that JSON has no form for, such as images.
    ///
    /// Addresses become text; lists and dictionaries leave out what has no form.
    public init?(foundation value: Any) {
      switch value {
      case is NSNull: self = .null
      case let text as String: self = .string(text)
      case let number as NSNumber where CFGetTypeID(number) == CFBooleanGetTypeID(): self = .bool(number.boolValue)
      case let number as NSNumber where CFNumberIsFloatType(number): self = .number(number.doubleValue)
      case let number as NSNumber: self = .integer(number.int64Value)
      case let url as URL: self = .string(url.absoluteString)
      case let list as [Any]: self = .array(list.compactMap { PayloadValue(foundation: $0) })
      case let members as [AnyHashable: Any]: self = .object(Self.values(of: members))
      default: return nil
      }
    }

    /// The values of a `userInfo` whose keys are texts.
    public static func values(of userInfo: [AnyHashable: Any]) -> PayloadValues {
      var values: PayloadValues = [:]
      for case (let key as String, let value) in userInfo { values[key] = PayloadValue(foundation: value) }
      return values
    }
  }
#endif
