#if canImport(ObjectiveC)
  public import Foundation

  extension KeyValueStore {
    /// Stores an object that archives itself.
    public func set(
      archive value: some NSObject & NSSecureCoding, forKey key: String, business: String = "",
      options: ValueOptions = .none
    ) throws(StorageError) {
      guard let data = try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true) else {
        throw StorageError(.valueMalformed, ["key": key])
      }
      try set(.archive(Array(data)), forKey: key, business: business, options: options)
    }

    /// The object that was archived; nil where the key has none.
    ///
    /// - Parameter type: The class that is expected; the archive is read as no other.
    public func archived<Value: NSObject & NSSecureCoding>(
      _ type: Value.Type, forKey key: String, business: String = "", crypt: Crypt? = nil
    ) throws(StorageError) -> Value? {
      guard case .archive(let bytes) = try value(forKey: key, business: business, crypt: crypt) else { return nil }
      guard let value = try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: Data(bytes)) else {
        throw StorageError(.valueMalformed, ["key": key])
      }
      return value
    }
  }
#endif
