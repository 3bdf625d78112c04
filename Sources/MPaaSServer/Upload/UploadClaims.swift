import HTTPTypes
import NIOCore
import Synchronization

/// The writers of uploads: one request; a new one ends the one before.
actor UploadClaims {
  /// The right to write to one upload, until it is released.
  final class Claim: Sendable {
    let id: String
    /// The place of its request in the order in which requests came.
    let number: Int
    private let channel: (any Channel)?

    init(_ id: String, _ number: Int, _ channel: (any Channel)?) {
      self.id = id
      self.number = number
      self.channel = channel
    }

    /// Cuts the connection of who holds it.
    func end() { channel?.close(promise: nil) }
  }

  /// The time that a new request waits for the one before to end.
  private static let patience = Duration.seconds(1)

  private var held: [String: Claim] = [:] {
    didSet { writers.store(held.count, ordering: .relaxed) }
  }
  private let writers = Atomic<Int>(0)

  /// The number of those that write now.
  nonisolated var count: Int { writers.load(ordering: .relaxed) }

  /// Takes the right to write.
  ///
  /// A request ends none that came after it, however late it gets here, and none at all once its connection is gone.
  ///
  /// - Parameter number: The place of the request in the order in which requests came.
  /// - Throws: `server-upload-locked` where the request that writes does not end in time, `server-body-cut`.
  func take(_ id: String, number: Int, _ channel: any Channel) async throws -> Claim {
    try await wait(for: id, number: number) { channel.isActive }
    let claim = Claim(id, number, channel)
    held[id] = claim
    return claim
  }

  /// Ends who writes, so that what is read next stays true.
  ///
  /// - Parameters:
  ///   - number: The place of the request in the order in which requests came.
  ///   - isThere: Says whether the request still has its connection.
  /// - Throws: `server-upload-locked`, `server-body-cut`.
  func wait(for id: String, number: Int, isThere: () -> Bool = { true }) async throws {
    let deadline = ContinuousClock.now + Self.patience
    while let other = held[id] {
      guard isThere() else { throw Refusal(.bodyCut) }
      if number > other.number { other.end() }
      guard ContinuousClock.now < deadline else { throw Refusal(.uploadLocked, headers: [.retryAfter: "1"]) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Takes the right to write where it is free; nil elsewhere.
  func takeIdle(_ id: String) -> Claim? {
    guard held[id] == nil else { return nil }
    let claim = Claim(id, 0, nil)
    held[id] = claim
    return claim
  }

  func release(_ claim: Claim) {
    if held[claim.id] === claim { held[claim.id] = nil }
  }
}
