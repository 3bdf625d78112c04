#if canImport(ObjectiveC)
  import Foundation

  extension PushEvent {
    /// Takes a notification as the system hands it over: `userInfo`.
    ///
    /// - Throws: `AppServiceError` `push-event-malformed`.
    public init(_ origin: Origin, userInfo: [AnyHashable: Any], wasOpened: Bool) throws(AppServiceError) {
      guard JSONSerialization.isValidJSONObject(userInfo),
        let data = try? JSONSerialization.data(withJSONObject: userInfo)
      else { throw AppServiceError(.pushEventMalformed) }
      try self.init(origin, payload: [UInt8](data), wasOpened: wasOpened)
    }
  }
#endif
