extension Parameters {
  /// The value of that name; text is read as the type where that can be made of text.
  ///
  /// - Throws: `parameter-missing`, `parameter-malformed`, with the parameter, and whom it was for.
  public func value<Value: Decodable & Sendable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(FrameworkError) -> Value {
    guard let found = values[name] else { throw missing(name, type) }
    if let value = found as? Value { return value }
    return try ParameterDecoder.failing(self, name, type) {
      try Value(from: ParameterValueDecoder(parameters: self, name: name, value: found))
    }
  }

  /// All values as a type of the app, whose properties they are; names that it does not have are let be.
  ///
  /// Properties are texts, numbers, truth values, enumerations of these, and lists and optionals of all of them; or of
  /// any type, where a value of exactly that type was given.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(FrameworkError) -> Value {
    try ParameterDecoder.failing(self, nil, type) { try Value(from: ParameterDecoder(parameters: self)) }
  }

  func missing(_ name: String, _ type: Any.Type) -> FrameworkError {
    FrameworkError(
      .parameterMissing, owner.subject, at: owner.place, values: ["parameter": name, "type": "\(type)"])
  }

  func malformed(_ name: String, _ value: Any, _ type: Any.Type) -> FrameworkError {
    FrameworkError(
      .parameterMalformed, owner.subject, at: owner.place,
      values: ["parameter": name, "value": "\(value)", "type": "\(type)"])
  }
}
