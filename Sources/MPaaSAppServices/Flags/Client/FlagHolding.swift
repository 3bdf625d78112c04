import MPaaSFlags
import MPaaSSupport
import MPaaSVerification

/// A state with all that its successors and the disk need of it.
struct FlagHolding: Sendable {
  var state = FlagState()
  /// The flags in the bytes in which they came.
  var document = FlagDocument()
  var etag: String?
  /// The ID of the last event of a stream that is in it.
  var eventID: String?

  init() {}

  /// Reads a state as the client API answers it.
  ///
  /// - Parameter place: The file or address, for errors.
  /// - Throws: `AppServiceError` such as `flags-malformed`.
  init(reading bytes: [UInt8], place: String) throws(AppServiceError) {
    try apply(bytes, place: place)
  }

  /// Takes a state, or events that change the one at hand.
  ///
  /// - Throws: `AppServiceError` such as `flags-malformed`; nothing is changed then.
  mutating func apply(_ bytes: [UInt8], place: String) throws(AppServiceError) {
    let before = state
    var document = document
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FlagError) in
        let state = try FlagState(json: buffer, changing: before)
        guard document.apply(buffer) else { throw FlagError(.shape, ["member": "features", "wanted": "array"]) }
        return state
      }
    }
    do throws(FlagError) {
      let next = try result.get()
      try document.check()
      (state, self.document) = (next, document)
    } catch { throw AppServiceError(error.inFile(place)) }
  }
}

extension FlagDocument {
  /// Checks that the whole is a state that can be read again.
  fileprivate func check() throws(FlagError) {
    guard size <= FlagState.Limit.bytes else {
      throw FlagError(.tooLarge, ["size": String(size), "limit": String(FlagState.Limit.bytes)])
    }
    guard flags.count <= FlagState.Limit.flags else {
      throw FlagError(.tooMany, ["count": String(flags.count), "limit": String(FlagState.Limit.flags)])
    }
  }
}
