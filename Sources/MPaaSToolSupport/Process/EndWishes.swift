import MPaaSSupport

/// SIGINT, SIGTERM and SIGHUP as a sequence.
package struct EndWishes: Sendable {
  package let all: AsyncStream<EndRequest.Wish>

  package init() {
    let (stream, continuation) = AsyncStream.makeStream(of: EndRequest.Wish.self)
    all = stream
    let request = EndRequest(reloads: true)
    // Not a task: whoever waits for a signal blocks a thread, and tasks have few.
    DetachedThread.run {
      while true {
        guard let wish = request.next(within: .seconds(3600)) else { continue }
        continuation.yield(wish)
        if wish == .end { return continuation.finish() }
      }
    }
  }
}
