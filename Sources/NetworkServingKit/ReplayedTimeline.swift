package import MPaaSTerminal

/// The last words of `mpaas net replay`.
package struct ReplayedTimeline: Presentable {
  let timeline: String
  /// `ended`, `stopped`, `playing` where it goes on without the command.
  let state: String
  let rounds: Int
  /// The address where the command's own proxy listened.
  let listen: String?

  package init(timeline: String, state: String, rounds: Int, listen: String?) {
    self.timeline = timeline
    self.state = state
    self.rounds = rounds
    self.listen = listen
  }

  package func document(_ catalogue: Catalogue) -> Document {
    let values = ["timeline": timeline, "rounds": "\(rounds)"]
    let key = ["ended", "playing", "stopped"].contains(state) ? state : "stopped"
    return [.line(StyledText(catalogue.text("text.net-replay-\(key)", values)))]
  }
}

extension Terminal {
  /// Tells what begins to hold at a time of a timeline.
  package func note(time: String, _ label: String) {
    note(StyledText("\(time)  ", .faint) + StyledText(label))
  }
}
