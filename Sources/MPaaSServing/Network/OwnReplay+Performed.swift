package import CommandKit
import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
package import NetworkCommands

extension OwnReplay: PerformedWork {
  package func perform(in context: Context) async throws -> ReplayedTimeline {
    let terminal = context.terminal
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
    return ReplayedTimeline(timeline: timeline.name, state: state.rawValue, rounds: rounds, listen: added.listen)
  }
}
