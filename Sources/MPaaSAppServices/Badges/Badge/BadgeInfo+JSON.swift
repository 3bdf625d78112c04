package import MPaaSSupport

/// The payload of badges: `{"badges": [{"badgeId", "style", "temporaryBadgeNumber", "persistentBadgeNumber", "bizId"}]}`,
/// or the list alone; numbers that are missing are 0, a style that is missing is a point.
extension BadgeInfo {
  /// The largest payload that is read, in bytes.
  package static let largestPayload = 64 << 20

  /// Reads a payload.
  ///
  /// - Parameter file: The payload's name in errors.
  /// - Throws: `AppServiceError` `badge-payload-malformed` with the member that cannot be so.
  package static func list(
    _ bytes: UnsafeRawBufferPointer, file: String = "payload"
  ) throws(AppServiceError) -> [BadgeInfo] {
    guard bytes.count <= largestPayload else { throw unusable("size") }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(reading: bytes)
    } catch {
      throw AppServiceError(
        .badgePayloadMalformed, ["field": "JSON"], at: .bytes(file: file, offset: UInt64(error.offset)))
    }
    return try list(value)
  }

  /// Reads a payload.
  ///
  /// - Throws: `AppServiceError` `badge-payload-malformed` with the member that cannot be so.
  public static func list(payload: [UInt8]) throws(AppServiceError) -> [BadgeInfo] {
    do {
      return try payload.withUnsafeBytes { try list($0) }
    } catch let error as AppServiceError {
      throw error
    } catch {
      throw unusable("JSON")
    }
  }

  package static func list(_ value: JSONValue) throws(AppServiceError) -> [BadgeInfo] {
    guard let values = value.array ?? value.object?["badges"]?.array else { throw unusable("badges") }
    guard values.count <= BadgeForest.capacity else { throw unusable("badges") }
    var badges: [BadgeInfo] = []
    badges.reserveCapacity(values.count)
    for (index, value) in values.enumerated() { badges.append(try BadgeInfo(value, index)) }
    return badges
  }

  private init(_ value: JSONValue, _ index: Int) throws(AppServiceError) {
    guard let members = value.object else { throw Self.unusable("badges[\(index)]") }
    guard let id = members["badgeId"]?.string, !id.isEmpty else { throw Self.unusable("badges[\(index)].badgeId") }
    func number(_ name: String) throws(AppServiceError) -> Int {
      guard let value = members[name], value != .null else { return 0 }
      guard let number: Int = value.integer(), number >= 0 else { throw Self.unusable("badges[\(index)].\(name)") }
      return number
    }
    func text(_ name: String) throws(AppServiceError) -> String? {
      guard let value = members[name], value != .null else { return nil }
      guard let text = value.string else { throw Self.unusable("badges[\(index)].\(name)") }
      return text
    }
    self.init(
      id, style: BadgeStyle(try text("style") ?? "."), temporary: try number("temporaryBadgeNumber"),
      persistent: try number("persistentBadgeNumber"), businessID: try text("bizId"))
    guard !badgeID.isEmpty else { throw Self.unusable("badges[\(index)].badgeId") }
  }

  package var value: JSONValue {
    var members: JSONValue.Object = ["badgeId": .string(badgeID), "style": .string(style.text)]
    if temporaryNumber > 0 { members["temporaryBadgeNumber"] = .init(temporaryNumber) }
    if persistentNumber > 0 { members["persistentBadgeNumber"] = .init(persistentNumber) }
    if let businessID { members["bizId"] = .string(businessID) }
    return .object(members)
  }

  private static func unusable(_ field: String) -> AppServiceError {
    AppServiceError(.badgePayloadMalformed, ["field": field])
  }
}

extension AppServiceError.Code {
  /// A payload of badges is no JSON, or a member cannot be so.
  package static var badgePayloadMalformed: Self {
    AppServiceError.Code("badge-payload-malformed", exit: .malformedInput)
  }
  /// The cache of a user's badges is damaged, or the app's function did not decrypt it.
  package static var badgeCacheUnreadable: Self {
    AppServiceError.Code("badge-cache-unreadable", exit: .malformedInput)
  }
}
