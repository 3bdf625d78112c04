import MPaaSLock

/// Those who watch messages by name.
final class MessageObservers: Sendable {
  private struct Observer {
    let prefix: String?
    let stream: AsyncStream<MessageChange>.Continuation
  }

  private let count = AtomicInteger(0)
  private let all = Lock((next: 0, byNumber: [Int: Observer]()))

  var areThere: Bool { count.load() > 0 }

  func tell(_ change: MessageChange) {
    all.withLock { all in
      for observer in all.byNumber.values where covers(observer.prefix, change.name) { observer.stream.yield(change) }
    }
  }

  func stream(of prefix: String?) -> AsyncStream<MessageChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: MessageChange.self)
    let number = all.withLock { all in
      all.next += 1
      all.byNumber[all.next] = Observer(prefix: prefix, stream: continuation)
      count.store(all.byNumber.count)
      return all.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  func finish() {
    let streams = all.withLock { $0.byNumber.values.map(\.stream) }
    for stream in streams { stream.finish() }
  }

  private func remove(_ number: Int) {
    let removed = all.withLock { all in
      defer { count.store(all.byNumber.count) }
      return all.byNumber.removeValue(forKey: number)
    }
    _ = removed
  }
}

/// Tells whether a prefix takes a name: by whole parts, `cart` takes `cart` and `cart.add`, not `carton`; nil takes
/// all.
func covers(_ prefix: String?, _ name: String) -> Bool {
  guard let prefix, !prefix.isEmpty else { return true }
  guard name.utf8.starts(with: prefix.utf8) else { return false }
  let rest = name.utf8.dropFirst(prefix.utf8.count)
  return rest.isEmpty || rest.first == UInt8(ascii: ".")
}
