import MPaaSLock

extension KeyValueStore {
  /// The changes from now on, of a business or of all, of a key or of all; those of other processes come once this store
  /// reads or writes something.
  ///
  /// The sequence ends with the store. What is not taken waits, the latest 1,024 of it.
  public func changes(ofBusiness business: String? = nil, key: String? = nil) -> AsyncStream<KeyValueChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: KeyValueChange.self, bufferingPolicy: .bufferingNewest(1024))
    let number = core.withLock { core in core.watchers.add(business, key, continuation) }
    continuation.onTermination = { [weak self] _ in
      self?.core.withLock { core in core.watchers.remove(number) }
    }
    return stream
  }
}
