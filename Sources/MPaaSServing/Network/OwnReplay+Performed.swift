import MPaaSNetwork
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import NetworkServingKit
package import ServingKit

extension OwnReplay: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let timeline = try timeline.timeline(try timeline.profiles(in: context))
    let (listen, state, rounds) = try await play(timeline, in: context.terminal)
    try results.put(ReplayedTimeline(timeline: timeline.name, state: state, rounds: rounds, listen: listen))
    return .done
  }

  /// Plays to the end, or until the program is told to end; says where the proxy listened and how it ended.
  private func play(
    _ timeline: Timeline, in terminal: Terminal
  ) async throws -> (listen: String, state: String, rounds: Int) {
    let writer = try journal.map { try NetworkJournal(appendingTo: $0) }
    let collection = ProxyCollection()
    let kind: ProxyDefinition.Kind = upstream == "any" ? .forward : .tcp
    let added = try await collection.add(
      ProxyDefinition(name: "replay", kind: kind, listen: listen, upstream: kind == .forward ? "" : upstream))
    let following = writer.map { writer in Task { await writer.follow(collection) } }
    let player = TimelinePlayer(timeline, on: collection)
    let watching = Task {
      for await event in await collection.events() where event.kind == .timelineStep {
        terminal.note(time: event.details["at"] ?? "", event.details["label"] ?? "")
      }
    }
    terminal.note(StyledText(terminal.catalogue.text("text.net-replay-listening", ["address": added.listen])))
    _ = try await InterruptibleWork.run {
      await player.start()
      await withTaskCancellationHandler {
        await player.wait()
      } onCancel: {
        Task { await player.stop() }
      }
    }
    let (state, rounds) = (await player.state, await player.rounds)
    watching.cancel()
    following?.cancel()
    await following?.value
    await collection.shutdown()
    return (added.listen, state.rawValue, rounds)
  }
}
