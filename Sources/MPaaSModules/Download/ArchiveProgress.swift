package import MPaaSTransfer

/// The progress of one archive on its way into the cache, and how far all of them are.
package struct ArchiveProgress: Sendable, Equatable {
  package enum Step: Sendable, Equatable {
    /// Another process brings it; its identifier, where it can be told.
    case waiting(owner: Int32?)
    /// Bytes come.
    case receiving
    /// A request failed, and another one is made after a pause.
    case retrying(ModuleError, after: TimeSpan)
    /// It is in the cache; `isNew` where this process brought it.
    case done(isNew: Bool)
    case failed
  }

  /// The archive's place among those that were asked for, and its name.
  package let index: Int
  package let name: String
  package let step: Step
  /// Bytes of this archive that are here, and of the whole.
  package let received: UInt64
  package let size: UInt64
  /// The same of all archives that were asked for, those that were here before included.
  package let totalReceived: UInt64
  package let totalSize: UInt64
  /// Bytes a second from the network, over the last seconds.
  package let rate: UInt64

  package init(
    index: Int, name: String, step: Step, received: UInt64, size: UInt64, totalReceived: UInt64, totalSize: UInt64,
    rate: UInt64
  ) {
    self.index = index
    self.name = name
    self.step = step
    self.received = received
    self.size = size
    self.totalReceived = totalReceived
    self.totalSize = totalSize
    self.rate = rate
  }
}
