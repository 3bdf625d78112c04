/// A thing told about a session, or about so many sessions at once.
package struct SessionUpdate: Sendable, Equatable {
  /// The key of the app.
  package var app: String
  package var release: String
  package var environment: String
  /// The device or user as the sender names it (`did`); it is never stored.
  package var user: String?
  /// The session's name in 16 bytes; nil for sessions that are counted as they come.
  package var sid: [UInt8]?
  /// Seconds since 1970, by the server's clock.
  package var started: Int64
  package var state: SessionState
  package var errors: Int64
  /// The number of sessions.
  package var count: Int64
  /// The hotpatches that ran; nil where nothing was said of them.
  package var patches: [PatchLabel]?

  package init(
    app: String, release: String, environment: String = "", user: String? = nil, sid: [UInt8]? = nil, started: Int64,
    state: SessionState, errors: Int64 = 0, count: Int64 = 1, patches: [PatchLabel]? = nil
  ) {
    self.app = app
    self.release = release
    self.environment = environment
    self.user = user
    self.sid = sid
    self.started = started
    self.state = state
    self.errors = state.isError ? max(errors, 1) : errors
    self.count = count
    self.patches = patches
  }

  /// The run of a device under its patches; nil where it named none of them, or itself.
  var run: PatchBatch.Run? {
    guard let user, let patches else { return nil }
    return PatchBatch.Run(
      app: app, identity: PatchLabel.identity(ofRelease: release), device: user, patches: patches, started: started,
      hasCrashed: state == .crashed)
  }
}
