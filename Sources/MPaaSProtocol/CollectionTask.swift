/// An operator's wish for a user's logs of a window of time; the device picks it up, packs, and uploads.
package struct CollectionTask: Codable, Sendable, Equatable, Identifiable {
  package enum State: String, Codable, Sendable, CaseIterable {
    /// It has not been picked up.
    case waiting
    /// A device has it.
    case picked
    case uploading
    /// The server has stored and verified the archive.
    case done
    /// The device says why in `reason`.
    case failed
    case cancelled
    /// It was not done in time.
    case expired

    /// Tells whether nothing more happens to it.
    package var isFinal: Bool { [.done, .failed, .cancelled, .expired].contains(self) }
  }

  /// Over what the device may upload.
  package enum Network: String, Codable, Sendable, CaseIterable {
    case any
    case wifi
  }

  package var id: String
  package var app: String
  package var user: String
  /// nil asks each device of the user.
  package var device: String?
  /// Seconds since 1970.
  package var from: Double
  package var to: Double
  package var network: Network
  /// Types of logs (`diagnostic`, `behavior` …); empty asks for all.
  package var types: [String]
  package var state: State
  /// Bytes of the archive that have arrived, and its size.
  package var sent: Int64?
  package var size: Int64?
  /// The upload that answers it.
  package var upload: String?
  package var reason: String?
  /// Seconds since 1970.
  package var created: Double
  package var updated: Double
  package var expires: Double

  package init(
    id: String, app: String, user: String, device: String? = nil, from: Double, to: Double, network: Network = .any,
    types: [String] = [], state: State = .waiting, created: Double, expires: Double
  ) {
    self.id = id
    self.app = app
    self.user = user
    self.device = device
    self.from = from
    self.to = to
    self.network = network
    self.types = types
    self.state = state
    self.created = created
    updated = created
    self.expires = expires
  }
}

/// The change of a task by an operator or a device.
package struct CollectionTaskChange: Codable, Sendable, Equatable {
  package var state: CollectionTask.State?
  package var device: String?
  package var sent: Int64?
  package var size: Int64?
  package var upload: String?
  package var reason: String?

  package init(state: CollectionTask.State? = nil) { self.state = state }
}
