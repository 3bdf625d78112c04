import MPaaSSupport

extension NetworkError.Code {
  /// A toxic of a type that there is not.
  package static var toxicType: Self { NetworkError.Code("net-toxic-type", exit: .usage) }
  /// A toxic on a stream that is neither of the two.
  package static var toxicStream: Self { NetworkError.Code("net-toxic-stream", exit: .usage) }
  /// A field of a toxic that is not of its kind.
  package static var toxicField: Self { NetworkError.Code("net-toxic-field", exit: .usage) }
  /// An attribute that the type does not have.
  package static var attributeUnknown: Self { NetworkError.Code("net-attribute-unknown", exit: .usage) }
  /// An attribute whose value is of another kind or out of range.
  package static var attributeValue: Self { NetworkError.Code("net-attribute-value", exit: .usage) }
}
