internal import CSecurity

#if canImport(ObjectiveC)
  public import ObjectiveC
#endif

extension Security {
  /// Tells whether the name of a notification is a static text of the app: its address lies in memory that the
  /// executable, or a library that is linked, was mapped to.
  ///
  /// A name that is made at run time never is; where such names are posted, use `MPaaSFramework`'s message queue, whose
  /// messages carry their sender's token.
  /// - Parameters:
  ///   - name: The text that the receiver expects.
  ///   - address: The first byte of the text that came, as UTF-8.
  public static func isOwnNotification(name: String, address: UnsafeRawPointer) -> Bool {
    var name = name
    return name.withUTF8 { wanted in
      let isStatic = Look.with { mp_security_is_static($0.memory, address, max(wanted.count, 1)) }
      guard isStatic else { return false }
      return UnsafeRawBufferPointer(start: address, count: wanted.count).elementsEqual(UnsafeRawBufferPointer(wanted))
    }
  }

  /// Tells whether a literal of the app's source has this name; the literal's place is where the compiler put it.
  public static func isOwnNotification(name: StaticString) -> Bool {
    guard name.hasPointerRepresentation else { return false }
    return isOwnNotification(name: "\(name)", address: UnsafeRawPointer(name.utf8Start))
  }

  #if canImport(ObjectiveC)
    /// Tells whether the name object of a notification, as `notification.name.rawValue as NSString`, is a constant of
    /// the app.
    public static func isOwnNotification(name: NSObject) -> Bool {
      let address = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
      return Look.with { mp_security_is_static($0.memory, address, MemoryLayout<UInt>.size) }
    }
  #endif
}
