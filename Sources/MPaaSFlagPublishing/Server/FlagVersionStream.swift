import MPaaSAppServices
import MPaaSLock
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTime
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The versions that a server tells of as they are made, by server-sent events.
///
/// The connection ends with this value, or with the task that goes through the versions.
final class FlagVersionStream: Sendable {
  /// The time without a byte after which a stream is over; servers send one each 15 seconds.
  private static let silence = TimeSpan.seconds(45)

  /// The bytes so far; of its own, since the connection has it, too.
  private final class Inbox: Sendable {
    struct State {
      var parser = EventStreamParser()
      var hasBegun = false
    }

    let state = Lock(State())
  }

  /// The versions after one, to be gone through once; they end where the stream does.
  let versions: AsyncStream<FlagVersion>
  private let inbox: Inbox
  private let call: Task<Void, Never>

  init(_ server: FlagServer, after known: Int) {
    let fields = [("Accept", "text/event-stream"), ("Cache-Control", "no-cache"), ("Last-Event-ID", String(known))]
    var request = HTTPCall(
      "GET", server.address(FlagPaths.watch), headers: server.server.headers + fields)
    request.limits.stall = Self.silence
    request.limits.slowBytes = 1
    let (versions, continuation) = AsyncStream.makeStream(of: FlagVersion.self)
    let inbox = Inbox()
    request.receive = { status, _, bytes in
      inbox.state.withLock { state in
        state.hasBegun = true
        return status == 200
          && state.parser.take(bytes) { event in
            guard event.type == "version",
              let version = try? JSONDecoder().decode(FlagVersion.self, from: Data(event.data))
            else { return }
            continuation.yield(version)
          }
      }
    }
    let (client, asked) = (server.server.client, request)
    let call = Task {
      // The next question tells the reason where the server is gone.
      _ = try? await client.answer(to: asked)
      continuation.finish()
    }
    continuation.onTermination = { _ in call.cancel() }
    (self.versions, self.inbox, self.call) = (versions, inbox, call)
  }

  deinit { call.cancel() }

  /// Tells whether anything has come.
  var hasBegun: Bool { inbox.state.withLock { $0.hasBegun } }
}
