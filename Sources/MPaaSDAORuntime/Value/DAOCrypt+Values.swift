/// A property of a class whose values are kept encrypted.
public struct DAOSecret: Sendable, Hashable {
  package let className: String
  package let property: String

  /// Creates the secret of a property.
  public init(_ className: String, _ property: String) {
    self.className = className
    self.property = property
  }
}

extension DAOCrypt {
  /// The value as it is kept; nil stays nil.
  func seal(_ value: DAOValue, _ secret: DAOSecret) throws(DAOError) -> DAOValue {
    guard let bytes = try DAOValueBytes.encode(value) else { return .null }
    do {
      return .data(try encrypt(bytes, secret.className, secret.property))
    } catch {
      throw DAOError(.crypt, ["name": "\(secret.className).\(secret.property)"])
    }
  }

  /// The value of what was kept.
  package func open(_ value: DAOValue, _ secret: DAOSecret) throws(DAOError) -> DAOValue {
    guard case .data(let bytes) = value else {
      if case .null = value { return .null }
      throw DAOError(.crypt, ["name": "\(secret.className).\(secret.property)"])
    }
    guard let plain = try? decrypt(bytes, secret.className, secret.property),
      let value = DAOValueBytes.decode(plain)
    else { throw DAOError(.crypt, ["name": "\(secret.className).\(secret.property)"]) }
    return value
  }
}
